// Sums whose dropped part is bounded and, for balls, part of the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "solvers/numbers/functions.hpp"

namespace epsilary::solvers {

// A sum in this number type drops terms only when all of them together are below 2^-bits of it.
template <Real R>
int carried_bits() {
  if constexpr (std::same_as<R, Ball>)
    return static_cast<int>(Ball::precision()) + 10;
  else
    return std::numeric_limits<R>::digits + 10;
}

// sum_{k >= from} P(K = k) f(k) for K ~ Binomial(n, p), q = 1 - p, and 0 <= f <= ceiling. Where p or q is zero it is
// exactly zero.
// Terms are added outward from the largest weight. Beyond k the weights fall at least geometrically,
// by the ratio r of the next two, so what is dropped there is at most P(K = k) ceiling r / (1 - r).
template <Real R, class F>
R binomial_sum(const R& n, const R& p, const R& q, double from, const R& ceiling, F f) {
  const double size = to_double(n);
  if (!(from < countable)) return unknown<R>();
  if (from > size) return R(0);
  if (certainly(p <= 0)) return from > 0 ? R(0) : R(f(R(0)));
  if (certainly(q <= 0)) return f(n);
  const double start = std::clamp(std::floor(size * to_double(p)), std::max(from, 0.0), size);
  if (!(start < countable)) return unknown<R>();
  const R small = ldexp(R(1), -carried_bits<R>());
  const R peak = exp(log_binomial_weight(n, R(start), p, q));
  R sum = peak * f(R(start)), dropped = R(0);

  const auto add_outward = [&](double last, int direction) {
    R weight = peak;
    for (double k = start; k != last; k += direction) {
      spend_on_term<R>();
      const R next = R(k) + direction;
      const R ratio = direction > 0 ? R((n - next + 1) * p / (next * q)) : R((next + 1) * q / ((n - next) * p));
      if (certainly(ratio < 1)) {
        const R rest = weight * ceiling * ratio / (1 - ratio);
        if (certainly(rest < sum * small) || !certainly(weight > 0)) {
          dropped += rest;
          return;
        }
      }
      weight *= ratio;
      sum += weight * f(next);
    }
  };
  add_outward(size, +1);
  add_outward(std::max(from, 0.0), -1);
  if constexpr (std::same_as<R, Ball>) return Ball::hull(sum, sum + dropped);
  return sum;
}

}  // namespace epsilary::solvers
