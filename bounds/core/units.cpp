#include "bounds/core/units.hpp"

#include <algorithm>

#include "solvers/numbers/fraction.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

bool lists(const Bound& b, Param p) { return std::ranges::count(b.needs, p) > 0 || std::ranges::count(b.takes, p) > 0; }

// The same noise in the other unit. Neighbours decide how many clipping norms the largest change has, so there is none
// where the statement does not say what they are.
std::optional<Param> twin(const Bound& b, Param p) {
  if (b.adjacency != Adjacency::replace && b.adjacency != Adjacency::remove) return {};
  if (p == sigma) return multiplier;
  if (p == multiplier) return sigma;
  return {};
}

// multiplier over sigma: the largest change in clipping norms.
Rational change(const Bound& b) { return b.adjacency == Adjacency::replace ? 2 : 1; }

}  // namespace

std::optional<Param> read_as(const Bound& b, Param p) {
  if (lists(b, p)) return p;
  const auto other = twin(b, p);
  return other && lists(b, *other) ? other : std::nullopt;
}

bool is_given(const Bound& b, Param p, const Point& point) {
  const auto other = twin(b, p);
  return point.has(p) || (other && point.has(*other) && !lists(b, *other));
}

bool is_in_own_units(const Bound& b, const Point& point) {
  return std::ranges::none_of(point.given(), [&](const auto& given) {
    if (given.param != sigma && given.param != multiplier) return false;  // sweeps pass here at every point
    const auto own = read_as(b, given.param);
    return own && *own != given.param && !point.has(*own);
  });
}

Point in_own_units(const Bound& b, const Point& point) {
  Point out = point;
  for (const auto& [param, value] : point.given())
    if (const auto own = read_as(b, param); own && *own != param && !point.has(*own)) {
      const Rational x = *own == multiplier ? value->exact() * change(b) : value->exact() / change(b);
      out.set(*own, solvers::exactly(x));
    }
  return out;
}

Point as_read_by(const Bound& b, const Point& point) {
  Point out;
  const Point own = in_own_units(b, point);
  for (const auto& [param, value] : own.given())
    if (lists(b, param)) out.set(param, value);
  if (lists(b, steps) && point.has(steps)) out.set_steps(point.steps());
  if (lists(b, randomizer)) out.set_randomizer(point.randomizer());
  return out;
}

}  // namespace epsilary::bounds
