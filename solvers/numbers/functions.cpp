#include "solvers/numbers/functions.hpp"

#include <boost/math/special_functions/erf.hpp>

namespace epsilary::solvers {
namespace {

// The result is exponentiated, so its absolute error is what counts: long double keeps it below the
// rounding of the double returned.
using Wide = long double;

// log Gamma(x + 1) minus Stirling's (x + 1/2) log x - x + log(2 pi)/2.
Wide stirling_error(Wide x) {
  if (x < 16) return std::lgamma(x + 1) - (x + 0.5L) * std::log(x) + x - 0.918938533204672741780L;
  const Wide y = 1 / (x * x);
  return (1.0L / 12 - y * (1.0L / 360 - y * (1.0L / 1260 - y * (1.0L / 1680 - y / 1188)))) / x;
}

// x log(x/y) + y - x, kept accurate when x is close to y.
Wide deviance(Wide x, Wide y) {
  const Wide d = x - y;
  if (std::abs(d) > 0.1L * (x + y)) return x * std::log(x / y) - d;
  const Wide v = d / (x + y), v2 = v * v;
  Wide sum = d * v, term = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    term *= v2;
    const Wide next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

}  // namespace

long double log_binomial_weight(long double n, long double k, long double p, long double q) {
  // Whichever of p and q is small carries the digits of both.
  if (k == 0) return n * (p < 0.5L ? std::log1p(-p) : std::log(q));
  if (k == n) return n * (q < 0.5L ? std::log1p(-q) : std::log(p));
  const Wide small = n * std::min(p, q), mean = p < q ? small : n - small, rest = p < q ? n - small : small;
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, mean) - deviance(n - k, rest) +
         std::log(n / (6.28318530717958647692L * k * (n - k))) / 2;
}

double log_binomial_weight(double n, double k, double p, double q) {
  return static_cast<double>(log_binomial_weight(Wide(n), Wide(k), Wide(p), Wide(q)));
}

double normal_quantile(double p) {
  using namespace boost::math::policies;
  using Quiet = policy<domain_error<errno_on_error>, overflow_error<errno_on_error>, promote_double<false>>;
  return -std::sqrt(2.0) * boost::math::erfc_inv(2 * p, Quiet());
}

}  // namespace epsilary::solvers
