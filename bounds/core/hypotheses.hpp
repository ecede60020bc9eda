// Whether a statement speaks of a point: its domains, its hypotheses, and where it says nothing because nothing is
// told.
#pragma once

#include <string>
#include <string_view>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

// Each is empty when nothing is wrong, or says what is, with the value.

std::string missing_parameter(const Bound& bound, const Point& point);
// The first parameter given that is outside its domain.
std::string broken_domain(const Bound& bound, const Point& point);
// The first hypothesis that fails at the point, as the formula reads it.
std::string broken_assumption(const Bound& bound, const Point& read, const Values<Rational>& exact);
// A parameter that it needs and was not given; or one outside its domain; or else the first hypothesis that fails, also
// by a parameter that the statement does not take (see question.hpp).
std::string broken_hypothesis(const Bound& bound, const Point& point);

// No round, nobody who checks in, or nothing told: no loss, whatever the statement needs otherwise.
bool loses_nothing(const Bound& bound, const Point& point);

bool is_zero(const Point& point, Param p);
// "got n = 60000, batch = 70000": the parameters that the words name, as they were given.
std::string named_in(std::string_view words, const Point& point);

}  // namespace epsilary::bounds
