// Which of several bounds says more.
#pragma once

#include <vector>

#include "experiments/rows/row.hpp"

namespace epsilary::experiments {

// Sorts rows of one point: the questions apart, that of most rows first; in each by side, what has a number before what
// has not, guarantees before the rest, the tightest first.
void tightest_first(std::vector<Row>& rows);

// a says more than b about the same question from the same side.
bool is_tighter(const Row& a, const Row& b);

bool has_number(const Row& row);

}  // namespace epsilary::experiments
