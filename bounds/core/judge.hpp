// What becomes of an answer, in balls or in double: its status and the words for it.
#pragma once

#include <string>
#include <string_view>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/hypotheses.hpp"

namespace epsilary::bounds {

inline constexpr std::string_view more_work = "; a patience of 10 allows ten times the work";

// The formula found out what it lacks.
template <class E>
bool is_refused(E& e, const Point& point) {
  const std::string_view refused = e.answer().refused;
  if (refused.empty()) return false;
  e.status = Status::outside;
  const std::string given = named_in(refused, point);
  e.reason = "it needs " + std::string(refused) + (given.empty() ? "" : " (" + given + ")");
  e.found.reset();
  return true;
}

template <class E>
void judge(E& e, const Point& point) {
  const auto& a = e.answer();
  e.within = spends_within(a, point);
  if (a.log_delta_total && certainly(*a.log_delta_total >= 0)) {
    e.status = Status::vacuous;
    e.reason = "the total delta is 1 or more";
  } else if (a.cap && certainly(a.value >= *a.cap)) {
    e.status = Status::vacuous;
    e.reason = "no better than the trivial bound";
  }
  if (e.within) return;
  const std::string_view other = point.has(Param::delta) ? "it holds at its delta_total, not at the delta asked"
                                                         : "it holds at its delta_total, and no delta is asked";
  e.reason.append(e.reason.empty() ? "" : "; ").append(other);
}

template <class E>
void refuse_range(E& e) {
  e.found.reset();
  e.status = Status::unresolved;
  e.reason = "the value leaves the range of this number type; take balls";
}
template <class E>
void judge_uncertified(E& e, const Point& point) {
  is_finite(e.answer().value) ? judge(e, point) : refuse_range(e);
}

// A parameter is too small or too large for this kind of number, which reads it as zero or as no number.
template <Real R>
bool leaves_range(const Bound& bound, const Point& point, const Values<R>& x) {
  for (const auto* list : {&bound.needs, &bound.takes})
    for (const Param p : *list)
      if (is_number(p) && x.has(p) && (!is_finite(x[p]) || (!(x[p] < 0 || x[p] > 0) && !is_zero(point, p))))
        return true;
  return false;
}

template <class E>
void out_of_work(E& e) {
  e.found.reset();
  e.status = Status::unresolved;
  e.reason.append("no value was found with the work allowed").append(more_work);
}

template <class E>
void refuse_bracket(E& e, NumberType number) {
  e.status = Status::unresolved;
  e.reason.append("a bracket is proved in balls; it has no value in ")
      .append(number == NumberType::in_double ? "double" : "mp50")
      .append(" (leave the precision out)");
}

}  // namespace epsilary::bounds
