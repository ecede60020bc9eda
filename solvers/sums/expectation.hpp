// Expectations over a binomial number, of functions that may grow far beyond the reach of its weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

#include "solvers/numbers/scaled.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::solvers {

// (1 + z)^nu - 1 - nu z for z > -1, which is what a moment keeps of a likelihood ratio 1 + z of mean one. The
// closed form is written for nu near 1 and holds everywhere; where z is small it cancels and the series is used, each
// of whose terms is below half the one before.
template <Real R>
R power_excess(const R& nu, const R& z) {
  if (!certainly(abs(nu * z) < R(0.5) && abs(z) < R(0.25))) return (1 + z) * expm1((nu - 1) * log1p(z)) - (nu - 1) * z;
  const R small = ldexp(R(1), -carried_bits<R>());
  R term = nu * (nu - 1) * z * z / 2, sum = term;
  for (int j = 2; certainly(abs(term) > abs(sum) * small); ++j) {
    term = term * (nu - j) * z / (j + 1);
    sum += term;
  }
  if constexpr (std::same_as<R, Ball>) return Ball::hull(sum - abs(term), sum + abs(term));
  return sum;
}

template <Real R>
struct Binomial {
  R n, p, q;  // q = 1 - p; each is exactly zero where it is zero, which a difference of rounded numbers may hide

  double size() const { return to_double(n); }
  R weight(double k) const { return binomial_weight(n, k, p, q); }
  R up(double k) const { return (n - R(k)) * p / ((R(k) + 1) * q); }  // P(k + 1) / P(k), falls in k
  R down(double k) const { return R(k) * q / ((n - R(k) + 1) * p); }  // P(k - 1) / P(k), rises in k
};

// A sum and a bound on what was left out of it.
template <Real R>
struct Partial {
  R sum, dropped = R(0);
  bool drops(const R& rest) {
    if (certainly(rest > sum * ldexp(R(1), -carried_bits<R>()))) return false;
    dropped += rest;
    return true;
  }
};

// Adds P(K = k) f(k) for k > start until the rest is negligible; above(k, f(k)) >= f(k) grows from k on at
// most like k^degree.
template <Real R, class F, class Above>
void add_above(Partial<R>& total, const Binomial<R>& law, double start, const R& degree, F f, Above above) {
  R weight = law.weight(start), value = R(0);
  for (double k = start; k < law.size(); ++k) {
    spend_on_term<R>();
    if (k > start && std::fmod(k, 8) == 0) {
      const R ratio = law.up(k) * exp(degree * log1p(R(1) / R(k)));
      if (certainly(ratio < R(1)) && total.drops(weight * above(k, value) * ratio / (1 - ratio))) return;
    }
    weight *= law.up(k);
    value = f(k + 1);
    total.sum += weight * value;
  }
}

// Adds P(K = k) f(k) for from <= k < start, where ceiling(a, b) >= f on [a, b]. A negligible block [k/2, k) is
// skipped and not the end, because beneath it the function may rise faster than the weights fall.
template <Real R, class F, class Ceiling>
void add_below(Partial<R>& total, const Binomial<R>& law, double from, double start, F f, Ceiling ceiling) {
  const auto halfway = [&](double b) { return std::max(from, std::ceil(b / 2)); };
  R weight = law.weight(start);
  for (double k = start; k > from;) {
    spend_on_term<R>();
    const R ratio = law.down(k);
    const double block = halfway(k - 1);
    if (std::fmod(k, 8) == 0 && certainly(ratio < R(1)) &&
        total.drops(weight * ratio / (1 - ratio) * ceiling(block, k - 1))) {
      R rest(0);
      for (double b = block - 1; b >= from; b = halfway(b) - 1)
        rest += law.weight(b) / (1 - law.down(b)) * ceiling(halfway(b), b);
      if (total.drops(rest)) return;
      k = block;
      weight = law.weight(k);
    } else {
      weight *= ratio;
      total.sum += weight * f(--k);
    }
  }
}

// In the scope of a Sketch, expectations in Scaled are taken at a few dozen points: near the mean closer than the law
// is wide, below it at a ratio, where f may rise faster than the weights fall. For searches, whose answer needs no
// proof.
class Sketch {
 public:
  Sketch() : before_(std::exchange(on_, true)) {}
  ~Sketch() { on_ = before_; }
  Sketch(const Sketch&) = delete;
  Sketch& operator=(const Sketch&) = delete;
  static bool on() { return on_; }

 private:
  static inline thread_local bool on_ = false;
  bool before_;
};

template <class F>
Scaled sketched_mean(const Binomial<Scaled>& law, double from, F f) {
  const double mean = law.size() * law.p.value(), spread = std::sqrt(mean * law.q.value()),
               step = std::floor(spread / 2);
  Scaled sum(0);
  const auto add = [&](double k, double gap) {
    spend_on_terms<Scaled>(10);  // a weight by itself
    sum += law.weight(k) * Scaled(gap) * f(k);
  };
  const double start = std::max(from, std::floor(mean)), top = std::min(law.size(), mean + 9 * spread);
  for (double k = start; k <= top; k += step) add(k, step);
  for (double k = start - step; k >= from;) {
    const double gap = k > mean - 9 * spread ? step : std::max(1.0, std::floor(k / 8));
    add(k, gap);
    if (k > from && k - gap < from) add(from, 1);  // where f is largest
    k -= gap;
  }
  return sum;
}

// E[f(K); K >= from] for f >= 0, with what is dropped bounded and, for balls, part of the result. Terms are
// added outward from the largest weight. Unknown where their numbers are not countable.
template <Real R, class F, class Above, class Ceiling>
R binomial_mean(const Binomial<R>& law, double from, const R& degree, F f, Above above, Ceiling ceiling) {
  const double size = law.size();
  if (!(from < countable)) return unknown<R>();
  if (from > size) return R(0);
  if (certainly(law.p <= R(0))) return from > 0 ? R(0) : R(f(0.0));
  if (certainly(law.q <= R(0))) return std::isnan(count_of(law.n)) ? unknown<R>() : R(f(size));
  const double start = std::clamp(std::floor(size * to_double(law.p)), from, size);
  if (!(start < countable)) return unknown<R>();
  if constexpr (std::same_as<R, Scaled>)
    if (Sketch::on() && size * to_double(law.p) * to_double(law.q) > 64) return sketched_mean(law, from, f);
  Partial<R> total{law.weight(start) * f(start)};
  add_above(total, law, start, degree, f, above);
  add_below(total, law, from, start, f, ceiling);
  if constexpr (std::same_as<R, Ball>) return Ball::hull(total.sum, total.sum + total.dropped);
  return total.sum;
}

}  // namespace epsilary::solvers
