#include "experiments/claims/expression.hpp"

#include <doctest/doctest.h>

using namespace epsilary::experiments;
using epsilary::solvers::Ball;

namespace {

const Names names{
    {"one", {Ball(1)}}, {"list", {Ball(1), Ball(2), Ball(4)}}, {"unsure", {Ball::hull(Ball(1), Ball(2))}}};

double first(const std::string& text) { return compute(text, names).at(0).midpoint(); }

std::string refusal(const std::string& text) {
  try {
    compute(text, names);
  } catch (const BadExpression& bad) {
    return bad.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("arithmetic binds as people write it") {
  CHECK(first("1 + 2*3 - 4/8") == 6.5);
  CHECK(first("-(1 - 3)*2") == 4);
  CHECK(first("2 - 1 - 1") == 0);
  CHECK(first("8/2/2") == 2);
  CHECK(first("1e-2*100") == doctest::Approx(1));
  CHECK(first("log2(8) + sqrt(16) + abs(-3) + exp(0) + log(1)") == doctest::Approx(11));
}

TEST_CASE("lists go place by place, and one number with every place") {
  const Balls halves = compute("list/2", names);
  REQUIRE(halves.size() == 3);
  CHECK(halves[2].midpoint() == 2);
  CHECK(first("greatest(list) - least(list)") == 3);
  CHECK(compute("one, list", names).size() == 4);
}

TEST_CASE("a comparison holds when it is proved for every place") {
  CHECK(certainly(decide("1 <= list <= 4", names)));
  CHECK_FALSE(possibly(decide("1 < list", names)));
  CHECK(undecided(decide("unsure < 1.5", names)));
  CHECK(certainly(decide("unsure <= 2.001", names)));
  CHECK_FALSE(possibly(decide("unsure > 2.5", names)));
  CHECK(certainly(decide("list >= one", names)));
  CHECK(possibly(decide("0.1 + 0.2 <= 0.3", names)));  // decimals are exact, sums are enclosed
}

TEST_CASE("what is no expression is refused where it breaks") {
  CHECK(refusal("1 +") == "'1 +': a number or a name was expected");
  CHECK(refusal("(1") == "'(1': ')' was expected");
  CHECK(refusal("nothing") == "'nothing': nothing is called 'nothing'");
  CHECK(refusal("sin(1)").starts_with("unknown function 'sin'"));
  CHECK(refusal("1 2") == "'1 2': unexpected '2'");
  CHECK(refusal("(one, list)").find("')' was expected") != std::string::npos);
  CHECK(refusal(std::string(1000, '(')).find("too many brackets") != std::string::npos);
  CHECK_THROWS_AS(decide("1 + 1", names), BadExpression);
  CHECK_THROWS_AS(compute("list + (list)*0 + two", names), BadExpression);
}
