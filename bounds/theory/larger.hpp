// The larger of two quantities that are known by brackets.
#pragma once

#include "solvers/losses/request.hpp"
#include "solvers/numbers/ball.hpp"

namespace epsilary::bounds {

// Rough brackets of both mostly prove which it is, and only that one is made narrow.
template <class First, class Second>
solvers::Ball larger(const solvers::Request& request, First first, Second second) {
  constexpr double rough = 5e-3;
  if (request.width < rough) {
    const solvers::Request sketch{10 * request.width, request.work / 8};
    const auto sketched = [&](const auto& which) {
      return solvers::within_work(
          request.work / 4, [&] { return which(sketch); }, solvers::Ball::indeterminate);
    };
    const solvers::Ball a = sketched(first), b = sketched(second);
    if (certainly(b < a)) return first(request);
    if (certainly(a < b)) return second(request);
  }
  const solvers::Request half{request.width, request.work / 2};
  return max(first(half), second(half));
}

}  // namespace epsilary::bounds
