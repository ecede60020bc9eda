// One bound at one point: a number with proven digits, or the reason why there is none.
#pragma once

#include <string>

#include "bounds/bound.hpp"

namespace bounds {

enum class Status {
  ok,
  vacuous,     // true and useless: no better than the trivial bound, or delta >= 1
  outside,     // a hypothesis fails; the reason names it
  unresolved,  // the digits could not be proved
};
std::string_view name(Status s);

enum class Number { in_double, in_mp50, in_ball };

struct Accuracy {
  int digits = 6;
  Number number = Number::in_ball;
  long most_bits = 1 << 16;
};

struct Evaluation {
  Status status = Status::ok;
  std::string reason;
  bool certified = false;  // the value encloses the formula and is known to the digits asked
  Answer<Ball> answer;
};

Evaluation evaluate(const Bound& bound, const Point& point, const Accuracy& accuracy = {});

// Evaluates in double at one point after another, with the results of evaluate(): a value that stays from one point to
// the next is read and checked once.
class DoubleWalk {
 public:
  Evaluation evaluate(const Bound& bound, const Point& point);

 private:
  void move_to(const Point& point);

  Point at_;
  Values<double> values_;
  Values<Rational> exact_;
  std::bitset<param_count> outside_;  // the parameters outside their domain
};

// The first parameter given that is outside its domain, in words with the value; empty when all are inside.
std::string broken_domain(const Bound& bound, const Point& point);

// The same, or else the first hypothesis that fails; all parameters must be given.
std::string broken_hypothesis(const Bound& bound, const Point& point);

// The total delta as a ball, where it fits a double; its logarithm always does.
std::optional<Ball> delta_total(const Answer<Ball>& answer);

// The value, or the ceiling where that is lower.
Ball capped(const Answer<Ball>& answer);

}  // namespace bounds
