#include "bounds/core/double_walk.hpp"

#include <algorithm>

#include "bounds/core/judge.hpp"
#include "bounds/core/question.hpp"
#include "bounds/core/units.hpp"
#include "solvers/numbers/work.hpp"

namespace epsilary::bounds {

bool DoubleWalk::is_inside(const Bound& bound, const Point& point) {
  if (point.has(Param::steps)) return broken_domain(bound, point).empty();
  bool all = true;
  for (const auto& [param, value] : point.given()) {
    Point::Shared& known = inside_[static_cast<std::size_t>(param)];
    if (known == value) continue;
    if (info(param).domain.holds(value->exact()))
      known = value;
    else
      all = false;
  }
  return all || broken_domain(bound, point).empty();  // a parameter that this bound does not use may be anything
}

const Point& DoubleWalk::as_read(const Bound& bound, const Point& point) {
  if (bound_ != &bound) {
    bound_ = &bound;
    listed_.reset();
    for (const auto* list : {&bound.needs, &bound.takes})
      for (const Param p : *list) listed_.set(static_cast<std::size_t>(p));
  }
  const auto is_listed = [&](Param p) { return listed_.test(static_cast<std::size_t>(p)); };
  const bool all = std::ranges::all_of(point.given(), [&](const auto& given) { return is_listed(given.param); }) &&
                   (!point.has(Param::steps) || is_listed(Param::steps)) &&
                   (!point.has(Param::randomizer) || is_listed(Param::randomizer));
  return all ? point : read_ = as_read_by(bound, point);
}

DoubleEvaluation DoubleWalk::evaluate(const Bound& bound, const Point& given) {
  if (!is_in_own_units(bound, given)) return evaluate(bound, in_own_units(bound, given));
  const Point& point = given;
  DoubleEvaluation e;
  const bool none = is_zero(point, Param::T) || is_zero(point, Param::gamma) || is_zero(point, Param::eps0);
  e.reason = missing_parameter(bound, point);
  if (e.reason.empty() && (none || !is_inside(bound, point))) e.reason = broken_domain(bound, point);
  if (e.reason.empty()) e.reason = spoiled_hypothesis(bound, point);
  if (none && e.reason.empty() && loses_nothing(bound, point)) {
    e.found = Answer<double>{0};
    return e;
  }
  const Point& read = as_read(bound, point);
  if (e.reason.empty() && !bound.assumes.empty()) e.reason = broken_assumption(bound, read, exact_.at(read));
  if (e.reason.empty() && &read != &point) e.reason = broken_assumption(bound, point, whole_.at(point));
  if (!e.reason.empty()) {
    e.status = Status::outside;
    return e;
  }
  if (bound.evaluate.bracket) {
    refuse_bracket(e, NumberType::in_double);
    return e;
  }
  try {
    const solvers::WorkLimit limit(closed_form_work({}));
    const Values<double>& x = values_.at(read);
    if (leaves_range(bound, read, x)) {
      refuse_range(e);
      return e;
    }
    e.found = bound.evaluate.in_double(x);
  } catch (const solvers::OutOfWork&) {
    out_of_work(e);
    return e;
  }
  if (!is_refused(e, point)) judge_uncertified(e, point);
  return e;
}

}  // namespace epsilary::bounds
