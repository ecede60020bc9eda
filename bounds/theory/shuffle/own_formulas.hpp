// A randomizer that is known, by its probabilities or its name: what it is worth by itself, in a shuffle, in random
// check-ins, and in rounds in which some of the clients report. Epsilon at a delta, or delta at an epsilon.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::own {

Evaluator by_itself();
Evaluator in_shuffle();
Evaluator in_shuffle_below();  // all others hold one record
Evaluator in_shuffle_by_three_numbers();
Evaluator in_fixed_window();
Evaluator in_checkins();  // shuffled check-in
Evaluator in_checkins_below();
Evaluator in_samples();  // per_round of the clients
Evaluator in_samples_below();

// All rows of its matrix are the same.
bool tells_nothing(const Randomizer& randomizer);

}  // namespace epsilary::bounds::own
