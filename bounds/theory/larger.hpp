// The larger of two quantities that are known by brackets.
#pragma once

#include <utility>

#include "solvers/numbers/ball.hpp"

namespace epsilary::bounds {

// Rough brackets of both mostly prove which it is, and only that one is made narrow.
template <class First, class Second>
solvers::Ball larger(First first, Second second) {
  using solvers::Ball;
  if (Ball::precision() >= 50) {
    const auto [a, b] = [&] {
      const Ball::Precision rough(40);
      return std::pair{first(), second()};
    }();
    if (certainly(b < a)) return first();
    if (certainly(a < b)) return second();
  }
  return max(first(), second());
}

}  // namespace epsilary::bounds
