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

}  // namespace epsilary::bounds::dpsgd
