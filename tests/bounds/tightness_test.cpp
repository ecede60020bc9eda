// The sandwich: what no analysis can beat, below every analysis.
#include <doctest/doctest.h>

#include <random>

#include "tests/bounds/at.hpp"

using namespace bounds;

namespace {

std::string text(double x) { return Decimal::nearest(x, 6).text(); }

// A value printed with so many digits after the point: an upper bound to the nearest or up, a lower one to the nearest
// or down.
void check_printed(const std::string& id, const std::string& where, double printed, double unit) {
  INFO(id << " " << where);
  const Ball value = at::proved(id, where, 8);
  const bool lower = at::form(id, where).side == Side::lower;
  CHECK(value.upper() <= printed + (lower ? 1.001 : 0.501) * unit);
  CHECK(value.lower() >= printed - (lower ? 0.501 : 1.001) * unit);
}

double lower_bound(const std::string& protocol, const std::string& where) {
  return std::max(at::in_double("epsilary-lower-rr" + protocol, where),
                  at::in_double("epsilary-lower-rr3" + protocol, where));
}

}  // namespace

TEST_CASE("shuffling at delta = 1e-6, from the loosest analysis to what cannot be beaten") {
  struct Line {
    const char* where;
    double erlingsson, theorem, clones, lower, unit;
  };
  for (const Line& l : {Line{"eps0=0.1 n=1000 delta=1e-6", .04277, .02032, .01019, .00969, 1e-5},
                        Line{"eps0=0.5 n=1000 delta=1e-6", .5987, .2292, .0705, .0569, 1e-4},
                        Line{"eps0=1 n=10000 delta=1e-6", 1.399, .4078, .0530, .0380, 1e-4},
                        Line{"eps0=2 n=100000 delta=1e-6", 16.48, 2.216, .0450, .0312, 1e-4},
                        Line{"eps0=3 n=1000000 delta=1e-6", 319.9, 10.51, .0269, .0185, 1e-4}}) {
    const auto unit = [&](double x) { return x > 100 ? 0.1 : x > 10 ? 0.01 : x > 1 ? 1e-3 : l.unit; };
    check_printed("erlingsson2019-thm7", l.where, l.erlingsson, unit(l.erlingsson));
    check_printed("balle2020-thm5.1", l.where, l.theorem, unit(l.theorem));
    check_printed("feldman2021-clones", l.where, l.clones, l.unit);
    const bool ternary = l.where[5] != '0';
    check_printed(ternary ? "epsilary-lower-rr3" : "epsilary-lower-rr", l.where, l.lower, l.unit);
  }
}

TEST_CASE("check-ins with a fixed window at delta = 1e-6, from Theorem 3.2 to what cannot be beaten") {
  struct Line {
    const char* where;
    double theorem, posterior, clones, lower, unit;
  };
  for (const Line& l : {Line{"eps0=0.5 m=1000 p0=1 delta=1e-6", .1388, .1388, .0705, .0569, 1e-4},
                        Line{"eps0=0.5 m=1000 p0=0.1 delta=1e-6", .01385, .01100, .00581, .00459, 1e-5},
                        Line{"eps0=1 m=10000 p0=0.1 delta=1e-6", .01490, .00933, .00433, .00308, 1e-5},
                        Line{"eps0=2 m=10000 p0=1 delta=1e-6", .9280, .9280, .1551, .1077, 1e-4},
                        Line{"eps0=2 m=10000 p0=0.1 delta=1e-6", .09144, .03516, .01296, .00895, 1e-5},
                        Line{"eps0=4 m=10000 p0=0.1 delta=1e-6", 2.160, .2983, .0493, .0339, 1e-4},
                        Line{"eps0=4 m=100000 p0=0.01 delta=1e-6", .06591, .00895, .00111, .000750, 1e-5}}) {
    check_printed("balle2020-thm3.2", l.where, l.theorem, l.theorem > 1 ? 1e-3 : l.unit);
    check_printed("epsilary-fixed-posterior", l.where, l.posterior, l.unit);
    check_printed("epsilary-checkin-clones", l.where, l.clones, l.unit);
    const bool ternary = l.where[5] != '0';
    check_printed(ternary ? "epsilary-lower-rr3-fixed" : "epsilary-lower-rr-fixed", l.where, l.lower,
                  l.lower < 1e-3 ? 1e-6 : l.unit);
  }
}

TEST_CASE("closed forms of the silent steps at their printed points") {
  check_printed("epsilary-checkin-lazy-closed", "eps0=1 m=10000 p0=0.1 delta=1e-6", .00711, 1e-5);
  check_printed("epsilary-checkin-lazy-closed", "eps0=2 m=10000 p0=0.1 delta=1e-6", .0182, 1e-4);
  check_printed("epsilary-checkin-lazy-closed", "eps0=4 m=100000 p0=0.01 delta=1e-6", .00178, 1e-5);
  check_printed("epsilary-shuffle-lazy-closed", "eps0=1 n=100000 delta=1e-6", .0958, 1e-4);
}

TEST_CASE("the losses of the silent steps composed: brackets that hold what float64 lattices gave") {
  struct Line {
    const char *id, *where;
    double printed;
  };
  for (const Line& l : {Line{"epsilary-shuffle-lazy-pld", "eps0=0.5 n=1000 delta=1e-6", .1396},
                        Line{"epsilary-checkin-lazy-pld", "eps0=0.5 m=1000 p0=0.1 delta=1e-6", .00526},
                        Line{"epsilary-checkin-lazy-pld", "eps0=0.5 m=1000 p0=1 delta=1e-6", .0819},
                        Line{"epsilary-checkin-lazy-pld", "eps0=4 m=100000 p0=0.01 delta=1e-6", .000762},
                        Line{"epsilary-checkin-lazy-pld", "eps0=1 m=200 p0=1 delta=1e-6", .59613}}) {
    INFO(l.id << " " << l.where);
    const Evaluation e = at::evaluated(l.id, l.where, 6);
    REQUIRE(e.certified);
    CHECK(e.answer.value.lower() <= l.printed);
    CHECK(e.answer.value.upper() >= l.printed);
    CHECK(e.answer.value.upper() - e.answer.value.lower() < 0.06 * l.printed);
    const bool shuffled = std::string(l.id) == "epsilary-shuffle-lazy-pld";
    CHECK(lower_bound(shuffled ? "" : "-fixed", l.where) <= e.answer.value.upper());
    CHECK(e.answer.value.upper() <=
          at::in_double(shuffled ? "epsilary-shuffle-lazy" : "epsilary-checkin-lazy", l.where) * (1 + 1e-9));
  }
  CHECK(at::refusal("epsilary-checkin-lazy-pld", "eps0=1 m=1 p0=1 delta=1e-6").starts_with("m >= "));
  CHECK(at::evaluated("epsilary-checkin-lazy-pld", "eps0=1 m=100 p0=0 delta=1e-6").answer.value.is_zero());
}

// lower <= clones; lower <= silent steps <= ...; the clones against the steps is an observation and not checked.
TEST_CASE("shuffling: no lower bound passes an upper one, and sharper proofs give smaller numbers") {
  std::mt19937_64 random(71);
  std::uniform_real_distribution<double> unit;
  const auto between = [&](double a, double b) { return a * std::pow(b / a, unit(random)); };
  for (int i = 0; i < 250; ++i) {
    const std::string where = "eps0=" + text(between(0.01, 5)) + " n=" + text(std::floor(between(1, 3000))) +
                              " delta=" + text(between(1e-12, 0.1));
    INFO(where);
    const double low = lower_bound("", where), theorem = at::in_double("balle2020-thm5.1", where);
    const double steps = at::in_double("epsilary-shuffle-steps", where);
    const double silent = at::in_double("epsilary-shuffle-lazy", where);
    const double slack = 1 + 1e-12;
    CHECK(low <= at::in_double("feldman2021-clones", where) * slack);
    CHECK(low <= silent * slack);
    CHECK(low <= at::in_double("epsilary-shuffle-lazy-closed", where) * slack);
    CHECK(low <= steps * slack);
    CHECK(steps <= theorem * slack);
    CHECK(silent <= at::in_double("epsilary-shuffle-lazy-closed", where) * (1 + 1e-6));  // its order is searched
  }
}

TEST_CASE("check-ins: no lower bound passes an upper one, and sharper proofs give smaller numbers") {
  std::mt19937_64 random(72);
  std::uniform_real_distribution<double> unit;
  const auto between = [&](double a, double b) { return a * std::pow(b / a, unit(random)); };
  for (int i = 0; i < 250; ++i) {
    const std::string where = "eps0=" + text(between(0.01, 5)) + " m=" + text(std::floor(between(1, 3000))) +
                              " p0=" + text(between(1e-3, 1)) + " delta=" + text(between(1e-12, 0.1));
    INFO(where);
    const double low = lower_bound("-fixed", where), slack = 1 + 1e-12;
    const double theorem = at::in_double("balle2020-thm3.2", where);
    const double posterior = at::in_double("epsilary-fixed-posterior", where);
    const double steps = at::in_double("epsilary-checkin-steps", where);
    const double silent = at::in_double("epsilary-checkin-lazy", where);
    CHECK(low <= at::in_double("epsilary-checkin-clones", where) * slack);
    CHECK(low <= silent * slack);
    CHECK(low <= steps * slack);
    CHECK(low <= at::in_double("epsilary-checkin-lazy-closed", where) * slack);
    CHECK(steps <= posterior * slack);
    CHECK(posterior <= theorem * slack);
    // More clients only help, and a lower bound that knows them is lower.
    const double among = lower_bound("-fixed", where + " n=100");
    CHECK(among <= low * slack);
    CHECK(among <= at::in_double("epsilary-known-clones", where + " n=100") * slack);
  }
}

TEST_CASE("a known population: a hundred clients for every slot hide a client that Theorem 3.2 exposes") {
  const std::string where = "eps0=1 m=1000 n=100000 p0=1 delta=1e-6";
  check_printed("epsilary-known-clones", where + " delta2=1e-7", .0286, 1e-4);
  check_printed("epsilary-checkin-clones", where, .182, 1e-3);
  check_printed("balle2020-thm3.2", where, .475, 1e-3);
  CHECK(at::in_double("epsilary-known-clones", where) <= .0287);
  CHECK(at::refusal("epsilary-known-clones", where + " delta2=1e-3") == "delta2 < delta");
  CHECK(at::proved("epsilary-known-clones", "eps0=1 m=10 n=100 p0=0 delta=1e-6").is_zero());
}

TEST_CASE("averaged and sliding check-ins: lower bounds stay below") {
  std::mt19937_64 random(73);
  std::uniform_real_distribution<double> unit;
  const auto between = [&](double a, double b) { return a * std::pow(b / a, unit(random)); };
  for (int i = 0; i < 100; ++i) {
    const std::string common = "eps0=" + text(between(0.01, 5)) + " delta=" + text(between(1e-12, 0.1));
    const std::string size = text(std::floor(between(1, 2000)));
    INFO(common << " " << size);
    const double slack = 1 + 1e-12;
    CHECK(lower_bound("-averaged", common + " n=" + size) <=
          at::in_double("epsilary-averaged-clones", common + " n=" + size) * slack);
    CHECK(lower_bound("-sliding", common + " m=" + size) <=
          at::in_double("epsilary-sliding-clones", common + " m=" + size) * slack);
    // A fixed window that everyone uses and a sliding one have the same upper bounds.
    CHECK(at::in_double("epsilary-sliding-clones", common + " m=" + size) ==
          at::in_double("epsilary-checkin-clones", common + " m=" + size + " p0=1"));
    CHECK(lower_bound("-sliding", common + " m=" + size) <=
          lower_bound("-fixed", common + " m=" + size + " p0=1") * slack);
  }
}

TEST_CASE("averaged check-ins: Theorem 4.1 never beats the shuffle it is a post-processing of") {
  std::mt19937_64 random(74);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 100; ++i) {
    const std::string where = "eps0=" + text(0.01 + 4 * unit(random)) +
                              " n=" + text(std::floor(1 + 1e6 * unit(random))) +
                              " m=" + text(std::floor(1 + 1e4 * unit(random))) + " delta=1e-6";
    INFO(where);
    CHECK(at::in_double("epsilary-averaged", where) < at::in_double("balle2020-thm4.1", where + " delta2=1e-6"));
    CHECK(at::in_double("epsilary-averaged", where) < at::in_double("balle2020-thm4.1-split", where));
  }
}

TEST_CASE("nothing is spent where nobody checks in, and a lone client has plain randomised response") {
  for (const char* id : {"epsilary-checkin-clones", "epsilary-checkin-steps", "epsilary-checkin-lazy",
                         "epsilary-checkin-lazy-closed", "epsilary-lower-rr-fixed", "epsilary-lower-rr3-fixed"}) {
    INFO(id);
    CHECK(at::proved(id, "eps0=1 m=100 p0=0 delta=1e-6").is_zero());
  }
  const Ball alone = at::proved("epsilary-checkin-clones", "eps0=1 m=1 p0=1 eps=0.3");
  CHECK(alone.overlaps(at::proved("epsilary-lower-rr-fixed", "eps0=1 m=1 p0=1 eps=0.3")));
  CHECK(at::proved("feldman2021-clones", "eps0=0.7 n=50 eps=0.7").is_zero());
  CHECK(at::refusal("feldman2021-clones", "eps0=1 n=10000000000000 delta=1e-6") == "n <= 10^12");
}

namespace {

// The ball at few digits holds the ball at many, which holds what mp50 and double compute.
void check_numbers(const std::string& id, const std::string& where) {
  INFO(id << " " << where);
  const Ball exact = at::proved(id, where, 60);
  const mp50 truth = to_mp50(exact);
  const mp50 in_mp = at::form(id, where).evaluate.in_mp50(Values<mp50>(reference::parse_point(where))).value;
  CHECK(abs(in_mp - truth) <= abs(truth) * mp50("1e-40"));
  CHECK(at::in_double(id, where) == doctest::Approx(to_double(truth)).epsilon(1e-12));
  CHECK(at::proved(id, where, 6).contains(exact));
}

}  // namespace

TEST_CASE("shuffling: all numbers agree with the ball, from one client to many") {
  for (const char* where : {"eps0=0.3 n=200 delta=1e-5", "eps0=2 n=150 delta=1e-9", "eps0=5 n=60 delta=1e-30",
                            "eps0=1 n=1 delta=1e-3", "eps0=1e-5 n=37 delta=1e-8"})
    for (const char* id : {"feldman2021-clones", "epsilary-lower-rr", "epsilary-lower-rr3", "epsilary-shuffle-steps"})
      check_numbers(id, where);
  check_numbers("epsilary-shuffle-steps", "eps0=2 n=1000000 delta=1e-9");
  check_numbers("epsilary-shuffle-lazy", "eps0=2 n=1000000 delta=1e-9 lambda=30");
  check_numbers("epsilary-shuffle-lazy", "eps0=0.3 n=20000 lambda=400");
}

TEST_CASE("check-ins: all numbers agree with the ball, from one slot to many") {
  for (const char* where : {"eps0=0.3 m=200 p0=0.5 delta=1e-5", "eps0=2 m=150 p0=0.01 delta=1e-9",
                            "eps0=5 m=60 p0=1 delta=1e-30", "eps0=1 m=1 p0=0.2 delta=1e-3"})
    for (const char* id :
         {"epsilary-checkin-clones", "epsilary-lower-rr-fixed", "epsilary-lower-rr3-fixed", "epsilary-checkin-steps"})
      check_numbers(id, where);
  check_numbers("epsilary-checkin-steps", "eps0=4 m=1000000 p0=0.3 delta=1e-9");
  check_numbers("epsilary-checkin-lazy", "eps0=4 m=1000000 p0=0.3 delta=1e-9 lambda=30");
}

TEST_CASE("clones, steps and lower bounds rise and fall as they say") {
  for (const Bound* b : all()) {
    const bool mine = b->id.ends_with("-clones") || b->id.starts_with("epsilary-lower-rr") ||
                      b->id.ends_with("-steps") || b->id.ends_with("-lazy");
    if (!mine || b->protocol == "shuffled-checkin" || b->protocol == "distributed-checkin") continue;
    Point point = reference::parse_point("eps0=0.8 n=150 m=120 p0=0.4 delta=1e-5 eps=0.05 lambda=9 delta2=1e-6");
    const auto value = [&](const Point& at) { return b->evaluate.in_double(Values<double>(at)).value; };
    Point here;
    for (const Param p : b->needs) here.set(p, point[p]);
    const double before = value(here);
    for (const auto* list : {&b->rises, &b->falls})
      for (const Param p : *list) {
        Point moved = here;
        moved.set(p, info(p).domain.range().integer ? Decimal::nearest(2 * to_double(Ball(here[p].exact())), 12)
                                                    : Decimal::nearest(1.1 * to_double(Ball(here[p].exact())), 12));
        INFO(b->id << " in " << key(p));
        if (list == &b->rises)
          CHECK(value(moved) >= before * (1 - 1e-9));
        else
          CHECK(value(moved) <= before * (1 + 1e-9));
      }
  }
}
