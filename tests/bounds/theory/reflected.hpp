#pragma once

#include "bounds/theory/gaussian.hpp"

namespace epsilary::bounds {

// For eps < 0 by reflection: delta(-e) = 1 - e^{-e} + e^{-e} delta(e).
template <Real R>
R gdp_delta_reflected(const R& eps, const R& mu) {
  if (!certainly(eps < 0)) return gdp_delta(eps, mu);
  return -expm1(eps) + exp(eps) * gdp_delta(R(-eps), mu);
}

}  // namespace epsilary::bounds
