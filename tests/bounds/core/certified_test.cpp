// Certified numbers next to where a formula changes: what cannot be told apart at first is told apart, or refused.
#include <doctest/doctest.h>

#include <string>

#include "bounds/core/double_walk.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

std::string zeros(int n) { return std::string(static_cast<std::size_t>(n), '0'); }

Ball beside(const Evaluation& e, std::string_view name) {
  for (const auto& b : e.answer().beside)
    if (b.name == name) return b.value;
  FAIL(name);
  return {};
}

}  // namespace

TEST_CASE("a rate within 1e-20 of one still misses its quorum: the delta of every round is charged") {
  const std::string run = "n=1000000000 gamma=0.99999999999999999999 multiplier=2 quorum=1000000000";
  // All of 10^9 clients must check in: 1 - (1 - 1e-20)^(10^9) a round, which is 1e-11 (1 - 5e-12 + ...).
  const Ball::Precision bits(400);
  const Ball wanted = -expm1(1000000000 * log1p(-Ball(power_of_ten(-20))));
  for (const int digits : {3, 6, 15, 30, 60}) {
    const Evaluation e = at::evaluated("checkin2022-thm4-quorum", run + " lambda=4", digits);
    REQUIRE(e.certified);
    CHECK(beside(e, "delta_per_round").overlaps(wanted));
  }
  // That is 1e-5 over a million rounds: a delta of 1e-9 cannot be promised, one of 2e-5 can.
  CHECK(at::evaluated("checkin2022-thm4-quorum", run + " T=1000000 delta=1e-9", 6).status == Status::outside);
  const Evaluation e = at::evaluated("checkin2022-thm4-quorum", run + " T=1000000 delta=2e-5", 6);
  REQUIRE(e.certified);
  CHECK(e.within);
  CHECK(certainly(delta_total(e.answer()).value() > 1000000 * wanted));
  // Where everybody checks in for certain nothing is charged.
  const Evaluation all = at::evaluated("checkin2022-thm4-quorum", "n=1000 gamma=1 multiplier=2 quorum=1000 lambda=4");
  CHECK(beside(all, "delta_per_round").is_zero());
}

TEST_CASE("eps below eps0 in the last of 1240 digits is below it") {
  const std::string one = "1." + zeros(1240);
  const Ball close = at::proved("feldman2021-clones", "n=100 eps0=" + one + "2 eps=" + one + "1", 6);
  CHECK(certainly(close > 0));
  const Ball::Precision bits(200);
  // As the gap of eps0 - eps shrinks, delta does in proportion: the same at 30 digits, scaled.
  const Ball wide = at::proved("feldman2021-clones", "n=100 eps0=1." + zeros(30) + "2 eps=1." + zeros(30) + "1", 6);
  CHECK(std::abs((close / wide / Ball(power_of_ten(30 - 1240))).midpoint() - 1) < 1e-5);
  for (const char* id : {"feldman2021-clones", "epsilary-lower-rr", "epsilary-lower-rr3"})
    for (const std::string& eps : {one + "1", one + "2"})
      CHECK(at::proved(id, "n=100 eps0=" + one + "1 eps=" + eps, 6).is_zero());
}

TEST_CASE("a quantile of the check-ins within 1e-60 of a jump is not on the other side") {
  // At rate 1/2 fewer than k of n check in with probability C(n, <k)/2^n. Where that is more than a quarter of delta,
  // by 1e-60, k check-ins cannot be relied on, nor that at most n - k check in.
  for (long n = 8; n <= 24; ++n) {
    Rational below = 0, choose = 1, all = 1;
    for (long i = 0; i < n; ++i) all = all * Rational(2);
    for (long k = 1; k <= 4; ++k) {
      below = below + choose / all;
      choose = choose * Rational(n - k + 1) / Rational(k);
      const Rational delta = Rational(4) * below - power_of_ten(-60);
      if (delta >= Rational(1) || k == 1) continue;
      const std::string params = "n=" + std::to_string(n) + " gamma=0.5 multiplier=2 T=1 delta=" +
                                 Decimal::round(delta, 90, Rounding::down).text();
      CAPTURE(params);
      const Evaluation e = at::evaluated("checkin2022-sec5.1-exact-strong", params, 6);
      REQUIRE(e.certified);
      CHECK(certainly(beside(e, "least_check_ins") <= k - 1));
      CHECK(certainly(beside(e, "most_check_ins") >= n - k + 1));
    }
  }
}

TEST_CASE("a norm next to one or two is not one or two") {
  const std::string more = "1." + zeros(99) + "1", less_than_two = "1." + std::string(100, '9');
  CHECK(at::proved("girgis2021-thm1-bits", "dim=10 norm=" + more, 6)
            .overlaps(at::proved("girgis2021-thm1-bits", "dim=10 norm=1.5", 6)));
  CHECK(std::abs(at::number("girgis2021-thm1-bits", "dim=10 norm=" + more) - 24.4270) < 1e-4);
  CHECK(at::refusal("girgis2021-thm4", "radius=1 dim=10 n=100 eps0=1 norm=" + more) ==
        "norm is 1 or 2 (left out, it is infinity)");
  const std::string rest = "radius=1 dim=1000 n=100000 eps0=3 norm=";
  CHECK(
      at::proved("girgis2021-thm2", rest + less_than_two, 6).overlaps(at::proved("girgis2021-thm2", rest + "1.5", 6)));
  CHECK(at::proved("girgis2021-thm2", rest + "2", 6)
            .overlaps(at::proved("girgis2021-thm2", rest + "2." + zeros(60) + "1", 6)));
}

TEST_CASE("the bits of a coordinate are counted on the whole number") {
  Rational power = 1;
  for (int j = 1; j <= 300; ++j) {
    power = power * Rational(2);
    const auto bits = [&](long off) {
      const Decimal dim = Decimal::round(power + Rational(off), 200, Rounding::down);
      return beside(at::evaluated("girgis2021-thm1-bits", "dim=" + dim.text(), 6), "whole");
    };
    CHECK(bits(0).contains(j + 1));
    CHECK(bits(1).contains(j + 2));
    CHECK(bits(-1).contains(j == 1 ? 1 : j + 1));
  }
}

TEST_CASE("an order on either side of an integer is interpolated on its own side") {
  const std::string rest = "eps0=1 n=1000 gamma=0.05 lambda=";
  const Ball whole = at::proved("checkin2022-thm2-exact-real", rest + "3", 20);
  for (const int places : {10, 25, 40}) {
    const Ball below = at::proved("checkin2022-thm2-exact-real", rest + "2." + std::string(places, '9'), 60),
               above = at::proved("checkin2022-thm2-exact-real", rest + "3." + zeros(places - 1) + "1", 60);
    CHECK(certainly(below < above));
    CHECK(possibly(below < whole && whole < above));
  }
}

TEST_CASE("what was not given is refused by its name, and no number stands in for it") {
  Point point = reference::parse_point("m=1000 p0=0.1 delta=1e-6");
  const Bound& b = at::form("balle2020-thm3.2", "eps0=1 m=1000 p0=0.1 delta=1e-6");
  for (const NumberType number : {NumberType::in_ball, NumberType::in_mp50, NumberType::in_double}) {
    const Evaluation e = evaluate(b, point, {.number = number});
    CHECK(e.status == Status::outside);
    CHECK(e.reason == "it needs eps0, which is not given");
    CHECK_FALSE(e.certified);
    CHECK_FALSE(e.has_number());
    CHECK_THROWS_AS(e.answer(), std::logic_error);
  }
  CHECK(DoubleWalk().evaluate(b, point).reason == "it needs eps0, which is not given");
  const Values<Ball> balls(point);
  const Values<Rational> exact(point);
  CHECK_THROWS_AS(balls[Param::eps0], std::logic_error);
  CHECK_THROWS_AS(exact[Param::eps0], std::logic_error);
  CHECK_THROWS_AS(balls.exact(Param::eps0), std::logic_error);
  CHECK_THROWS_AS(balls.complement(Param::eps0), std::logic_error);
  point.set(Param::eps0, Decimal(-1));
  const Evaluation outside = evaluate(b, point);
  CHECK(outside.status == Status::outside);
  CHECK_FALSE(outside.has_number());
  CHECK_FALSE(Evaluation().has_number());
}

TEST_CASE("what a probability leaves of one is known to all digits, in every kind of number") {
  const std::string close = "0." + std::string(400, '9');
  const Values<double> d(reference::parse_point("gamma=" + close));
  CHECK(d[Param::gamma] == 1);
  CHECK(d.complement(Param::gamma) == 0);  // 1e-400 is no double
  CHECK(Values<double>(reference::parse_point("gamma=0.999999999999999999999")).complement(Param::gamma) == 1e-21);
  const Ball::Precision bits(64);
  const Values<Ball> b(reference::parse_point("gamma=" + close));
  CHECK(b.complement(Param::gamma).overlaps(Ball(power_of_ten(-400))));
  CHECK(b.complement(Param::gamma).accurate_bits() > 60);
  const Chance<Ball> chance = chance_of<Ball>(b, Param::gamma);
  CHECK(undecided(1 - chance.yes > 0));
  CHECK(certainly(chance.no > 0));
  // A number that a formula chose is what it is.
  Values<double> chosen;
  chosen.set(Param::gamma, 0.25);
  CHECK(chosen.complement(Param::gamma) == 0.75);
  CHECK_FALSE(chosen.is_exact(Param::gamma));
  CHECK(d.as<Ball>().exact(Param::gamma) == d.exact(Param::gamma));
  CHECK(d.at_most(Param::gamma, 1));
  CHECK_FALSE(d.at_least(Param::gamma, 1));
}

TEST_CASE("a double that leaves its range is refused, and is no bound of zero") {
  const auto in_double = [](const char* id, const char* params) {
    const Point point = reference::parse_point(params);
    return evaluate(at::form(id, params), point, {.number = NumberType::in_double});
  };
  for (const auto& [id, params] : {std::pair{"feldman2021-clones", "eps0=44 n=1000 delta=1e-6"},
                                   {"epsilary-shuffle-blanket", "eps0=50 n=1000 delta=1e-6"},
                                   {"epsilary-shuffle-blanket", "eps0=0.5 n=1000000 eps=0.1"},
                                   {"epsilary-lower-rr3-averaged", "eps0=100 n=3 delta=1e-6"},
                                   {"vandijk2022-gdp-epsilon", "mu=1 T=1 delta=1e-1000"},
                                   {"vandijk2022-subsampled", "q=0.1 mu=1 delta=1e-1000"}}) {
    INFO(id << " " << params);
    CHECK(in_double(id, params).status == Status::unresolved);
    CHECK(certainly(at::proved(id, params, 6) > 0));
    CHECK(DoubleWalk().evaluate(at::form(id, params), reference::parse_point(params)).status == Status::unresolved);
  }
  CHECK(in_double("feldman2021-clones", "eps0=1 n=1000 delta=1e-6").status == Status::ok);
}

TEST_CASE("a bracket that was not found reaches to its ceiling, which meets the targets above it") {
  const Bound nothing_found{
      .id = "test-nothing-found",
      .needs = {Param::eps0},
      .rises = {Param::eps0},
      .width = 1e-3,
      .evaluate = {.bracket = [](const Values<Ball>& x,
                                 const Request&) { return with_cap(unknown<Ball>(), Ball(x[Param::eps0])); }},
  };
  const Answer<Ball> found =
      bracket_at(nothing_found, reference::parse_point("eps0=0.25"), rough_request(nothing_found));
  CHECK(found.value.finite());
  CHECK(found.value.lower() <= 0);
  CHECK(found.value.upper() == doctest::Approx(0.25).epsilon(1e-8));
}
