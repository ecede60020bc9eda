// The sandwich: what no analysis can beat, below every analysis.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/protocols.hpp"
#include "bounds/theory/checkin/loads.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/steps.hpp"
#include "experiments/sweep/randomizer_file.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using epsilary::bounds::Side;

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

TEST_CASE("a known population: a hundred clients for every slot hide a client that Theorem 3.2 exposes") {
  const std::string where = "eps0=1 m=1000 n=100000 p0=1 delta=1e-6";
  check_printed("epsilary-known-clones", where + " delta2=1e-7", .0286, 1e-4);
  check_printed("epsilary-checkin-clones", where, .182, 1e-3);
  check_printed("balle2020-thm3.2", where, .475, 1e-3);
  CHECK(at::in_double("epsilary-known-clones", where) <= .0287);
  CHECK(at::refusal("epsilary-known-clones", where + " delta2=1e-3") == "delta2 < delta");
  CHECK(at::proved("epsilary-known-clones", "eps0=1 m=10 n=100 p0=0 delta=1e-6").is_zero());
}

TEST_CASE("averaged check-ins in total delta = 1e-6: Theorem 4.1, split, with sharper loads, and as a shuffle") {
  struct Line {
    const char* where;
    double half, split, share, shuffle, unit;
  };
  for (const Line& l : {Line{"eps0=0.5 n=10000 m=1000", .6848, .6831, .655, .0723, 1e-4},
                        Line{"eps0=1 n=100000 m=1000", 3.152, 3.131, .779, .1283, 1e-3},
                        Line{"eps0=1 n=1000000 m=10000", .9633, .9561, .791, .0405, 1e-4}}) {
    const std::string where = l.where;
    check_printed("balle2020-thm4.1", where + " delta=5e-7 delta2=5e-7", l.half, l.unit);
    check_printed("balle2020-thm4.1-split", where + " delta=1e-6", l.split, l.unit);
    check_printed("epsilary-averaged", where + " delta=1e-6", l.shuffle, 1e-4);
    const Evaluation e = at::evaluated("balle2020-thm4.1-split", where + " delta=1e-6");
    CHECK(e.answer().at.front().value.midpoint() / 1e-6 == doctest::Approx(l.share).epsilon(1e-3));
  }
  check_printed("epsilary-averaged-loads", "eps0=1 n=100000 m=1000 delta=5e-7 delta2=5e-7", 2.296, 1e-3);
}

TEST_CASE("loads: Lemma A.6, Chernoff and the exact quantile") {
  check_printed("balle2020-lemA.6", "n=100000 m=1000 delta=1e-6", 4353, 1);
  check_printed("epsilary-loads-chernoff", "n=100000 m=1000 delta=1e-6", 3232, 1);
  check_printed("balle2020-lemA.6", "n=20 m=5 delta=1e-6", 26.6, 0.1);
  check_printed("epsilary-loads-exact", "n=20 m=5 delta=1e-6", 14.9, 0.1);
  // All 3^7 ways to put 7 users into 3 bins.
  std::map<int, int> ways;
  for (int code = 0; code < 2187; ++code) {
    std::array<int, 3> load{};
    for (int i = 0, c = code; i < 7; ++i, c /= 3) ++load[static_cast<std::size_t>(c % 3)];
    ++ways[load[0] * load[0] + load[1] * load[1] + load[2] * load[2]];
  }
  for (const char* delta : {"0.001", "0.01", "0.1", "0.5"}) {
    int beyond = 0, square = 0;
    for (auto at = ways.rbegin(); at != ways.rend() && square == 0; ++at)
      if (beyond += at->second; beyond > std::stod(delta) * 2187) square = at->first;
    INFO(delta);
    const std::string where = "n=7 m=3 delta=" + std::string(delta);
    CHECK(at::number("epsilary-loads-exact", where) == doctest::Approx(std::sqrt(square)).epsilon(1e-12));
    CHECK(at::number("epsilary-loads-chernoff", where) >= std::sqrt(square));
  }
  // Delta next to the probability of each tail, nearer than double tells: at the jump and above it what lies below the
  // tail does, and below the jump it does not.
  int beyond = 0;
  for (auto at = ways.rbegin(); std::next(at) != ways.rend(); ++at) {
    beyond += at->second;
    const Rational tail = Rational(beyond) / Rational(2187);
    for (const char* nudge : {"-1e-15", "-1e-20", "0", "1e-20", "1e-15"}) {
      INFO(at->first << " " << nudge);
      const Rational off = Decimal(nudge).exact();
      const std::int64_t square = off < Rational(0) ? at->first : std::next(at)->first;
      CHECK(loads::exact_square(7, 3, tail * (Rational(1) + off)) == square);
    }
  }
  CHECK(at::refusal("epsilary-loads-exact", "n=41 m=5 delta=1e-6") ==
        "n <= 40 and m <= 40; for more use epsilary-loads-chernoff");
}

TEST_CASE("what the statements are made of matches mpmath: printed posteriors, each direction, weights") {
  const Ball::Precision bits(256);
  std::map<std::string, int> seen;
  for (const reference::Part& part : reference::parts("tightness.csv")) {
    if (part.name.starts_with("lattice")) continue;
    INFO(part.name << " " << part.field << " " << part.words);
    ++seen[part.name];
    const auto x = [&](const char* key) { return Ball(Decimal(part.at(key)).exact()); };
    const auto value = [&]() -> Ball {
      if (part.name == "binary")
        return responses::Binary<Ball>{x("m"), x("eps0"), x("w"), part.field == "backward"}(x("eps")).delta;
      if (part.name == "mixed")
        return max(responses::Mixed<Ball>{x("n"), x("eps0"), x("ones"), false}(x("eps")).delta,
                   responses::Mixed<Ball>{x("n"), x("eps0"), x("ones"), true}(x("eps")).delta);
      if (part.name == "fixed-weight") return responses::fixed_window_weight(x("m"), x("n"), x("p0"));
      // The paper's posteriors: 1 + (i-1) e^{-2 eps0} + (n-i) e^{-eps0} of a swap, and m - (i-1)(1 - e^{-eps0}) of a
      // replacement whatever w.
      const Ball y = exp(-x("eps0")), rise = expm1(x("eps0"));
      const auto sums =
          part.name == "printed-swap"
              ? steps::sums(steps::Sequence<Ball>{x("eps0"), rise, 1 + (x("n") - 1) * y, y - y * y, x("n"), Ball(0)})
              : steps::sums(
                    steps::Sequence<Ball>{x("eps0"), x("w") * rise, x("m"), -expm1(-x("eps0")), x("m"), Ball(0)});
      return part.field == "advanced" ? kov_advanced(sums, x("delta")) : kov_advanced_e(sums, x("delta"));
    }();
    const Ball wanted(Decimal(part.value).exact()), unit = abs(wanted) * Ball(power_of_ten(2 - part.digits));
    CHECK(Ball::hull(wanted - unit, wanted + unit).overlaps(value));
    CHECK(value.accurate_bits() > 120);
  }
  CHECK(seen.size() == 5);
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

TEST_CASE("no rounds, nobody who checks in: every statement says zero") {
  int asked = 0;
  for (const Bound* b : all())
    for (const Param zero : {Param::T, Param::gamma, Param::p0}) {
      if (b->quantity != Quantity::epsilon && b->quantity != Quantity::delta) continue;
      const bool reads = std::ranges::count(b->needs, zero) || std::ranges::count(b->takes, zero);
      if (!reads || b->id == "balle2020-lemA.2") continue;  // its T divides
      if (zero == Param::T && facts_of(b->protocol)->slot_is_T) continue;
      Point point;
      point.set(zero, Decimal("0"));
      for (const Param p : b->needs)
        if (p == Param::randomizer)
          point.set_randomizer(epsilary::experiments::read_randomizer(info(p).example));
        else
          point.set(p, Decimal(p == zero ? "0" : p == Param::delta2 ? "1e-7" : info(p).example));
      const Evaluation e = evaluate(*b, point);
      INFO(b->id << " at " << key(zero) << " = 0: " << e.reason);
      CHECK((e.status == Status::ok || e.status == Status::vacuous));
      CHECK(e.answer().value.is_zero());
      if (!b->evaluate.bracket) CHECK(DoubleWalk().evaluate(*b, point).answer().value == 0);
      ++asked;
    }
  CHECK(asked > 150);
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
                      b->id.ends_with("-steps") || b->id.ends_with("-lazy") || b->id.ends_with("-response") ||
                      b->id.ends_with("-steps-clip") || b->id.ends_with("-lazy-clip");
    if (!mine || !(b->protocol == "shuffle" || b->protocol.starts_with("checkin-"))) continue;
    Point point =
        reference::parse_point("eps0=0.8 n=100 m=120 p0=0.4 delta=1e-5 eps=0.05 lambda=9 delta2=1e-6 delta0=1e-12");
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
