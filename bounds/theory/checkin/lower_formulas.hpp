// What no analysis of shuffled check-in can beat: randomised response on equal data.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::equal_data {

RoundForms second_order_rounds();  // the second-order term of the divergence
RoundForms second_order_split();   // with Chernoff's bound of the check-ins
RoundForms given_sample();         // per_round of n reports, exactly

// The exact divergences of one round, both directions and their moments beside.
Evaluator divergence();
Evaluator divergence_given_sample();

}  // namespace epsilary::bounds::equal_data
