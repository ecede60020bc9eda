// A fraction as it may be typed.
#pragma once

#include "solvers/numbers/decimal.hpp"

namespace epsilary::solvers {

// The number itself. Throws BadNumber where it is longer than anybody writes.
Decimal exactly(const Rational& x);

}  // namespace epsilary::solvers
