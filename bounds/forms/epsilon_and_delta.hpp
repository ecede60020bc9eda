// The two forms of a statement on one profile: epsilon at a delta, and delta at an epsilon.
#pragma once

#include <vector>

#include "bounds/core/bound.hpp"
#include "bounds/theory/epsilon_and_delta.hpp"

namespace epsilary::bounds {

// `needs` and `falls` of the form given are those without either.
void add_epsilon_and_delta(std::vector<Bound>& list, const Bound& form, const EpsilonAndDelta& formulas);

}  // namespace epsilary::bounds
