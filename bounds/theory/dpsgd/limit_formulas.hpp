// DP-SGD by the central limit theorem, and as seen by an adversary who is told the steps that used a record.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::dpsgd {

// mu of the limit and what it would give; no bounds.
struct LimitForms {
  Evaluator mu, epsilon, delta;
};
LimitForms fixed_size_limit();
LimitForms poisson_limit();

// delta of what is told.
Evaluator told_record();
Evaluator told_group();
Evaluator told_two_records();

// The trade-off function of composed DP-SGD at a level alpha, from below, for a group too.
Evaluator tradeoff_below();

// What adds up: mu of unequal Gaussian mechanisms; rho of rounds and groups, and epsilon by it.
Evaluator summed_mu();
Evaluator summed_rho();
Evaluator summed_rho_truncated();  // with the omega that is left
Evaluator epsilon_of_summed_rho();
Evaluator epsilon_of_summed_rho_truncated();

}  // namespace epsilary::bounds::dpsgd
