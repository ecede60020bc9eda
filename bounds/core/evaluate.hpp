// One bound at one point: a number with proven digits, or the reason why there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

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

// The total delta as a ball, where it can be written down; its logarithm always can.
std::optional<Ball> delta_total(const Answer<Ball>& answer);

// The value, or the ceiling where that is lower.
Ball capped(const Answer<Ball>& answer);

// What the answer spends is proved to be within what was asked: the whole delta, or nothing where no delta is given.
bool spends_within(const Answer<Ball>& answer, const Point& point);
bool spends_within(const Answer<double>& answer, const Point& point);

}  // namespace epsilary::bounds
