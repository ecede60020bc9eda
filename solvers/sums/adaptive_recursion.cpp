#include "solvers/sums/adaptive_recursion.hpp"

#include <algorithm>
#include <cmath>

namespace epsilary::solvers {
namespace {

constexpr double unit = 0x1p-53;  // half a unit in the last place of 1: what an operation rounds by, relatively
constexpr std::ptrdiff_t chunk = 256;

// The inner loops, over a chunk each, for the widest registers there are: the same operations, so the same results.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define EPSILARY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define EPSILARY_WIDE
#endif

EPSILARY_WIDE void chords(const double* __restrict in, double part, double* __restrict out) {
  const double f = part, g = 1 - f;
  for (std::ptrdiff_t k = 0; k < chunk; ++k) out[k] = g * in[k] + f * in[k + 1];
}
EPSILARY_WIDE void raise_by_two(const double* __restrict a, const double* __restrict b, double p, double q,
                                double* __restrict out) {
  for (std::ptrdiff_t k = 0; k < chunk; ++k) {
    const double sum = p * a[k] + q * b[k];
    out[k] = out[k] > sum ? out[k] : sum;
  }
}
EPSILARY_WIDE void raise_by_three(const double* __restrict a, const double* __restrict b, const double* __restrict c,
                                  double p, double q, double r, double* __restrict out) {
  for (std::ptrdiff_t k = 0; k < chunk; ++k) {
    const double sum = p * a[k] + q * b[k] + r * c[k];
    out[k] = out[k] > sum ? out[k] : sum;
  }
}

}  // namespace

Spread spread_of(const AdaptiveLaws& laws) {
  Spread out;
  const double mean = laws.mean.midpoint();
  for (const auto& shares : laws.shares) {
    double variance = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double a = laws.atoms[k].midpoint() - mean, p = shares[k].midpoint();
      variance += p * a * a;
      if (p > 0) out.farthest = std::max(out.farthest, std::abs(a));
    }
    out.variance = std::max(out.variance, variance);
  }
  return out;
}

double well_placed_cell(const AdaptiveLaws& laws, double terms, double start, double cell) {
  const Spread spread = spread_of(laws);
  const double sigma = std::sqrt(spread.variance), mean = laws.mean.midpoint();
  // log E e^{theta X} and E X^2 of the law of which it is largest, X rounded to a grid of width h (0: as it is).
  struct Largest {
    double log_moment, variance;
  };
  const auto largest = [&](double theta, double h) {
    Largest out{-HUGE_VAL, 0};
    for (const auto& shares : laws.shares) {
      double moment = 0, variance = 0;
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const double p = shares[k].midpoint(), a = laws.atoms[k].midpoint() - mean;
        if (!(p > 0)) continue;
        const double part = h > 0 ? a / h - std::floor(a / h) : 0, low = a - part * h;
        moment += p * std::exp(theta * low) * ((1 - part) + part * std::exp(theta * h));
        variance += p * (a * a + part * (1 - part) * h * h);
      }
      out = {std::max(out.log_moment, std::log(moment)), std::max(out.variance, variance)};
    }
    return out;
  };
  // Chernoff's bound of the sum, its logarithm being convex in theta.
  const auto chernoff = [&](double theta) { return theta * start + terms * largest(theta, 0).log_moment; };
  double low = 0, high = 40 / sigma;
  for (int i = 0; i < 40; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (chernoff(a) < chernoff(b) ? high : low) = chernoff(a) < chernoff(b) ? b : a;
  }
  const double theta = low, gain = cell * cell / 6, deep = std::max(1.0, -chernoff(theta));
  // Thirty bits; the start is next to a point of the grid too.
  const auto placed = [&](double h) {
    if (std::abs(start) > 8 * h) h = std::abs(start) / std::ceil(std::abs(start) / h);
    const int exponent = std::ilogb(h);
    return std::ldexp(std::floor(std::ldexp(h, 29 - exponent)), exponent - 29);
  };
  const Largest before = largest(theta, 0);
  for (double wide = 5; wide > 0.125; wide *= 0.997) {
    const double h = placed(wide * cell * sigma);
    const Largest after = largest(theta, h);
    const double added = terms * (after.log_moment - before.log_moment) + theta * h * theta * h / 8;
    if (after.variance <= before.variance * (1 + gain) && added <= deep * gain) return h;
  }
  return placed(cell * sigma / 8);
}

Recursion::Shift Recursion::shift_of(double cells) {
  const double whole = std::floor(cells);
  return {static_cast<std::ptrdiff_t>(whole), cells - whole};  // exact
}

Recursion::Recursion(const AdaptiveLaws& laws, double h, std::int64_t most_steps, double left, double right)
    : h_(h), spread_(spread_of(laws)), most_steps_(most_steps), left_tail_(left), right_tail_(right) {
  for (const Ball& a : laws.atoms) {
    const Ball cells = (a - laws.mean) / Ball(h);
    up_.push_back(shift_of(cells.upper()));
    down_.push_back(shift_of(cells.lower()));
    pad_ = std::max({pad_, std::abs(up_.back().whole) + 3, std::abs(down_.back().whole) + 3});
  }
  for (const auto& shares : laws.shares) {
    std::vector<Term> law;
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (shares[k].upper() > 0) law.push_back({k, shares[k].upper()});
    // All is positive: the rounding of a chord is at most 3 units, of a term one more, of their sum one for each.
    for (Term& t : law) t.share *= 1 + (static_cast<double>(law.size()) + 10) * unit * 2;
    terms_ += law.size();
    laws_.push_back(std::move(law));
  }
  moved_.assign(up_.size() * chunk, 0.0);
  // Whole chunks, at most one of them beyond the points that are asked for.
  const std::ptrdiff_t farthest = std::max(reach(most_steps, left), reach(most_steps, right)) + chunk;
  middle_ = farthest + pad_ + chunk;
  // U = u_+ and W = u_+ - u, and a little, so that no number is too small for its rounding to be bounded.
  v_.assign(static_cast<std::size_t>(2 * middle_ + 2), 1e-300);
  w_ = v_;
  next_left_ = reach(1, left_tail_), next_right_ = reach(1, right_tail_);
  fill_room();
  next_v_ = v_, next_w_ = w_;
}

// How many cells a sum of so many terms strays with a probability of e^-tail, by Bernstein's inequality; a million at
// most, as memory is not counted.
std::ptrdiff_t Recursion::reach(std::int64_t steps, double tail) const {
  const double s = static_cast<double>(steps);
  const double far = std::sqrt(2 * tail * s * spread_.variance) + tail * spread_.farthest / 3;
  return static_cast<std::ptrdiff_t>(std::min(1e6, std::ceil(std::min(far, s * (spread_.farthest + h_)) / h_))) + 3;
}

void Recursion::step() {
  ++steps_;
  left_ = next_left_, right_ = next_right_;
  pass(v_, next_v_, up_, -left_, 0);
  pass(w_, next_w_, down_, 0, right_);
  std::swap(v_, next_v_);
  std::swap(w_, next_w_);
  const std::int64_t next = std::min(steps_ + 1, most_steps_);
  next_left_ = std::max(left_, reach(next, left_tail_)), next_right_ = std::max(right_, reach(next, right_tail_));
  fill_room();
}

double Recursion::value(double k) const {
  if (k <= static_cast<double>(-left_)) return v(-left_);
  if (k <= 0) return v(static_cast<std::ptrdiff_t>(k));
  const double rest = w(k >= static_cast<double>(right_) ? right_ : static_cast<std::ptrdiff_t>(k));
  const double x = k * h_;  // exact
  return (x + rest) * (1 + 4 * unit);
}

double Recursion::between(double k) const {
  const double up = k + 4 * unit * std::abs(k), low = std::floor(up), part = up - low;
  return part > 0 ? ((1 - part) * value(low) + part * value(low + 1)) * (1 + 8 * unit) : value(low);
}

double Recursion::mass(std::ptrdiff_t k) const {
  const auto second = [&](double a, double b, double c) {
    return std::max(0.0, a - 2 * b + c + 32 * unit * (a + 2 * b + c)) / h_ * (1 + 4 * unit);
  };
  if (k == -left_) return std::max(0.0, v(k + 1) - v(k) + 8 * unit * v(k + 1)) / h_ * (1 + 4 * unit);
  return k < 0 ? second(v(k - 1), v(k), v(k + 1)) : second(w(k - 1), w(k), w(k + 1));
}

// out[k] = max_j sum share_j(a) in[k + shift_a] for first <= k <= last, in chunks away from zero.
void Recursion::pass(const std::vector<double>& in, std::vector<double>& out, const std::vector<Shift>& shifts,
                     std::ptrdiff_t first, std::ptrdiff_t last) {
  const std::ptrdiff_t chunks = (last - first) / chunk + 1;
  spend(0.03 * static_cast<double>(chunks * chunk) * static_cast<double>(shifts.size() + terms_));
  for (std::ptrdiff_t i = 0; i < chunks; ++i) {
    const std::ptrdiff_t from = last == 0 ? 1 - (i + 1) * chunk : i * chunk;
    for (std::size_t a = 0; a < shifts.size(); ++a)
      chords(in.data() + at(from + shifts[a].whole), shifts[a].part, moved_.data() + a * chunk);
    double* result = out.data() + at(from);
    std::fill_n(result, chunk, 0.0);
    const auto moved = [&](const Term& t) { return moved_.data() + t.atom * chunk; };
    for (const auto& law : laws_) {
      if (law.size() == 2) {
        raise_by_two(moved(law[0]), moved(law[1]), law[0].share, law[1].share, result);
      } else if (law.size() == 3) {
        raise_by_three(moved(law[0]), moved(law[1]), moved(law[2]), law[0].share, law[1].share, law[2].share, result);
      } else {
        for (std::ptrdiff_t k = 0; k < chunk; ++k) {
          double sum = 0;
          for (const Term& t : law) sum += t.share * moved(t)[k];
          result[k] = std::max(result[k], sum);
        }
      }
    }
  }
}

// What the next step reads beyond the ends, and over zero, where one form becomes the other.
void Recursion::fill_room() {
  for (std::ptrdiff_t k = -left_ - 1; k >= -next_left_ - pad_ - chunk; --k) v_[at(k)] = v(-left_);
  for (std::ptrdiff_t k = right_ + 1; k <= next_right_ + pad_ + chunk; ++k) w_[at(k)] = w(right_);
  for (std::ptrdiff_t k = 1; k <= pad_ + 1; ++k) {
    const double x = static_cast<double>(k) * h_;
    v_[at(k)] = (w(std::min(k, right_)) + x) * (1 + 4 * unit);
    w_[at(-k)] = (v(std::max(-k, -left_)) + x) * (1 + 4 * unit);
  }
}

}  // namespace epsilary::solvers
