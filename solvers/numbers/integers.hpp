// Whole numbers of 64 bits wherever it is built.
#pragma once

#include <cmath>
#include <cstdint>

namespace epsilary::solvers {

// The nearest whole number, for |x| < 2^63.
inline std::int64_t nearest_integer(double x) { return static_cast<std::int64_t>(std::llround(x)); }

}  // namespace epsilary::solvers
