// Amplification by subsampling.
#pragma once

#include "bounds/core/point.hpp"

namespace epsilary::bounds {

// A mechanism of eps run on a sample of rate q: log(1 + q (e^eps - 1)).
template <Real R>
R subsampled(const R& eps, const R& q) {
  return log1p(q * expm1(eps));
}

}  // namespace epsilary::bounds
