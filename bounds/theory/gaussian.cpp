#include "bounds/theory/gaussian.hpp"

#include <cmath>

namespace epsilary::bounds {
namespace {

using Wide = long double;

// (1 - Phi(x))/phi(x); beyond 8 by its continued fraction 1/(x + 1/(x + 2/(x + ...))).
Wide mills(Wide x) {
  if (x < 8)
    return std::exp(x * x / 2) * std::erfc(x * 0.707106781186547524400844362104849039L) *
           1.25331413731550025120788264240552263L;
  Wide tail = x;
  for (int k = 60; k >= 1; --k) tail = x + static_cast<Wide>(k) / tail;
  return 1 / tail;
}

// -d mills/dx = 1 - x mills(x), which cancels for large x unless read off the continued fraction.
Wide mills_fall(Wide x) {
  if (x < 2) return 1 - x * mills(x);
  Wide tail = x;
  for (int k = x < 8 ? 400 : 60; k >= 2; --k) tail = x + static_cast<Wide>(k) / tail;
  return 1 / tail / (x + 1 / tail);
}

Wide wide_log_delta(double eps, double mu) {
  const Wide m = mu, A = m / 2 - eps / m, x = -A;
  const Wide log_density = -A * A / 2 - 0.918938533204672741780329736405617640L;
  if (mu < 0.01) {  // three points of Gauss on the fall of the Mills ratio over [x, x + mu]
    const Wide c = x + m / 2, d = m / 2 * 0.774596669241483377035853079956479922L;
    const Wide mean = (8 * mills_fall(c) + 5 * (mills_fall(c - d) + mills_fall(c + d))) / 18;
    return log_density + std::log(m * mean);
  }
  if (A < 0) return log_density + std::log(mills(x) - mills(x + m));
  const Wide direct = std::erfc(-A * 0.707106781186547524400844362104849039L) / 2;
  return std::log(direct - std::exp(log_density) * mills(x + m));
}

}  // namespace

double gdp_log_delta(double eps, double mu) { return static_cast<double>(wide_log_delta(eps, mu)); }
double gdp_delta(double eps, double mu) { return static_cast<double>(std::exp(wide_log_delta(eps, mu))); }

}  // namespace epsilary::bounds
