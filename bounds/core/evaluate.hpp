// One bound at one point: a number with proven digits, or the reason why there is none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

enum class Status {
  ok,
  vacuous,     // true and useless: no better than the trivial bound, or delta >= 1
  outside,     // a hypothesis fails; the reason names it
  unresolved,  // the digits could not be proved
  wide,        // proved, in a bracket wider than asked
};
std::string_view name(Status s);
// There is a number, and what it says is true.
inline bool has_value(Status s) { return s == Status::ok || s == Status::vacuous || s == Status::wide; }

enum class NumberType { in_double, in_mp50, in_ball };

struct Accuracy {
  int digits = 6;
  NumberType number = NumberType::in_ball;
  std::int64_t most_bits = 1 << 16;
  double patience = 1;  // how many times the usual work an evaluation may cost
};

// What a formula gave, or nothing: where there is no number none can be read.
template <Real R>
struct Found {
  Status status = Status::ok;
  std::string reason;
  std::optional<Answer<R>> found = {};

  bool has_number() const { return found.has_value(); }
  const Answer<R>& answer() const {
    if (!found) throw std::logic_error("there is no number: " + reason);
    return *found;
  }
};

struct Evaluation : Found<Ball> {
  bool certified = false;  // the value encloses the formula, and is known to the digits asked unless it is wide
  bool within = true;  // what it spends is proved to be at most the delta asked; nothing may be, where none is asked
};

Evaluation evaluate(const Bound& bound, const Point& point, const Accuracy& accuracy = {});

// What is asked of a statement that is a bracket: by the default digits the width that its brackets are given to,
// by N > 6 a relative width of 10^(1-N), for more work. And what a search asks of it.
Request request_for(const Bound& bound, const Accuracy& accuracy);
Request rough_request(const Bound& bound);
// What a closed form may cost, at all precisions together.
double closed_form_work(const Accuracy& accuracy);
// That bracket, at a point in the units of the statement and no higher than its ceiling; unknown where the work does
// not do.
Answer<Ball> bracket_at(const Bound& bound, const Point& point, const Request& request);

// The same in double, for sweeps; never certified.
struct DoubleEvaluation : Found<double> {
  bool within = true;
};

// The values of one point after another; what stays from one to the next is read once.
template <class N>
class Following {
 public:
  const Values<N>& at(const Point& point) {
    const auto& now = point.given();
    const auto& before = at_.given();
    bool same = now.size() == before.size() && &point.steps() == &at_.steps() && point.randomizer() == at_.randomizer();
    for (std::size_t i = 0; same && i < now.size(); ++i) same = now[i].param == before[i].param;
    if (!same) {
      values_ = Values<N>(point);
    } else {
      for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i].value != before[i].value) values_.read(now[i].param, *now[i].value);
    }
    at_ = point;
    return values_;
  }

 private:
  Point at_;
  Values<N> values_;
};

// Evaluates in double at one point after another, with the results of evaluate().
class DoubleWalk {
 public:
  DoubleEvaluation evaluate(const Bound& bound, const Point& point);

 private:
  bool is_inside(const Bound& bound, const Point& point);
  // As as_read_by(); the point itself where nothing else is given.
  const Point& as_read(const Bound& bound, const Point& point);

  const Bound* bound_ = nullptr;  // the last one, and the parameters it lists
  std::bitset<param_count> listed_;
  Point read_;
  Following<double> values_;
  Following<Rational> exact_, whole_;
  std::array<Point::Shared, param_count> inside_;  // the last value of each parameter seen inside its domain
};

// The first parameter given that is outside its domain, in words with the value; empty when all are inside.
std::string broken_domain(const Bound& bound, const Point& point);

// A parameter that it needs and was not given; or the same; or else the first hypothesis that fails, also by a
// parameter that the statement does not take (see question.hpp).
std::string broken_hypothesis(const Bound& bound, const Point& point);

// The total delta as a ball, where it can be written down; its logarithm always can.
std::optional<Ball> delta_total(const Answer<Ball>& answer);

// The value, or the ceiling where that is lower.
Ball capped(const Answer<Ball>& answer);

// What the answer spends is proved to be within what was asked: the whole delta, or nothing where no delta is given.
bool spends_within(const Answer<Ball>& answer, const Point& point);
bool spends_within(const Answer<double>& answer, const Point& point);

}  // namespace epsilary::bounds
