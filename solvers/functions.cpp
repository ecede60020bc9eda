#include "solvers/functions.hpp"

namespace solvers {
namespace {

// log Gamma(x + 1) minus Stirling's (x + 1/2) log x - x + log(2 pi)/2.
double stirling_error(double x) {
  if (x < 16) return std::lgamma(x + 1) - (x + 0.5) * std::log(x) + x - 0.9189385332046727;
  const double y = 1 / (x * x);
  return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
}

// x log(x/y) + y - x, kept accurate when x is close to y.
double deviance(double x, double y) {
  const double d = x - y;
  if (std::abs(d) > 0.1 * (x + y)) return x * std::log(x / y) - d;
  const double v = d / (x + y), v2 = v * v;
  double sum = d * v, term = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    term *= v2;
    const double next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

}  // namespace

double log_binomial_weight(double n, double k, double p, double q) {
  if (k == 0) return n * std::log(q);
  if (k == n) return n * std::log(p);
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
         deviance(n - k, n * q) + 0.5 * std::log(n / (2 * M_PI * k * (n - k)));
}

}  // namespace solvers
