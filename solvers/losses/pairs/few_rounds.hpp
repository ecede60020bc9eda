// A few rounds of a law whose losses span many orders of magnitude: too many for a lattice of equal steps, and too few
// rounds for the contour integral. Losses are gathered in cells that grow with them, and every loss is added to every
// other one.
#pragma once

#include "solvers/losses/pair.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::solvers {

// As composed_delta and composed_epsilon of `times` >= 1 rounds. Where the losses are too large, or the work, the
// bracket is wide.
Bracket few_rounds_delta(const LossLaw& law, double times, const Ball& eps, const Request& request = {1e-6, 2.8e9});
Bracket few_rounds_epsilon(const LossLaw& law, double times, const Ball& delta, const Request& request = {1e-6, 2.8e9});

}  // namespace epsilary::solvers
