// A shuffle known by its epsilon for each number of check-ins, subsampled and mixed over that number.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::generic {

RoundForms least_divergence();  // of an (eps, delta)-DP pair, where the largest is needed: no bound

struct Valid {
  RoundForms rounds;
  Evaluator best_beta;  // after T rounds at a whole delta, beta found too
};
Valid by_response();     // randomised response for each number of check-ins
Valid by_tradeoff();     // the subsampled trade-off function
Valid by_ternary_sum();  // the sum of Wang et al. 2019 on randomised response

}  // namespace epsilary::bounds::generic
