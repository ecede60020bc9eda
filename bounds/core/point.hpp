// A point in parameter space: exactly as written (Point), and as numbers a formula reads (Values).
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bounds/core/param.hpp"
#include "bounds/core/randomizer.hpp"
#include "solvers/numbers/chance.hpp"
#include "solvers/numbers/decimal.hpp"

namespace epsilary::bounds {

// The rooms below are spoken of by name in every formula.
using namespace solvers;

// Copies share their values, so that a large grid is as small as its axes.
class Point {
 public:
  using Shared = std::shared_ptr<const Decimal>;
  struct Given {
    Param param;
    Shared value;
  };

  void set(Param p, Decimal x) { set(p, std::make_shared<const Decimal>(std::move(x))); }
  void set(Param p, Shared x) {
    const auto at = std::find_if(given_.begin(), given_.end(), [p](const Given& g) { return g.param >= p; });
    if (at != given_.end() && at->param == p)
      at->value = std::move(x);
    else
      given_.insert(at, {p, std::move(x)});
  }
  void set_steps(std::vector<Decimal> steps) {
    steps_ = std::make_shared<const std::vector<Decimal>>(std::move(steps));
  }

  void set_randomizer(std::shared_ptr<const Randomizer> randomizer) { randomizer_ = std::move(randomizer); }

  bool has(Param p) const {
    if (p == Param::randomizer) return randomizer_ != nullptr;
    return p == Param::steps ? steps_ && !steps_->empty() : find(p) != nullptr;
  }
  const Decimal& operator[](Param p) const {
    if (const Given* g = find(p)) return *g->value;
    throw std::out_of_range(std::string(key(p)) + " is not given");
  }
  const std::vector<Given>& given() const { return given_; }  // the numbers, in the order of the vocabulary
  const std::vector<Decimal>& steps() const {
    static const std::vector<Decimal> none;
    return steps_ ? *steps_ : none;
  }

  const std::shared_ptr<const Randomizer>& randomizer() const { return randomizer_; }

  // The value as the user may type it again; a sequence as 0.1+0.2.
  std::string text(Param p) const;

 private:
  const Given* find(Param p) const {
    for (const Given& g : given_)
      if (g.param == p) return &g;
    return nullptr;
  }
  std::vector<Given> given_;
  std::shared_ptr<const std::vector<Decimal>> steps_;
  std::shared_ptr<const Randomizer> randomizer_;
};

// N is a Real, or Rational for conditions that are decided exactly. Reading what was not given is a fault of the
// program and throws std::logic_error: no number stands for its absence.
template <class N>
class Values {
 public:
  Values() = default;
  explicit Values(const Point& point) {
    for (const auto& [param, value] : point.given()) read(param, *value);
    for (const Decimal& x : point.steps()) steps_.push_back(convert(x.exact()));
    given_[index(Param::steps)] = !steps_.empty();
    set_randomizer(point.randomizer());
  }

  void read(Param p, const Decimal& x) { read(p, x.exact()); }
  // A number that a formula chose; it is what it is, and nobody wrote it.
  void set(Param p, N x) {
    at_[index(p)] = std::move(x);
    given_[index(p)] = true;
    read_[index(p)] = false;
  }
  const N& operator[](Param p) const {
    if (!given_[index(p)]) throw std::logic_error(std::string(key(p)) + " is read and was not given");
    return at_[index(p)];
  }
  bool has(Param p) const { return given_[index(p)]; }
  const std::vector<N>& steps() const { return steps_; }
  const Randomizer& randomizer() const {
    if (!randomizer_) throw std::logic_error("a randomizer is read and was not given");
    return *randomizer_;
  }
  // The number as it was written, for decisions and floors that no rounding may move; only of values read from a Point.
  const Rational& exact(Param p) const {
    if (!read_[index(p)]) throw std::logic_error(std::string(key(p)) + " was not written by anyone");
    return exact_[index(p)];
  }
  bool is_exact(Param p) const { return read_[index(p)]; }
  // 1 - p, from the number as it was written.
  N complement(Param p) const {
    return read_[index(p)] ? convert(Rational(1) - exact_[index(p)]) : N(N(1) - (*this)[p]);
  }
  // Decided on what was written; a number that a formula chose stands for itself.
  bool at_most(Param p, const Rational& limit) const {
    return read_[index(p)] ? exact_[index(p)] <= limit : certainly((*this)[p] <= convert(limit));
  }
  bool at_least(Param p, const Rational& limit) const {
    return read_[index(p)] ? exact_[index(p)] >= limit : certainly((*this)[p] >= convert(limit));
  }
  bool at_least(Param p, Param other) const {
    return read_[index(p)] && read_[index(other)] ? exact_[index(p)] >= exact_[index(other)]
                                                  : certainly((*this)[p] >= (*this)[other]);
  }

  // The same point in numbers of another kind.
  template <class M>
  Values<M> as() const {
    Values<M> out;
    for (const ParamInfo& i : params()) {
      const std::size_t at = index(i.param);
      if (!is_number(i.param) || !given_[at]) continue;
      if (read_[at])
        out.read(i.param, exact_[at]);
      else
        out.set(i.param, number_as<M>(at_[at]));
    }
    out.set_randomizer(randomizer_);
    return out;
  }

 private:
  template <class>
  friend class Values;
  void read(Param p, const Rational& x) {
    set(p, convert(x));
    exact_[index(p)] = x;
    read_[index(p)] = true;
  }
  void set_randomizer(std::shared_ptr<const Randomizer> r) {
    randomizer_ = std::move(r);
    given_[index(Param::randomizer)] = randomizer_ != nullptr;
  }
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
  std::shared_ptr<const Randomizer> randomizer_;
  std::bitset<param_count> given_, read_;  // all that may be read, and those of them that someone wrote
};

template <class M, class N>
Chance<M> chance_of(const Values<N>& x, Param p) {
  return {M(x[p]), M(x.complement(p))};
}

}  // namespace epsilary::bounds
