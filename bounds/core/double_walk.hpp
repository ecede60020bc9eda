// The same evaluation in double at one point after another, for sweeps and searches.
#pragma once

#include <array>
#include <bitset>

#include "bounds/core/evaluate.hpp"

namespace epsilary::bounds {

// Never certified.
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

}  // namespace epsilary::bounds
