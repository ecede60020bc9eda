#include "bounds/theory/concentrated.hpp"

#include <cmath>

namespace epsilary::bounds {

double clt_factor(double sigma) {
  const long double u = 1 / static_cast<long double>(sigma), r = 0.707106781186547524400844362104849039L;
  const long double first = std::expm1(u * u) * std::erfc(-1.5L * u * r);
  return static_cast<double>(std::sqrt(first + std::erf(1.5L * u * r) - 3 * std::erf(u * r / 2)));
}

}  // namespace epsilary::bounds
