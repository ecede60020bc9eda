// DP-SGD by Renyi divergences of one step, and by advanced composition.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::dpsgd {

struct RenyiForms {
  Evaluator one_step, accounted;  // the divergence at an order, and epsilon after all steps
};
RenyiForms renyi_of_fixed_size();
RenyiForms renyi_of_poisson();
Evaluator advanced_composition();

}  // namespace epsilary::bounds::dpsgd
