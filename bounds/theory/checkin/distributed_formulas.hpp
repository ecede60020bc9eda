// The rounds of distributed check-in: each client that checks in adds Gaussian noise, and only the sum is seen.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::distributed {

RoundForms over_check_ins();            // the mean of the moments over the number K of check-ins, each at rate K/n
RoundForms over_check_ins_any_order();  // interpolated between integer orders
RoundForms at_rate_gamma();             // at rate gamma whatever K is, and without K = 0
RoundForms split();                     // in closed form: few check-ins, or more than (1 - Delta) n gamma
RoundForms split_at_rate_gamma();       // the same at rate gamma
RoundForms given_quorum();              // given K >= quorum
RoundForms unknown_dropout();           // for every rate from gamma (1 - dropout) to gamma

}  // namespace epsilary::bounds::distributed
