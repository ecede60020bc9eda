// Points at and next to the borders of what parameters may be, for tests that every statement must pass.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <sstream>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/hypotheses.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/core/units.hpp"
#include "experiments/sweep/axis.hpp"
#include "solvers/numbers/work.hpp"

namespace borders {

using namespace epsilary::bounds;

// The example of a parameter: the statement's own, written as --n 100, or that of the vocabulary.
inline std::string example_text(const Bound& b, Param p) {
  std::istringstream words{std::string(b.example)};
  for (std::string flag, value; words >> flag >> value;)
    if (flag == "--" + std::string(key(p))) return value;
  return std::string(info(p).example);
}
inline Decimal example_of(const Bound& b, Param p) { return Decimal(example_text(b, p)); }

// A small run, in which sums and brackets of every form cost little.
inline std::optional<Decimal> small_value(Param p) {
  using enum Param;
  static const std::map<Param, const char*> values{{n, "24"},     {m, "12"},       {T, "3"},         {gamma, "0.3"},
                                                   {lambda, "3"}, {clients, "24"}, {per_round, "6"}, {batch, "6"},
                                                   {quorum, "4"}, {dim, "3"},      {records, "2"},   {q, "0.1"},
                                                   {load, "20"},  {epochs, "2"},   {delta, "0.001"}};
  const auto at = values.find(p);
  return at == values.end() ? std::nullopt : std::optional(Decimal(at->second));
}

inline Point point_by(const Bound& b, const std::function<Decimal(Param)>& value) {
  Point point;
  for (const Param p : b.needs)
    if (p == Param::steps)
      point.set_steps(epsilary::experiments::parse_sequence(info(p).example));
    else if (p == Param::randomizer)
      point.set_randomizer(epsilary::experiments::read_randomizer(example_text(b, p)));
    else
      point.set(p, value(p));
  return point;
}
inline Point example_point(const Bound& b) {
  return point_by(b, [&](Param p) { return example_of(b, p); });
}
// The small run, with one of the parameters it may take where it wants one of them; or the example, where the statement
// does not hold for such a run.
inline Point small_point(const Bound& b) {
  const auto small = [&](Param p) { return small_value(p).value_or(example_of(b, p)); };
  const Point point = point_by(b, small);
  if (broken_hypothesis(b, point).empty()) return point;
  for (const Param p : b.takes) {
    Point more = point;
    if (is_number(p)) more.set(p, small(p));
    if (broken_hypothesis(b, more).empty()) return more;
  }
  return example_point(b);
}

inline std::string text_of(const Bound& b, const Point& point) {
  std::string text(b.id);
  for (const auto& [param, value] : point.given()) {
    const std::string& x = value->text();
    text += " " + std::string(key(param)) + "=" + (x.size() < 130 ? x : x.substr(0, 130) + "...");
  }
  return text;
}

// The work counted so far, about as seconds: the same on every machine, so that every run meets the same points.
inline double seconds_of_work() { return 5e-9 * epsilary::solvers::work::done; }

inline Decimal exactly(const Rational& x) { return Decimal::round(x, 400, Rounding::down); }

// The ends of its domain, and within 1e-20, 1e-40 and 1e-100 of them. Where it has no end: 1e20, 1e40 and 1e100.
inline std::vector<Decimal> border_values(Param p) {
  const Range range = info(p).domain.range();
  std::vector<Rational> values{range.low};
  if (range.high) values.push_back(*range.high);
  if (range.integer) values.push_back(range.low + Rational(1));
  for (const long places : {20L, 40L, 100L}) {
    if (!range.integer) values.push_back(range.low + power_of_ten(-places));
    values.push_back(range.high ? *range.high - power_of_ten(-places) : power_of_ten(places));
  }
  std::vector<Decimal> out;
  for (const Rational& x : values)
    if (info(p).domain.holds(x)) out.push_back(exactly(x));
  return out;
}

// On and on either side of x, where a formula may change.
inline std::vector<Decimal> values_beside(Param p, const Rational& x) {
  std::vector<Decimal> out;
  for (const Rational& off : {Rational(0), power_of_ten(-20), power_of_ten(-40), power_of_ten(-100)})
    for (const Rational& y : {x + off, x - off})
      if (info(p).domain.holds(y) && (out.empty() || !(off == Rational(0)))) out.push_back(exactly(y));
  return out;
}

// A point around the examples: each parameter moved by up to so many powers of ten, whole where it must be.
inline Point random_point(const Bound& b, std::mt19937_64& random, double decades) {
  std::uniform_real_distribution<double> shift(-decades, decades);
  Point point = small_point(b);
  for (const Param p : b.needs) {
    if (!is_number(p)) continue;
    const Range range = info(p).domain.range();
    double x = from_rational<double>(point[p].exact()) * std::pow(10, shift(random));
    if (range.high) x = std::min(x, from_rational<double>(*range.high) * 0.9);
    const Decimal moved = Decimal::nearest(range.integer ? std::max(1.0, std::floor(x)) : x, 12);
    if (info(p).domain.holds(moved.exact())) point.set(p, moved);
  }
  return point;
}

// What is known at a point to so many digits; an answer in balls at so many bits.
inline Evaluation at_digits(const Bound& b, const Point& point, int digits, double patience = 0.03) {
  return evaluate(b, point, {.digits = digits, .most_bits = 1 << 9, .patience = patience});
}
inline Answer<Ball> at_bits(const Bound& b, const Point& point, long bits) {
  const Ball::Precision scope(bits);
  return b.evaluate.in_ball(Values<Ball>(in_own_units(b, point)));
}

// A bracket by a small request: wide, and soon done.
inline Answer<Ball> rough(const Bound& b, const Point& point, double patience = 1) {
  Request request = rough_request(b);
  request.work *= patience;
  return bracket_at(b, in_own_units(b, point), request);
}

}  // namespace borders
