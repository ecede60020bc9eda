#include "bounds/core/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bounds/core/judge.hpp"
#include "bounds/core/protocols.hpp"
#include "bounds/core/question.hpp"
#include "bounds/core/units.hpp"
#include "solvers/search/bracket.hpp"

namespace epsilary::bounds {
namespace {

// What an evaluation is planned to cost, about a second. The tools of a bracket share it by their own plans, some of
// which are far off: this much of it at most.
constexpr double usual_work = 1.7e8, most_of_plan = 8;

bool known(const Ball& x, int digits) { return x.is_zero() || (x.finite() && x.accurate_bits() >= bits_for(digits)); }

// Every number that will be printed is known to the digits asked.
bool resolved(const Answer<Ball>& a, int digits) {
  if (!known(a.value, digits) || (a.cap && !known(*a.cap, digits))) return false;
  if (a.log_delta_total) {
    const std::optional<Ball> delta = delta_total(a);
    if (!known(delta ? *delta : *a.log_delta_total, digits)) return false;
  }
  for (const auto& b : a.beside)
    if (!known(b.value, digits)) return false;
  return true;
}

// A number of another kind carried in a ball of radius zero, so that every answer has one shape.
template <Real R>
Answer<Ball> uncertified(const Answer<R>& a) {
  Answer<Ball> out{number_as<Ball>(a.value)};
  if (a.cap) out.cap = number_as<Ball>(*a.cap);
  if (a.log_delta_total) out.log_delta_total = number_as<Ball>(*a.log_delta_total);
  out.within = a.within;
  out.refused = a.refused;
  for (const auto& b : a.beside) out.beside.push_back({b.name, number_as<Ball>(b.value)});
  for (const auto& c : a.at) out.at.push_back({c.param, number_as<Ball>(c.value)});
  return out;
}

// Of a bracket that reaches beyond its ceiling the part above says nothing, and no bracket says as little as the
// ceiling.
void keep_below_cap(Answer<Ball>& a) {
  if (!a.cap || !a.cap->finite() || certainly(a.value < *a.cap) || certainly(a.value >= *a.cap)) return;
  const Ball least = a.value.finite() ? a.value.lower_end() : Ball(0);
  const Ball most = a.value.finite() ? min(a.value.upper_end(), a.cap->upper_end()) : a.cap->upper_end();
  a.value = Ball::hull(min(least, a.cap->lower_end()), most);
}

// A true probability ends at 1, whatever the radius of its ball says. (An upper bound may promise less than nothing.)
void keep_below_one(Answer<Ball>& a, const Bound& bound) {
  const bool is_true = bound.side == Side::exact || bound.side == Side::lower;
  if (bound.quantity != Quantity::delta || !is_true || !a.value.finite()) return;
  if (certainly(a.value.lower_end() <= 1) && !certainly(a.value <= 1))
    a.value = Ball::hull(a.value.lower_end(), Ball(1));
}

}  // namespace

std::string_view name(Status s) {
  switch (s) {
    case Status::ok: return "ok";
    case Status::vacuous: return "vacuous";
    case Status::outside: return "outside";
    case Status::unresolved: return "unresolved";
    case Status::wide: break;
  }
  return "wide";
}

std::optional<Ball> delta_total(const Answer<Ball>& a) {
  if (!a.log_delta_total || !certainly(abs(*a.log_delta_total) < 200000)) return {};
  return exp(*a.log_delta_total);
}

namespace {

template <Real R>
bool is_within(const Answer<R>& a, const Point& point) {
  if (a.within || !a.log_delta_total) return true;
  return point.has(Param::delta) && certainly(*a.log_delta_total <= log(from_rational<R>(point[Param::delta].exact())));
}

}  // namespace

bool spends_within(const Answer<Ball>& a, const Point& point) { return is_within(a, point); }
bool spends_within(const Answer<double>& a, const Point& point) { return is_within(uncertified(a), point); }

Ball capped(const Answer<Ball>& a) { return a.cap ? min(a.value, *a.cap) : a.value; }

Request request_for(const Bound& bound, const Accuracy& accuracy) {
  if (accuracy.digits <= Accuracy{}.digits) return {.width = bound.width, .work = usual_work * accuracy.patience};
  return {.width = std::pow(10.0, 1 - accuracy.digits), .work = 1e9 * accuracy.patience};
}
// Sums over 10^12 clients take most of it. A number of many digits is long.
double closed_form_work(const Accuracy& a) {
  return 10 * usual_work * a.patience * std::pow(std::max(1.0, a.digits / 10.0), 1.5);
}
Request rough_request(const Bound& bound) { return {.width = 10 * bound.width, .work = 2e7}; }

Answer<Ball> bracket_at(const Bound& bound, const Point& point, const Request& request) {
  const Ball::Precision scope(std::max(std::int64_t{128}, 64 + nearest_integer(-std::log2(request.width))));
  Answer<Ball> answer = solvers::within_work(
      most_of_plan * request.work,
      [&] { return bound.evaluate.bracket(Values<Ball>(as_read_by(bound, point)), request); },
      [] { return Answer<Ball>{unknown<Ball>()}; });
  keep_below_cap(answer);
  return answer;
}

namespace {

void mark_wide(Evaluation& e) {
  e.status = Status::wide;
  e.reason = e.reason.empty() ? "proved, wider than asked" : "proved, wider than asked; " + e.reason;
}

// A proved bracket is an answer, however wide.
void judge_bracket(Evaluation& e, const Bound& bound, const Point& point, const Accuracy& accuracy) {
  const Request request = request_for(bound, accuracy);
  const auto nothing = [&] {
    e.found.reset();
    e.status = Status::unresolved;
    e.reason.append("no bracket was found with the work allowed").append(more_work);
  };
  e.found = bracket_at(bound, point, request);
  if (is_refused(e, point)) return;
  const Ball& x = e.answer().value;
  const bool says_nothing = !x.finite() || (bound.quantity == Quantity::delta && certainly(x.upper_end() >= 1) &&
                                            certainly(x.lower_end() <= 0));
  if (says_nothing) return nothing();
  e.certified = true;
  judge(e, point);
  if (e.status != Status::ok || is_narrow(x, request.width)) return;
  if (e.answer().cap && certainly(x.upper_end() >= e.answer().cap->upper_end())) {
    e.status = Status::vacuous;
    e.reason.append(e.reason.empty() ? "" : "; ").append("nothing better than the trivial bound is proved");
    return;
  }
  mark_wide(e);
}

// A proved value is an answer, also with fewer digits than asked.
void judge_coarse(Evaluation& e, Answer<Ball> answer, const Point& point) {
  e.found = std::move(answer);
  e.certified = true;
  judge(e, point);
  if (e.status != Status::ok) return;
  mark_wide(e);
}

// What an eps0-LDP randomizer promises by itself: nobody learns more of a report than eps0 in each use of it.
std::optional<Ball> ceiling_of_randomizers(const Bound& bound, const Point& point) {
  using enum Param;
  const auto facts = facts_of(bound.protocol);
  const bool is_epsilon = bound.quantity == Quantity::epsilon && bound.side == Side::upper && is_guarantee(bound);
  if (!is_epsilon || !facts || facts->slot_is_T || facts->is_epoch || bound.adjacency == Adjacency::remove) return {};
  if (facts->hiding == Hiding::nobody && !facts->repeats_randomizer) return {};
  if (std::ranges::find(bound.needs, eps0) == bound.needs.end() || uses(bound, group) || uses(bound, steps)) return {};
  if (point.has(delta0) && !is_zero(point, delta0)) return {};
  Rational most = point[eps0].exact();
  for (const Param times : {T, samples})
    if (uses(bound, times) && point.has(times)) most = most * point[times].exact();
  return Ball(most);
}

// By more and more bits, until the digits are proved. What is proved to be no better than its ceiling needs no more.
void evaluate_closed(Evaluation& e, const Bound& bound, const Point& point, const Accuracy& accuracy) {
  std::optional<Answer<Ball>> coarse;
  std::string reason = "could not prove " + std::to_string(accuracy.digits) + " digits with " +
                       std::to_string(accuracy.most_bits) + " bits";
  const Point read = as_read_by(bound, point);
  try {
    const solvers::WorkLimit limit(closed_form_work(accuracy));
    for (std::int64_t bits = std::max(std::int64_t{64}, bits_for(accuracy.digits) + 24); bits <= accuracy.most_bits;
         bits *= 2) {
      const Ball::Precision scope(bits);
      Answer<Ball> answer = bound.evaluate.in_ball(Values<Ball>(read));
      if (!answer.refused.empty()) {
        e.found = std::move(answer);
        is_refused(e, point);
        return;
      }
      keep_below_one(answer, bound);
      if (resolved(answer, accuracy.digits)) {
        e.found = std::move(answer);
        e.certified = true;
        judge(e, point);
        return;
      }
      if (!resolved(answer, 1) || !answer.at.empty()) continue;  // what a search chose would be no better known
      const bool vacuous = answer.cap && certainly(answer.value >= *answer.cap);
      coarse = std::move(answer);
      if (vacuous) break;
    }
  } catch (const solvers::OutOfWork&) {
    reason = "could not prove " + std::to_string(accuracy.digits) + " digits with the work allowed";
    reason.append(more_work);
  }
  if (coarse) return judge_coarse(e, std::move(*coarse), point);
  const Ball::Precision scope(128);
  if (const std::optional<Ball> ceiling = ceiling_of_randomizers(bound, point)) {
    e.found = with_cap(*ceiling, *ceiling);
    e.certified = true;
    e.status = Status::vacuous;
    e.reason = "nothing better than the trivial bound is proved; " + reason;
    return;
  }
  e.status = Status::unresolved;
  e.reason = std::move(reason);
}

// In another kind of number, whose value is not proved.
template <Real R, class F>
void evaluate_uncertified(Evaluation& e, const Bound& bound, const Point& point, const Accuracy& accuracy, F formula) {
  const Point read = as_read_by(bound, point);
  const Values<R> x(read);
  if (leaves_range(bound, read, x)) return refuse_range(e);
  try {
    const solvers::WorkLimit limit(closed_form_work(accuracy));
    e.found = uncertified(formula(x));
  } catch (const solvers::OutOfWork&) {
    return out_of_work(e);
  }
  if (!is_refused(e, point)) judge_uncertified(e, point);
}

}  // namespace

Evaluation evaluate(const Bound& bound, const Point& given, const Accuracy& accuracy) {
  Evaluation e;
  if (e.reason = broken_hypothesis(bound, given); !e.reason.empty()) {
    e.status = Status::outside;
    return e;
  }
  const Point point = in_own_units(bound, given);
  if (loses_nothing(bound, point)) {
    e.found = Answer<Ball>{Ball(0)};
    e.certified = accuracy.number == NumberType::in_ball;
    return e;
  }
  if (bound.evaluate.bracket) {
    if (accuracy.number == NumberType::in_ball)
      judge_bracket(e, bound, point, accuracy);
    else
      refuse_bracket(e, accuracy.number);
    return e;
  }
  if (accuracy.number == NumberType::in_double) {
    evaluate_uncertified<double>(e, bound, point, accuracy, bound.evaluate.in_double);
    return e;
  }
  if (accuracy.number == NumberType::in_mp50) {
    evaluate_uncertified<mp50>(e, bound, point, accuracy, bound.evaluate.in_mp50);
    return e;
  }
  evaluate_closed(e, bound, point, accuracy);
  return e;
}

}  // namespace epsilary::bounds
