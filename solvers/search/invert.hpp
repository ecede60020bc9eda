// Inversion of a monotone condition: the best decimal at which it is proved to hold, and the next one,
// at which it is proved to fail.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "solvers/numbers/decimal.hpp"

namespace epsilary::solvers {

// Where an unknown may lie.
struct Range {
  Rational low = 0;
  std::optional<Rational> high = {};  // none: unbounded
  bool low_included = false, high_included = false;
  bool integer = false;
  bool coarse = false;  // whole numbers too are sought among those of so many digits
};

enum class Inverted {
  found,       // value holds, beyond fails, and they are neighbours
  everywhere,  // the condition holds up to the end of the range; value is the last point tried
  nowhere,     // the condition fails up to the end of the range; value is the last point tried
  undecided,   // neither could be proved at `value`
};

std::string_view name(Inverted status);

struct Inversion {
  Inverted status = Inverted::found;
  Decimal value;
  std::optional<Decimal> beyond;
  int evaluations = 0;
};

// Holds, fails, or (empty) could not be decided.
using Condition = std::function<std::optional<bool>(const Decimal&)>;

// `safe` says which way the condition becomes true: up, and the smallest value that satisfies it is
// sought; down, and the largest. Real unknowns are sought among decimals of `digits` significant digits.
// A guess shortens the search and cannot spoil it.
Inversion invert(const Condition& holds, const Range& range, Rounding safe, int digits,
                 std::optional<double> guess = {});

}  // namespace epsilary::solvers
