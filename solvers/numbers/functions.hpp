// Functions whose plain spelling loses digits, each for double, mp50 and Ball.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>
#include <utility>

#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {

// Euler's number and pi; a constant costs less than exp(1).
template <Real R>
R euler() {
  if constexpr (std::same_as<R, double>)
    return std::numbers::e;
  else
    return R::e();
}
template <Real R>
R pi() {
  if constexpr (std::same_as<R, double>)
    return std::numbers::pi;
  else
    return R::pi();
}

// log(1 - e^{-x}) for x > 0. Both forms hold everywhere; the branch only keeps digits.
template <Real R>
R log1mexp(const R& x) {
  return certainly(x > 1) ? log1p(-exp(-x)) : log(-expm1(-x));
}

// log(e^a + e^b), likewise.
template <Real R>
R log_add(const R& a, const R& b) {
  return certainly(a < b) ? b + log1p(exp(a - b)) : a + log1p(exp(b - a));
}

// log Gamma(n + 1) - log Gamma(n - k + 1), without subtracting two numbers of size n log n in double.
template <Real R>
R log_falling_factorial(const R& n, const R& k) {
  if constexpr (std::same_as<R, double>) {
    const double rest = n - k;
    if (rest > 100) {  // Stirling's series on both; its error beyond x^-7 is below 1e-17 here
      const auto tail = [](double x) {
        const double y = 1 / (x * x);
        return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y / 1680))) / x;
      };
      return k * std::log(n) - (rest + 0.5) * std::log1p(-k / n) - k + tail(n) - tail(rest);
    }
  }
  return lgamma(n + 1) - lgamma(n - k + 1);
}

template <Real R>
R log_binomial(const R& n, const R& k) {
  if (certainly(n - k < k)) return log_falling_factorial(n, R(n - k)) - lgamma(n - k + 1);
  return log_falling_factorial(n, k) - lgamma(k + 1);
}

// log(C(n, k) p^k q^{n-k}) with q = 1 - p, for 0 <= k <= n. The general form holds at both ends too, unless p or q is
// 0.
template <Real R>
R log_binomial_weight(const R& n, const R& k, const R& p, const R& q) {
  if (certainly(k <= 0)) return n * log(q);
  if (certainly(n - k <= 0)) return n * log(p);
  return log_binomial(n, k) + k * log(p) + (n - k) * log(q);
}

// In double the three terms above cancel; this saddle-point form (Loader 2000) does not:
// x log(x/y) + y - x is the cost of seeing x where y is expected.
double log_binomial_weight(double n, double k, double p, double q);
long double log_binomial_weight(long double n, long double k, long double p, long double q);

template <Real R>
R normal_cdf(const R& x) {
  return erfc(-x / sqrt(R(2))) / 2;
}

double normal_quantile(double p);
inline Ball normal_quantile(const Ball& p) { return -sqrt(Ball(2)) * erfc_inv(2 * p); }

// Newton's method on log Phi, which is concave, from the leading term of the tail.
template <unsigned D>
mp<D> normal_quantile(const mp<D>& p) {
  if (p > mp<D>(0.5)) return -normal_quantile<D>(1 - p);
  const mp<D> target = log(p);
  const double l = -to_double(target);
  const double start = to_double(p);
  mp<D> x = start > 0 ? normal_quantile(start) : -std::sqrt(2 * l - std::log(4 * M_PI * l));
  for (int i = 0; i < 60; ++i) {
    const mp<D> cdf = normal_cdf(x);
    const mp<D> density = exp(-x * x / 2) / sqrt(2 * pi<mp<D>>());
    const mp<D> step = (log(cdf) - target) * cdf / density;
    x -= step;
    if (abs(step) <= abs(x) * std::numeric_limits<mp<D>>::epsilon() * 4) break;
  }
  return x;
}

}  // namespace epsilary::solvers
