// Labels: each of m slots is an a or a b with probability s each, or neither. What a linear function of their numbers
// exceeds zero by, in expectation, at the cost of one pass over c = a + b.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "solvers/numbers/scaled.hpp"
#include "solvers/sums/label_enclosure.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::solvers {

// u + v c + d (a - c/2).
template <Real N>
struct LabelLine {
  N u, v, d;
};

// Balls lose a bit for every doubling of the number of terms; within its scope they have them to lose.
template <Real R>
struct GuardBits {
  explicit GuardBits(std::int64_t) {}
};
template <>
struct GuardBits<Ball> {
  explicit GuardBits(std::int64_t terms)
      : asked(Ball::precision()), bits(asked + 24 + 2 * nearest_integer(std::log2(static_cast<double>(terms)))) {}
  std::int64_t asked;
  Ball::Precision bits;
};

template <Real R>
Moment<R> to_moment(const Carried<R>& x) {
  if constexpr (std::same_as<R, double>)
    return Scaled(to_double(x));
  else
    return x;
}

// E[L; L > 0] and, to lead searches and not enclosed, E[M; L > 0] for two lines L and M.
template <Real R>
struct Excess {
  Moment<R> above, other;
};

// The law of the labels.
template <Real N>
struct Labels {
  std::int64_t slots;
  N s, rest;  // rest = 1 - 2 s
};

// One pass over c, from the middle outwards. Given c, a ~ Bin(c, 1/2) and L > 0 from a = A(c) on, so the part of c is
//   P(c) [(u + v c) P(a >= A) + (d A / 2) P(a = A)],
// as E[a - c/2; a >= A] = (A/2) P(a = A). Both probabilities are carried from c to its neighbour by Pascal's rule.
// The lines have u, v <= 0 < d and v + d/2 > 0; so A > c/2, and A moves by at most one.
template <Real N>
class LabelPass {
 public:
  LabelPass(const Labels<N>& law, const LabelLine<N>& line, const LabelLine<N>& other)
      : m_(law.slots), odds_(law.s / law.rest), line_(line), other_(other) {}

  // (c, A) with the probabilities in units of P(c) P(a = A) at the start.
  struct Place {
    std::int64_t c, A;
    N point, tail, weight;  // P(c) times P(a = A), P(a >= A), 1
  };

  // The whole sum, in the same unit, in which all probabilities sum to `whole`.
  Excess<N> sum(const Place& start, const N& whole) {
    add(start);
    Place x = start;
    while (x.c < m_ && !(x.c % 16 == 0 && drops_above(x))) {
      rise(x);
      add(x);
    }
    x = start;
    while (x.c > 1 && !(x.c % 16 == 0 && drops_below(x))) {
      if (!fall(x)) {
        // L(c - 1, c - 1) is not proved to be above zero, and L(c, c) rises in c.
        if constexpr (std::same_as<N, Ball>) dropped_ += whole * max(N(0), value(x.c - 1, x.c - 1));
        break;
      }
      add(x);
    }
    if constexpr (std::same_as<N, Ball>) return {sure_ ? Ball::hull(above_, above_ + dropped_) : unknown<N>(), beside_};
    return {above_, beside_};
  }

  // The first a with L > 0, up to rounding.
  std::int64_t first(std::int64_t c) const {
    const double mean = to_double(line_.u) + to_double(line_.v) * static_cast<double>(c);
    return nearest_integer(std::floor(static_cast<double>(c) / 2 - mean / to_double(line_.d))) + 1;
  }

  // P(a >= A) / P(a = A) = 1 + r_A + r_A r_{A+1} + ..., r_i = (c - i)/(i + 1) < 1 falling.
  N mills(std::int64_t c, std::int64_t A) const {
    N term(1), total(1);
    const N small = ldexp(N(1), -carried_bits<N>());
    for (std::int64_t i = A; i < c; ++i) {
      spend_on_terms<N>(2);
      const N ratio = N(c - i) / (i + 1);
      if (i % 16 == 0) {
        const N rest = term * ratio / (1 - ratio);
        if (certainly(rest < total * small)) {
          if constexpr (std::same_as<N, Ball>) return Ball::hull(total, total + rest);
          return total;
        }
      }
      term *= ratio;
      total += term;
    }
    return total;
  }

 private:
  // Two or three quotients and a dozen products. Balls count those, but a step of theirs, with what it compares and
  // allocates, takes about four times as long.
  static void spend_on_step() {
    if constexpr (std::same_as<N, Ball>)
      spend(60 * Ball::costs().sum);
    else
      spend_on_terms<N>(3);
  }

  // L at a = A.
  N value(std::int64_t c, std::int64_t A) const { return line_.u + line_.v * c + line_.d * (2 * A - c) / 2; }

  void add(const Place& x) {
    const N half = x.point * x.A / 2, part = (line_.u + line_.v * x.c) * x.tail + line_.d * half;
    above_ += part;
    if constexpr (std::floating_point<N>) part_ = part;
    beside_ += (other_.u + other_.v * x.c) * x.tail + other_.d * half;
    if constexpr (std::same_as<N, Ball>) {
      // Where the sign of L at A or A - 1 is not proved it is next to zero, and so is what a wrong A leaves out. It is
      // wrong by one at most, or nothing is known.
      const N here = value(x.c, x.A), before = here - line_.d;
      if (!certainly(here > 0)) {
        above_ += max(N(0), N(-here)) * x.point;
        sure_ = sure_ && certainly(here + line_.d > 0);
      }
      if (!certainly(before <= 0)) {
        above_ += max(N(0), before) * x.point * x.A / (x.c - x.A + 1);
        sure_ = sure_ && certainly(before <= line_.d);
      }
    }
  }

  // c + 1. L at A falls by less than d; where it falls to zero A rises as well.
  void rise(Place& x) const {
    spend_on_step();
    const N per_slot = odds_ * (m_ - x.c), up = 2 * per_slot / (x.c + 1);
    if (certainly(value(x.c + 1, x.A) <= N(0))) {
      x.tail = (x.tail - x.point / 2) * up;
      ++x.A;
      x.point = x.point * per_slot / x.A;
    } else {
      const N before = x.point / (x.c - x.A + 1);  // P(a = A - 1) = A before
      x.tail = (x.tail + before * x.A / 2) * up;
      x.point = before * per_slot;
    }
    x.weight *= up;
    ++x.c;
  }

  // c - 1; false where L is nowhere above zero any more.
  bool fall(Place& x) const {
    spend_on_step();
    const N per_slot = 1 / (odds_ * (m_ - x.c + 1)), down = per_slot * x.c / 2;
    const N step = x.point * x.A / x.c;
    if (certainly(value(x.c - 1, x.A) > line_.d)) {
      x.tail = (x.tail + step) * down;
      x.point = x.point * x.A * per_slot;
      --x.A;
    } else {
      if (x.A == x.c) return false;
      x.tail = (x.tail - step) * down;
      x.point = x.point * (x.c - x.A) * per_slot;
    }
    x.weight *= down;
    --x.c;
    return true;
  }

  // Given c the excess is at most d E(a - c/2)_+ <= d sqrt(c)/4. Beyond c the weights fall at least like the next two.
  // Where the sum is not proved to be above zero, as next to the end of a profile, what is dropped is nothing to the
  // weight at the start, which is one.
  bool drops(const Place& x, const N& ratio) {
    if (!certainly(ratio < N(1))) return false;
    if constexpr (std::floating_point<N>) {
      if (!std::isfinite(above_)) return true;  // no number of this kind
      // So deep in a tail that the weight is none either: by what was added last, without proof.
      if (!std::isfinite(x.weight)) return part_ <= above_ * ldexp(N(1), -carried_bits<N>());
    }
    const N rest = x.weight * ratio / (1 - ratio) * line_.d * sqrt(N(x.c)) / 4;
    const N small = ldexp(N(1), -carried_bits<N>());
    if (!certainly(rest <= above_ * small) && !certainly(rest <= line_.d * small * small * small)) return false;
    dropped_ += rest;
    return true;
  }
  bool drops_above(const Place& x) { return drops(x, 2 * odds_ * (m_ - x.c) / x.c); }
  bool drops_below(const Place& x) { return drops(x, N(x.c) / (2 * odds_ * (m_ - x.c + 1))); }

  std::int64_t m_;
  N odds_;
  LabelLine<N> line_, other_;
  N above_ = N(0), beside_ = N(0), dropped_ = N(0), part_ = N(0);
  bool sure_ = true;
};

// Where the pass starts: the mean of c, or the first c at which L can be above zero.
inline std::int64_t middle_label(double slots, double s, double u, double v, double d) {
  const double least = std::floor(-u / (v + d / 2)) + 1, mean = std::floor(2 * s * slots);
  return nearest_integer(std::clamp(std::max(mean, least), 1.0, slots));
}

// E[L; L > 0] and E[M; L > 0]. Zero where L is never above zero. In balls by long doubles with their rounding bounded,
// where that gives half of the bits asked.
template <Real R>
Excess<R> label_excess(const Labels<Carried<R>>& law, const LabelLine<Carried<R>>& line,
                       const LabelLine<Carried<R>>& other, [[maybe_unused]] const GuardBits<R>& guard) {
  using N = Carried<R>;
  const N most = line.u + (line.v + line.d / 2) * law.slots;  // of L
  if (!certainly(most > N(0))) {
    if constexpr (std::same_as<R, Ball>) return {max(Ball(0), most), Ball(0)};
    return {Moment<R>(0), Moment<R>(0)};
  }
  // The pass begins where doubles say; beyond their range there is no such place.
  if (!std::isfinite(to_double(most))) return {Moment<R>(unknown<R>()), Moment<R>(unknown<R>())};
  if constexpr (std::same_as<R, Ball>) {
    const auto quick = enclosed_excess({law.slots, law.s, law.rest, line.u, line.v, line.d, to_double(other.u),
                                        to_double(other.v), to_double(other.d)});
    if (quick && 2 * quick->above.accurate_bits() >= guard.asked) return {quick->above, quick->beside};
  }
  LabelPass<N> pass(law, line, other);
  const double m = static_cast<double>(law.slots);
  const std::int64_t c = middle_label(m, to_double(law.s), to_double(line.u), to_double(line.v), to_double(line.d));
  const std::int64_t A = std::min(pass.first(c), c);
  const double at_c = static_cast<double>(c), at_A = static_cast<double>(A);
  if constexpr (std::same_as<R, double>) {
    const double log_point = log_binomial_weight(at_c, at_A, 0.5, 0.5);
    const double log_weight = log_binomial_weight(m, at_c, to_double(2 * law.s), to_double(law.rest));
    const auto [above, beside] = pass.sum({c, A, 1, pass.mills(c, A), std::exp(-static_cast<N>(log_point))}, 0);
    const Scaled unit = Scaled::exp_of(log_weight + log_point);
    return {unit * to_double(above), unit * to_double(beside)};
  } else {
    const N point = binomial_weight(N(c), at_A, N(0.5), N(0.5));
    const N unit = binomial_weight(N(law.slots), at_c, N(2 * law.s), law.rest) * point;
    const auto [above, beside] = pass.sum({c, A, N(1), pass.mills(c, A), N(1 / point)}, N(1 / unit));
    return {unit * above, unit * beside};
  }
}

}  // namespace epsilary::solvers
