// No lower bound passes an upper one and no sharper proof gives a larger number, on more than a thousand random points.
// Doubles decide; where they disagree with a theorem the two numbers are proved before the test speaks.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "bounds/theory/dpsgd/laws.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

std::string text(double x) { return Decimal::nearest(x, 6).text(); }

// Random points from a fixed seed.
struct Draw {
  std::mt19937_64 random;
  double between(double a, double b) { return a * std::pow(b / a, std::uniform_real_distribution<double>()(random)); }
  std::string whole(double a, double b) { return text(std::floor(between(a, b))); }
};

double proved_end(const std::string& id, const std::string& where, bool upper) {
  const Evaluation e = at::evaluated(id, where, at::form(id, where).width > 0 ? 6 : 10);  // brackets are as they are
  REQUIRE(e.certified);
  const Ball x = capped(e.answer());
  return upper ? x.upper() : x.lower();
}

// The first is never above the second. Searches over orders stop a little beside the best: `slack` is for these.
void check_order(const std::string& lesser, const std::string& greater, const std::string& where, double slack = 0) {
  const double a = at::in_double(lesser, where), b = at::in_double(greater, where);
  if (a <= b * (1 + slack + 1e-12)) return;
  INFO(lesser << " above " << greater << " at " << where);
  CHECK(proved_end(lesser, where, false) <= proved_end(greater, where, true) * (1 + slack));
}

// Relations that are observed and not proved: exceptions are reported.
struct Observed {
  std::string words;
  int points = 0, exceptions = 0;
  std::string first = {};
  void note(bool holds, const std::string& where) {
    ++points;
    if (holds) return;
    if (++exceptions == 1) first = where;
  }
  ~Observed() {
    WARN_MESSAGE(exceptions == 0, words << ": " << exceptions << " exceptions in " << points << ", first at " << first);
  }
};

}  // namespace

TEST_CASE("shuffling: lower <= clones; lower <= silent <= full responses; lower <= steps <= Theorem 5.1") {
  Draw draw{std::mt19937_64(71)};
  Observed below{"shuffling: the better of clones and silent steps below the steps composed"};
  for (int i = 0; i < 450; ++i) {
    const std::string where = "eps0=" + text(draw.between(0.01, 5)) + " n=" + draw.whole(1, 3000) +
                              " delta=" + text(draw.between(1e-12, 0.1));
    for (const std::string lower : {"epsilary-lower-rr", "epsilary-lower-rr3"})
      for (const char* upper : {"epsilary-shuffle-blanket", "feldman2021-clones", "epsilary-shuffle-lazy",
                                "epsilary-shuffle-response", "epsilary-shuffle-lazy-closed", "epsilary-shuffle-steps"})
        check_order(lower, upper, where);
    check_order("epsilary-shuffle-blanket", "feldman2021-clones", where);
    check_order("epsilary-shuffle-steps", "balle2020-thm5.1", where);
    check_order("epsilary-shuffle-lazy", "epsilary-shuffle-lazy-closed", where, 1e-6);
    check_order("epsilary-shuffle-lazy", "epsilary-shuffle-response", where, 1e-6);
    below.note(std::min(at::in_double("feldman2021-clones", where), at::in_double("epsilary-shuffle-lazy", where)) <=
                   at::in_double("epsilary-shuffle-steps", where),
               where);
  }
}

TEST_CASE("check-ins: lower <= clones; lower <= silent <= full responses; steps <= sharper posterior <= Theorem 3.2") {
  Draw draw{std::mt19937_64(72)};
  Observed below{"check-ins: the better of clones and silent steps below the steps composed"};
  for (int i = 0; i < 450; ++i) {
    const std::string where = "eps0=" + text(draw.between(0.01, 5)) + " m=" + draw.whole(1, 3000) +
                              " p0=" + text(draw.between(1e-3, 1)) + " delta=" + text(draw.between(1e-12, 0.1));
    for (const std::string lower : {"epsilary-lower-rr-fixed", "epsilary-lower-rr3-fixed"}) {
      for (const char* upper : {"epsilary-checkin-blanket", "epsilary-checkin-clones", "epsilary-checkin-lazy",
                                "epsilary-checkin-response", "epsilary-checkin-lazy-closed", "epsilary-checkin-steps"})
        check_order(lower, upper, where);
      // More clients only help, and a lower bound that knows them is lower.
      const double among = at::in_double(lower, where + " n=100"), alone = at::in_double(lower, where);
      CHECK(among <= alone * (1 + 1e-12));
      check_order(lower, "epsilary-known-clones", where + " n=100");
      check_order(lower, "epsilary-known-blanket", where + " n=100");
    }
    check_order("epsilary-checkin-blanket", "epsilary-checkin-clones", where);
    check_order("epsilary-checkin-steps", "epsilary-fixed-posterior", where);
    check_order("epsilary-fixed-posterior", "balle2020-thm3.2", where);
    check_order("epsilary-checkin-lazy", "epsilary-checkin-response", where, 1e-6);
    below.note(
        std::min(at::in_double("epsilary-checkin-clones", where), at::in_double("epsilary-checkin-lazy", where)) <=
            at::in_double("epsilary-checkin-steps", where),
        where);
  }
}

TEST_CASE("averaged and sliding check-ins: lower bounds stay below") {
  Draw draw{std::mt19937_64(73)};
  for (int i = 0; i < 100; ++i) {
    const std::string common = "eps0=" + text(draw.between(0.01, 5)) + " delta=" + text(draw.between(1e-12, 0.1));
    const std::string size = draw.whole(1, 2000), averaged = common + " n=" + size, sliding = common + " m=" + size;
    for (const std::string kind : {"rr", "rr3"}) {
      check_order("epsilary-lower-" + kind + "-averaged", "epsilary-averaged-clones", averaged);
      check_order("epsilary-lower-" + kind + "-sliding", "epsilary-sliding-clones", sliding);
      check_order("epsilary-lower-" + kind + "-sliding", "epsilary-sliding-lazy", sliding);
    }
    // A fixed window that everyone uses and a sliding one have the same upper bounds.
    CHECK(at::in_double("epsilary-sliding-clones", sliding) ==
          at::in_double("epsilary-checkin-clones", sliding + " p0=1"));
  }
}

TEST_CASE("losses composed: lower <= silent <= full responses <= steps composed <= theorem") {
  Draw draw{std::mt19937_64(74)};
  Observed below{"clones or silent steps below the full responses, losses composed"};
  for (int i = 0; i < 24; ++i) {
    const std::string common = "eps0=" + text(draw.between(0.1, 4)) + " delta=" + text(draw.between(1e-10, 1e-3));
    const std::string size = draw.whole(20, 3000), shuffled = common + " n=" + size,
                      slots = common + " m=" + size + " p0=" + text(draw.between(0.05, 1));
    // The brackets are dear: each is computed once, and proved where a comparison fails.
    const auto chain = [&](const std::string& protocol, const std::string& lower, const std::string& clones,
                           const std::string& theorem, const std::string& where) {
      const std::string stem = "epsilary-" + protocol, lazy = stem + "-lazy-pld", full = stem + "-response-pld";
      std::map<std::string, double> value;
      for (const std::string& id : {lazy, full, stem + "-steps", stem + "-lazy", theorem, clones,
                                    "epsilary-lower-rr" + lower, "epsilary-lower-rr3" + lower})
        value[id] = at::in_double(id, where);
      const auto ordered = [&](const std::string& lesser, const std::string& greater, double slack) {
        if (value[lesser] > value[greater] * (1 + slack + 1e-12)) check_order(lesser, greater, where, slack);
      };
      for (const std::string kind : {"rr", "rr3"}) ordered("epsilary-lower-" + kind + lower, lazy, 0);
      ordered(lazy, full, 2e-3);
      ordered(full, stem + "-steps", 2e-3);
      ordered(stem + "-steps", theorem, 0);
      ordered(lazy, stem + "-lazy", 1e-3);
      below.note(std::min(value[clones], value[lazy]) <= value[full] * (1 + 2e-3), where);
    };
    chain("shuffle", "", "feldman2021-clones", "balle2020-thm5.1", shuffled);
    chain("checkin", "-fixed", "epsilary-checkin-clones", "balle2020-thm3.2", slots);
  }
}

TEST_CASE("shuffled check-in: lower <= losses composed <= divergences") {
  Draw draw{std::mt19937_64(75)};
  Observed below{"shuffled check-in: the clones' divergence below the exact sum of Theorem 2"};
  for (int i = 0; i < 70; ++i) {
    const bool large = i % 10 == 0;  // the others are cheap
    const double n = std::floor(draw.between(10, large ? 1e5 : 1e3)),
                 expected = std::min(n, draw.between(1, large ? 100 : 10));
    const std::string where = "eps0=" + text(draw.between(0.1, 3)) + " n=" + Decimal::nearest(n, 9).text() +
                              " gamma=" + text(expected / n) + " T=" + draw.whole(1, large ? 1e4 : 100) +
                              " delta=" + text(draw.between(1e-8, 1e-3));
    const double lower = at::in_double("epsilary-lower-shuffled-checkin", where),
                 composed = at::in_double("epsilary-shuffled-checkin-pld", where),
                 divergence = at::in_double("epsilary-shuffled-checkin-rdp", where);
    if (lower > composed) check_order("epsilary-lower-shuffled-checkin", "epsilary-shuffled-checkin-pld", where);
    if (composed > divergence * 1.02)  // of wide brackets
      check_order("epsilary-shuffled-checkin-pld", "epsilary-shuffled-checkin-rdp", where, 0.02);
    if (!large || i % 40 == 0) below.note(divergence <= at::in_double("checkin2022-thm2-exact", where), where);
  }
}

// Most points have many rounds, or one: laws of few losses composed a few times take longest.
TEST_CASE("CLDP-SGD: lower <= losses composed") {
  Draw draw{std::mt19937_64(76)};
  Observed below{"CLDP-SGD: the clones' losses below the tight blanket, optimally composed"};
  for (int i = 0; i < 105; ++i) {
    const bool few = i % 35 == 0, once = i % 5 > 0;
    const double clients = std::floor(draw.between(few ? 2 : 200, 1e5)),
                 per_round = std::floor(draw.between(few ? 1 : 100, clients + 1));
    const std::string where = "eps0=" + text(draw.between(0.05, 4)) + " clients=" + text(clients) +
                              " per_round=" + text(std::min(clients, per_round)) + " records=" + draw.whole(1, 20) +
                              " T=" + (once ? "1" : draw.whole(few ? 2 : 100, 1e4)) +
                              " delta=" + text(draw.between(1e-10, 1e-2));
    const double lower = at::in_double("epsilary-lower-cldp-sgd", where),
                 composed = at::in_double("epsilary-cldp-sgd-pld", where);
    if (lower > composed) check_order("epsilary-lower-cldp-sgd", "epsilary-cldp-sgd-pld", where);
    if (i % 4 == 0) below.note(composed <= at::in_double("girgis2021-thm1-privacy-tight-optimal", where), where);
  }
}

TEST_CASE("DP-SGD: lower <= losses composed") {
  Draw draw{std::mt19937_64(77)};
  for (int i = 0; i < 15; ++i) {
    const double q = draw.between(1e-3, 1), sigma = draw.between(0.6, 20), T = std::floor(draw.between(2, 1e4)),
                 spread = q * std::sqrt(T) / sigma;
    const std::string where = "q=" + text(q) + " sigma=" + text(sigma) + " T=" + text(T);
    // The statements themselves at one point, the laws at another.
    const std::string asked = where + " eps=" + text(spread);
    const double lower = at::in_double("epsilary-lower-dp-sgd", asked),
                 composed = at::in_double("vandijk2022-composed", asked);
    if (lower > composed) check_order("epsilary-lower-dp-sgd", "vandijk2022-composed", asked);
    const double eps = draw.between(0.1, 4) * spread;
    const Ball rate(q), mu = 1 / Ball(sigma);
    const auto delta = [&](const LossLaw& law) { return composed_delta({{law, T}}, Ball(eps), {.width = 2e-2}); };
    const Bracket upper = delta(dpsgd::subsampled_gaussian(rate, mu));
    INFO(where << " eps=" << eps);
    for (const auto law : {&dpsgd::poisson_removed, &dpsgd::poisson_added})
      CHECK(delta((*law)(rate, mu)).lower <= upper.upper);
  }
}

TEST_CASE("distributed check-in: lower <= losses composed") {
  Draw draw{std::mt19937_64(78)};
  for (int i = 0; i < 105; ++i) {
    const double n = std::floor(draw.between(2, 100)), expected = std::min(n, draw.between(0.5, 4));
    const std::string where = "n=" + text(n) + " gamma=" + text(expected / n) +
                              " multiplier=" + text(draw.between(1, 5)) + " T=" + (i % 8 ? "1" : draw.whole(2, 1e3)) +
                              " delta=" + text(draw.between(1e-8, 1e-2));
    const double lower = at::in_double("epsilary-lower-distributed-checkin", where),
                 composed = at::in_double("epsilary-distributed-checkin-pld", where);
    if (lower > composed) check_order("epsilary-lower-distributed-checkin", "epsilary-distributed-checkin-pld", where);
  }
}
