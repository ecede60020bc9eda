// A point in parameter space: exactly as written (Point), and as numbers a formula reads (Values).
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <vector>

#include "bounds/param.hpp"
#include "solvers/decimal.hpp"
#include "solvers/real.hpp"

namespace bounds {

// The rooms below are spoken of by name in every formula.
using namespace solvers;

class Point {
 public:
  void set(Param p, Decimal x) { at_[index(p)] = std::move(x); }
  void set_steps(std::vector<Decimal> steps) { steps_ = std::move(steps); }

  bool has(Param p) const { return p == Param::steps ? !steps_.empty() : at_[index(p)].has_value(); }
  const Decimal& operator[](Param p) const { return at_[index(p)].value(); }
  const std::vector<Decimal>& steps() const { return steps_; }

  // The value as the user may type it again; a sequence as 0.1+0.2.
  std::string text(Param p) const;

 private:
  static std::size_t index(Param p) { return static_cast<std::size_t>(p); }
  std::array<std::optional<Decimal>, param_count> at_;
  std::vector<Decimal> steps_;
};

// N is a Real, or Rational for conditions that are decided exactly.
template <class N>
class Values {
 public:
  Values() = default;
  explicit Values(const Point& point) {
    for (const ParamInfo& p : params()) {
      if (!point.has(p.param)) continue;
      if (p.param == Param::steps) {
        for (const Decimal& x : point.steps()) steps_.push_back(convert(x.exact()));
      } else {
        set(p.param, convert(point[p.param].exact()));
        exact_[index(p.param)] = point[p.param].exact();
      }
    }
    given_[index(Param::steps)] = !steps_.empty();
  }

  void set(Param p, N x) {
    at_[index(p)] = std::move(x);
    given_[index(p)] = true;
  }
  const N& operator[](Param p) const { return at_[index(p)]; }
  bool has(Param p) const { return given_[index(p)]; }
  const std::vector<N>& steps() const { return steps_; }
  // The number as it was written, for a floor that no rounding may move; only of values read from a Point.
  const Rational& exact(Param p) const { return exact_[index(p)]; }

 private:
  static std::size_t index(Param p) { return static_cast<std::size_t>(p); }
  static N convert(const Rational& x) {
    if constexpr (std::same_as<N, Rational>)
      return x;
    else
      return from_rational<N>(x);
  }
  std::array<N, param_count> at_{};
  std::array<Rational, param_count> exact_{};
  std::vector<N> steps_;
  std::bitset<param_count> given_;
};

}  // namespace bounds
