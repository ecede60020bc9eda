// The rounds of shuffled check-in by the moments of Girgis et al. 2021: n clients check in with probability gamma, and
// the reports are shuffled.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::shuffled {

RoundForms over_check_ins();            // the mean of the moments over the number K of check-ins, each at rate K/n
RoundForms over_check_ins_any_order();  // interpolated between integer orders
RoundForms at_rate_gamma();             // at rate gamma whatever K is
RoundForms split();                     // in closed form: few check-ins, or more than (1 - Delta) n gamma
RoundForms split_any_order();
RoundForms split_at_rate_gamma();  // the same at rate gamma
RoundForms of_sample();            // per_round of n reports

Evaluator share_moment();  // E[(K/n)^lambda]

}  // namespace epsilary::bounds::shuffled
