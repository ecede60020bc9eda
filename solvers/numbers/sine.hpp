// The sine and cosine of an angle.
#pragma once

#include <cmath>
#include <concepts>

#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {

template <Real R>
struct SineCosine {
  R sine, cosine;
};

template <Real R>
SineCosine<R> sine_cosine(const R& angle) {
  if constexpr (std::same_as<R, Ball>) {
    SineCosine<Ball> out;
    arb_sin_cos(out.sine.arb(), out.cosine.arb(), angle.arb(), Ball::precision());
    return out;
  } else {
    return {std::sin(angle), std::cos(angle)};
  }
}

}  // namespace epsilary::solvers
