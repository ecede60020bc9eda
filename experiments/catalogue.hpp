// The specs that ship with the program: the papers' figures.
#pragma once

#include <vector>

#include "experiments/spec.hpp"

namespace experiments {

const std::vector<Spec>& catalogue();

}  // namespace experiments
