// A double as a decimal rounded to one side: what decimal() says of a ball that is this one point, in a tenth of the
// time.
#pragma once

#include <string>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

struct DecimalEnds {
  std::string lower, upper;
};

// Both are "0" for 0 and empty for what is not finite.
DecimalEnds decimal_ends(double x, int digits);
std::string decimal(double x, int digits, Rounding side);

}  // namespace epsilary::solvers
