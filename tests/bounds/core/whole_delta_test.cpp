// delta is the whole delta: what a guarantee spends in parts is no more than what was asked for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "bounds/core/hypotheses.hpp"
#include "bounds/core/question.hpp"
#include "experiments/tightness/solve.hpp"
#include "tests/bounds/at.hpp"
#include "tests/bounds/examples.hpp"

using namespace epsilary::bounds;
using examples::has_number;

TEST_CASE("whatever a row spends, a guarantee spends no more than delta, and its parts typed again give the same") {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> unit;
  int within = 0, beyond = 0, split = 0, refused = 0;
  for (const Bound* b : all()) {
    const bool dear = b->width > 0 || b->id.ends_with("-pld") || b->id == "checkin2022-generic";
    if (dear || b->quantity != Quantity::epsilon || !std::ranges::count(b->needs, Param::delta)) continue;
    for (int i = 0; i < 6; ++i) {
      Point point = examples::point_of(*b);
      const auto set = [&](Param p, double low, double high) {
        if (point.has(p))
          point.set(p, Decimal::nearest(std::exp(std::log(low) + unit(random) * std::log(high / low)), 6));
      };
      set(Param::eps0, 0.02, 1);
      set(Param::delta, 1e-12, 1e-3);
      set(Param::delta0, 1e-30, 1e-10);
      set(Param::delta1, 1e-25, 1e-9);
      set(Param::delta2, 1e-12, 1e-3);
      set(Param::beta, 1e-15, 1e-4);
      if (point.has(Param::gamma)) {  // few terms
        point.set(Param::n, Decimal(2000));
        point.set(Param::gamma, Decimal("0.1"));
        if (point.has(Param::quorum)) point.set(Param::quorum, Decimal(60 + 20 * i));
      }
      if (!broken_hypothesis(*b, point).empty()) continue;
      std::string text(b->id);
      for (const auto& given : point.given()) text += " " + std::string(key(given.param)) + "=" + given.value->text();
      INFO(text);
      const Evaluation e = evaluate(*b, point, {.digits = 8});
      if (e.status == Status::outside) {
        ++refused;
        continue;
      }
      REQUIRE_MESSAGE(has_number(e), e.reason);
      const Ball::Precision bits(200);
      const Ball asked(point[Param::delta].exact());
      if (e.answer().log_delta_total && !e.answer().at.empty()) {
        // Parts that were found: the statement at these very parts spends at most delta and says the same.
        Point again = point;
        for (const auto& chosen : e.answer().at)
          again.set(chosen.param, Decimal(decimal(chosen.value, 40, Rounding::down)));
        const Bound* form = form_for(named(b->id), again);
        REQUIRE(form);
        const bool typed = again.has(Param::share) || form != b;
        if (typed && broken_hypothesis(*form, again).empty()) {
          const Evaluation parts = evaluate(*form, again, {.digits = 8});
          REQUIRE(has_number(parts));
          const Ball spent = delta_total(parts.answer()).value(), told = delta_total(e.answer()).value();
          CHECK(spent.lower() <= asked.upper() * (1 + 1e-15));
          CHECK(told.upper() >= spent.lower() * (1 - 1e-15));
          CHECK(parts.answer().value.midpoint() == doctest::Approx(e.answer().value.midpoint()).epsilon(1e-9));
          ++split;
        }
      }
      if (!e.within) {
        CHECK_FALSE(guarantees(*b, e, {}));
        CHECK_FALSE(certainly(e.answer().log_delta_total.value() <= log(asked)));
        ++beyond;
      } else if (e.answer().log_delta_total && !e.answer().within) {
        CHECK(certainly(delta_total(e.answer()).value() <= asked));
        ++within;
      } else if (e.answer().log_delta_total) {
        CHECK_FALSE(certainly(delta_total(e.answer()).value() > asked));
        ++within;
      }
    }
  }
  CHECK(within > 60);
  CHECK(beyond > 20);
  CHECK(split > 40);
  CHECK(refused > 5);
}

TEST_CASE("what spends all of delta, or says no more than the trivial bound, is vacuous and says so") {
  const auto said = [](const char* id, const char* params) {
    const Evaluation e = at::evaluated(id, params, 6);
    return std::string(name(e.status)) + ": " + e.reason;
  };
  CHECK(said("balle2020-thm5.1-approx", "eps0=0.5 delta0=1e-15 delta1=1e-9 n=1296575564712 delta=1e-6") ==
        "vacuous: the total delta is 1 or more; it holds at its delta_total, not at the delta asked");
  CHECK(said("balle2020-thm4.1", "eps0=0.2 n=1000 m=50 delta=0.5 delta2=0.75").starts_with("vacuous: the total delta"));
  CHECK(said("balle2020-thm5.1", "eps0=5 n=10 delta=1e-6") == "vacuous: no better than the trivial bound");
  CHECK(said("balle2020-thm5.1", "eps0=1 n=10000 delta=1e-6") == "ok: ");
}

TEST_CASE("solving keeps what is spent within delta") {
  const auto least_n = [](const char* id, const char* params, const char* target) {
    const Point point = reference::parse_point(params);
    return epsilary::experiments::solve(at::form(id, std::string(params) + " n=1000"), point, Param::n, Decimal(target),
                                        6);
  };
  // Here what delta0 costs exceeds delta long before epsilon is small enough.
  CHECK(least_n("balle2020-thm5.1-approx", "eps0=0.5 delta0=1e-15 delta1=1e-9 delta=1e-6", "0.1").status ==
        Inverted::nowhere);
  CHECK(least_n("balle2020-thm5.1-approx", "eps0=0.5 delta0=1e-15 delta=1e-6", "0.1").status == Inverted::nowhere);
  CHECK(least_n("epsilary-shuffle-2eps0", "eps0=1 delta0=1e-6 delta=1e-6", "0.1").status == Inverted::nowhere);
  CHECK(least_n("feldman2021-clones", "eps0=1 delta0=1e-7 delta=1e-6", "0.1").status == Inverted::nowhere);
  // And here it does not.
  for (const auto& [id, params] : {std::pair{"feldman2021-clones", "eps0=1 delta0=1e-12 delta=1e-6"},
                                   {"epsilary-shuffle-2eps0", "eps0=0.2 delta0=1e-14 delta=1e-6"}}) {
    INFO(id);
    const Inversion found = least_n(id, params, "0.1");
    REQUIRE(found.status == Inverted::found);
    const Evaluation e = at::evaluated(id, std::string(params) + " n=" + found.value.text());
    CHECK(e.within);
    CHECK(certainly(e.answer().value <= Ball(Decimal("0.1").exact())));
    const Evaluation fewer = at::evaluated(id, std::string(params) + " n=" + found.beyond->text());
    CHECK(certainly(fewer.answer().value > Ball(Decimal("0.1").exact())));
  }
  // A noise in another unit is solved for like any other.
  const Point run = reference::parse_point("n=50 gamma=0.5 T=2 delta=1e-3");
  const Bound& thm4 = at::form("checkin2022-thm4", "n=50 gamma=0.5 T=2 delta=1e-3 sigma=1");
  const Inversion sigma = epsilary::experiments::solve(thm4, run, Param::sigma, Decimal("1"), 8),
                  norms = epsilary::experiments::solve(thm4, run, Param::multiplier, Decimal("1"), 8);
  REQUIRE(sigma.status == Inverted::found);
  CHECK(to_double(Ball(norms.value.exact())) ==
        doctest::Approx(2 * to_double(Ball(sigma.value.exact()))).epsilon(1e-6));
}
