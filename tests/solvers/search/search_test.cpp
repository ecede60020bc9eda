// Roots, minima and inversions say what they found and in which bracket.
#include <doctest/doctest.h>

#include "solvers/search/invert.hpp"
#include "solvers/search/minimise.hpp"
#include "solvers/search/root.hpp"

using namespace epsilary::solvers;

TEST_CASE("a root comes with a bracket that encloses it") {
  const auto r = find_root<double>([](double x) { return x * x - 2; }, 0.0, 2.0);
  CHECK(r.status == Solved::converged);
  CHECK(r.lower <= std::sqrt(2.0));
  CHECK(r.upper >= std::sqrt(2.0));
  CHECK(r.value == doctest::Approx(std::sqrt(2.0)).epsilon(1e-15));
  CHECK(r.evaluations < 30);
  const auto m = find_root<mp50>([](const mp50& x) { return mp50(exp(x) - 2); }, mp50(0), mp50(1));
  CHECK(abs(m.value - log(mp50(2))) < mp50("1e-48"));
}

TEST_CASE("ends of the same sign are no bracket, and that is said") {
  const auto r = find_root<double>([](double x) { return x * x + 1; }, 0.0, 2.0);
  CHECK(r.status == Solved::no_bracket);
  CHECK(name(r.status) == "no bracket");
}

TEST_CASE("a minimum is found to the digits its number type allows") {
  const auto r = minimise<double>([](double x) { return (x - 3) * (x - 3) + 1; }, 0.0, 10.0);
  CHECK(r.at.value == doctest::Approx(3).epsilon(1e-7));
  CHECK(r.value == doctest::Approx(1).epsilon(1e-15));
  const auto m = minimise<mp50>([](const mp50& x) { return mp50(x - log(x)); }, mp50(0.1), mp50(10));
  CHECK(abs(m.at.value - 1) < mp50("1e-20"));
}

namespace {

// x^2 <= target, decided exactly.
Condition square_at_most(const Rational& target) {
  return [=](const Decimal& x) -> std::optional<bool> { return x.exact() * x.exact() <= target; };
}

}  // namespace

TEST_CASE("the largest decimal with x^2 <= 2 and its neighbour") {
  const Inversion r = invert(square_at_most(2), {}, Rounding::down, 20);
  CHECK(r.status == Inverted::found);
  CHECK(r.value.text() == "1.4142135623730950488");
  CHECK(r.beyond->text() == "1.4142135623730950489");
}

TEST_CASE("a guess, good or bad, does not change the answer") {
  for (const double guess : {1.41421356237, 1.0, 1e-9, 1e9, -1.0, 0.0})
    CHECK(invert(square_at_most(2), {}, Rounding::down, 20, guess).value.text() == "1.4142135623730950488");
  CHECK(invert(square_at_most(2), {}, Rounding::down, 20, 1.4142135623730951).evaluations <
        invert(square_at_most(2), {}, Rounding::down, 20).evaluations);
}

TEST_CASE("whole numbers are found exactly, however large") {
  const Rational target = Decimal("1e60").exact();
  const Condition large = [&](const Decimal& x) -> std::optional<bool> { return x.exact() * x.exact() > target; };
  const Range counting{.low = 1, .low_included = true, .integer = true};
  const Inversion r = invert(large, counting, Rounding::up, 6);
  CHECK(r.value.exact() == Decimal("1000000000000000000000000000001").exact());
  CHECK(r.beyond->exact() == Decimal("1e30").exact());
  const Condition three = [](const Decimal& x) -> std::optional<bool> { return x.exact() >= 3; };
  CHECK(invert(three, counting, Rounding::up, 6).value.text() == "3");
}

TEST_CASE("conditions that hold everywhere or nowhere say so") {
  const Condition always = [](const Decimal&) -> std::optional<bool> { return true; };
  const Condition never = [](const Decimal&) -> std::optional<bool> { return false; };
  const Range unit{.high = Rational(1), .low_included = true, .high_included = true};
  CHECK(invert(always, unit, Rounding::down, 6).status == Inverted::everywhere);
  CHECK(invert(always, unit, Rounding::down, 6).value.text() == "1");
  CHECK(invert(never, unit, Rounding::down, 6).status == Inverted::nowhere);
  CHECK(invert(never, unit, Rounding::down, 6).value.text() == "0");
  const Condition unsure = [](const Decimal&) -> std::optional<bool> { return {}; };
  CHECK(invert(unsure, unit, Rounding::down, 6).status == Inverted::undecided);
}

TEST_CASE("tiny answers keep all their digits") {
  const Rational target = Decimal("7.25e-916").exact();
  const Condition at_least = [&](const Decimal& x) -> std::optional<bool> { return x.exact() >= target; };
  const Range open_unit{.high = Rational(1)};
  const Inversion r = invert(at_least, open_unit, Rounding::up, 12);
  CHECK(r.value.text() == "7.25e-916");
  CHECK(r.beyond->text() == "7.24999999999e-916");
}
