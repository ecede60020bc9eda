// sigma and multiplier are one noise in two units: over the largest change between neighbours, and over the clipping
// norm. Who gives one of them to a statement in the other gets it converted, exactly.
#pragma once

#include <optional>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

// The parameter that the statement reads when p is given: p itself, or the same quantity in its own unit.
std::optional<Param> read_as(const Bound& bound, Param p);
inline bool uses(const Bound& bound, Param p) { return read_as(bound, p).has_value(); }

// The point gives this parameter of the statement, in whatever unit.
bool is_given(const Bound& bound, Param p, const Point& point);

// The point in the statement's own units.
Point in_own_units(const Bound& bound, const Point& point);
// What the statement's formula sees: the parameters it lists, in its own units, and nothing else that was
// given, so that no formula answers another question than its form.
Point as_read_by(const Bound& bound, const Point& point);
bool is_in_own_units(const Bound& bound, const Point& point);

}  // namespace epsilary::bounds
