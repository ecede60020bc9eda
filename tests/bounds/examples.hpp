// Points made of the examples that the vocabulary of parameters gives, for tests over every statement.
#pragma once

#include <algorithm>
#include <string>

#include "bounds/core/bound.hpp"
#include "bounds/core/evaluate.hpp"
#include "experiments/sweep/axis.hpp"
#include "experiments/sweep/randomizer_file.hpp"

namespace examples {

using namespace epsilary::bounds;

inline void give(Point& point, Param p) {
  if (p == Param::steps)
    point.set_steps(epsilary::experiments::parse_sequence(info(p).example));
  else if (p == Param::randomizer)
    point.set_randomizer(epsilary::experiments::read_randomizer(info(p).example));
  else
    point.set(p, Decimal(info(p).example));
}

inline Point point_of(const Bound& b) {
  Point point;
  for (const Param p : b.needs) give(point, p);
  return point;
}

inline Point with(Point point, Param p, const char* value) {
  point.set(p, Decimal(value));
  return point;
}

inline bool lists(const Bound& b, Param p) {
  return std::ranges::count(b.needs, p) > 0 || std::ranges::count(b.takes, p) > 0;
}

inline bool has_number(const Evaluation& e) { return has_value(e.status); }

}  // namespace examples
