// Every statement, ordered by its id.
#pragma once

#include <string_view>
#include <vector>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

const std::vector<const Bound*>& all();

// A statement may have several forms under one id, told apart by the parameters they need.
std::vector<const Bound*> named(std::string_view id);

// The form whose parameters are all given, the one that uses most of them; none if each lacks some.
const Bound* form_for(const std::vector<const Bound*>& forms, const Point& point);

std::vector<Param> missing(const Bound& bound, const Point& point);

}  // namespace epsilary::bounds
