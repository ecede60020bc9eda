// The two forms of a statement on one round: its divergence at an order, and epsilon after T rounds.
#pragma once

#include <vector>

#include "bounds/core/bound.hpp"
#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds {

// `needs`, `takes`, `rises` and `falls` of the form given are those of the round.
void add_forms(std::vector<Bound>& list, Bound form, const RoundForms& rounds);

// The form over T rounds alone, of a statement whose form for one order, which has more to tell, is already there.
void add_rounds(std::vector<Bound>& list, Bound form, const RoundForms& rounds);

// Epsilon over T rounds at a delta, of a statement on one.
Bound over_rounds(Bound form);

}  // namespace epsilary::bounds
