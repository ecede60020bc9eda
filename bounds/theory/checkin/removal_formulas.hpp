// A noisy sum with and without one client, given the number of the others or mixed over it. The noise has the same
// variance either way, or each client brings its own.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::removal {

RoundForms of_check_ins();
RoundForms of_check_ins_own_noise();
RoundForms given_others();
RoundForms given_others_own_noise();

// The divergence of one round given the others, with its moment; with noise of their own in the direction of removal.
Evaluator divergence_given_others();
Evaluator forward_divergence_given_others_own_noise();

}  // namespace epsilary::bounds::removal
