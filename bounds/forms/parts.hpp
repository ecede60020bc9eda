// The form of a printed statement whose parts of delta are found, not given.
#pragma once

#include <vector>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

Bound parts_found(Bound printed, std::vector<Param> needs, const Evaluator& evaluator);

}  // namespace epsilary::bounds
