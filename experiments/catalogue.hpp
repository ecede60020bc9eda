// The specs that ship with the program: the papers' figures.
#pragma once

#include <vector>

#include "experiments/spec.hpp"

namespace epsilary::experiments {

const std::vector<Spec>& catalogue();

}  // namespace epsilary::experiments
