// Rounds of a protocol by the sharpest bound of one round, and what they cost at least.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::supremum {

Evaluator rounds_of_shuffles();
Evaluator rounds_of_shuffles_below();
Evaluator rounds_of_samples();    // per_round of the clients
Evaluator rounds_of_checkins();   // shuffled check-in
Evaluator messages_of_shuffle();  // several of every client, as rounds of a shuffle
// An epoch: n/m repetitions of random check-ins, by the worst case of one, by the blanket, or where all n take part.
Evaluator epoch_worst();
Evaluator epoch_blanket();
Evaluator epoch_of_all();
Evaluator epoch_below();

}  // namespace epsilary::bounds::supremum
