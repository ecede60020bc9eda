// What a shuffle of n reports leaks in the limit of many: a normal law of one mean against another.
#pragma once

#include "solvers/numbers/real.hpp"

namespace epsilary::bounds {

// n mu^2 of the worst eps0-LDP randomizer and the worst data, and no others are worse (PROOFS.md, limit): ternary
// response, max with binary response where e^{eps0} < 2.
template <solvers::Real R>
R worst_variance(const R& eps0) {
  using namespace solvers;
  const R x = expm1(eps0), e = exp(eps0), ternary = 2 * x * x / (e + 2), binary = x * x / e;
  return max(ternary, binary);
}

}  // namespace epsilary::bounds
