// A number known between two ends that were proved.
#pragma once

#include <cmath>
#include <stdexcept>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

struct Bracket {
  double lower = 0, upper = 1;
};

inline Ball as_ball(const Bracket& b) {
  return std::isfinite(b.upper) ? Ball::hull(Ball(b.lower), Ball(b.upper)) : Ball::indeterminate();
}

// No wider than this, relative to its upper end. In balls: delta may be too small for a double.
inline bool is_narrow(const Ball& x, double width) {
  return x.finite() && certainly(x.upper_end() - x.lower_end() <= Ball(width) * abs(x).upper_end());
}

// What two brackets of one number say together; a ball that is not finite says nothing.
inline Ball intersection(const Ball& a, const Ball& b) {
  if (!a.finite() || !b.finite()) return a.finite() ? a : b;
  if (!a.overlaps(b)) throw std::logic_error("two proved brackets of one number do not meet");
  return Ball::hull(max(a.lower_end(), b.lower_end()), min(a.upper_end(), b.upper_end()));
}

}  // namespace epsilary::solvers
