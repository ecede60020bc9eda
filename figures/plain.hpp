// The look of a table that comes from no spec: a line for each bound, against the column that varies most; where a
// second parameter varies, its values have colours and the bounds dashes.
#pragma once

#include <epsilary/epsilary.hpp>

#include "experiments/sweep/spec.hpp"

namespace epsilary::drawing {

// Columns and scales that the drawing leaves out are found in the table. Throws epsilary::Error when nothing in it
// varies, or when a line would join rows that differ in something else.
experiments::Spec plain_spec(const epsilary::Table& table, const epsilary::Drawing& drawing);

}  // namespace epsilary::drawing
