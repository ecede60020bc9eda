// Forms of a composition theorem: T equal mechanisms, pure or approximate, and a sequence.
#pragma once

#include <vector>

#include "bounds/core/bound.hpp"
#include "bounds/theory/composition_formulas.hpp"

namespace epsilary::bounds::composed {

void add_equal(std::vector<Bound>& list, Rule rule, Bound form);
// For equal mechanisms, and for a sequence.
void add_both(std::vector<Bound>& list, Rule rule, Bound form);

}  // namespace epsilary::bounds::composed
