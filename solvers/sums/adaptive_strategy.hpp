// What some adaptive strategy attains: E(X_1 + ... + X_m)_+ of adaptive_sum.hpp, bounded from below.
#pragma once

#include <cstdint>

#include "solvers/sums/adaptive_sum.hpp"

namespace epsilary::solvers {

// A lower bound of sup E(X_1 + ... + X_m)_+ / m, for few terms: the work grows like m^{3/2}. `likely` and the effort as
// there; there are no blocks.
//
// How. The same recursion, U_s(u) = max_j E U_{s-1}(u + X^j) of terms without their mean, from below: at each point of
// a grid a line is known that nowhere lies above U_s. The lines of the two points around u + x_a, averaged over both
// and over the atoms a of one law, are such a line of U_s at u; of the laws the one with the largest value is taken.
// What is lost is of second order in the width of cells, as by chords. Right of zero it is W = U - u, as there.
double adaptive_sum_attained(const AdaptiveLaws& laws, std::int64_t terms, double likely,
                             const AdaptiveEffort& effort = {});

}  // namespace epsilary::solvers
