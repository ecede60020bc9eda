// Amplification by shuffling: hiding among the clones, or under the blanket, of a pure or an approximate randomizer.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/shuffle/hiding.hpp"

namespace epsilary::bounds::clones {

Evaluator shuffle_epsilon(Hiding pair);
Evaluator leaking_shuffle_epsilon(Hiding pair);  // at a whole delta, of a randomizer with delta0
Evaluator shuffle_delta(Hiding pair);            // with delta0 where it is given

// The closed form of the clones, and what its hypothesis leaves.
Evaluator closed_epsilon();
Evaluator leaking_closed_epsilon();
Ball closed_form_margin_at(const Values<Ball>& x);

// Of per_round of n reports: the divergence with its moment, and epsilon after T rounds.
Evaluator sample_divergence(Hiding pair);
Evaluator sample_rounds(Hiding pair);

}  // namespace epsilary::bounds::clones
