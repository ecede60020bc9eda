// A few rounds of a law whose losses span many orders of magnitude: too many for a lattice of equal steps, and too few
// rounds for the contour integral. Losses are gathered in cells that grow with them, and every loss is added to every
// other one.
#pragma once

#include "solvers/losses/pair.hpp"

namespace epsilary::solvers {

struct FewRoundsEffort {
  double width = 1e-6;         // relative width wanted
  double most_pairs = 1.4e10;  // of losses, added up; a thousand million take a second
};

// As composed_delta and composed_epsilon of `times` >= 1 rounds. Where the losses are too large, or the work, the
// bracket is wide.
Bracket few_rounds_delta(const LossLaw& law, double times, const Ball& eps, const FewRoundsEffort& effort = {});
Bracket few_rounds_epsilon(const LossLaw& law, double times, const Ball& delta, const FewRoundsEffort& effort = {});

}  // namespace epsilary::solvers
