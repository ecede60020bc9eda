// Nothing that is given is ignored: what takes from a hypothesis puts a row outside, what cannot matter is noted.
#include "bounds/core/hypotheses.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/protocols.hpp"
#include "bounds/core/question.hpp"
#include "tests/bounds/at.hpp"
#include "tests/bounds/examples.hpp"

using namespace epsilary::bounds;
using examples::has_number;
using examples::with;

TEST_CASE("every statement that assumes a pure randomizer is outside at delta0 > 0, and as it was at delta0 = 0") {
  int pure = 0, approximate = 0;
  for (const Bound* b : all()) {
    if (!(examples::lists(*b, Param::eps0) || examples::lists(*b, Param::steps)) || b->quantity == Quantity::limit)
      continue;
    INFO(b->id << " with " << b->needs.size() << " parameters");
    const Point point = examples::point_of(*b);
    for (const char* delta0 : {"1e-300", "1e-9", "0.5"}) {
      const Point leaks = with(point, Param::delta0, delta0);
      if (examples::lists(*b, Param::delta0)) {
        CHECK(spoiled_hypothesis(*b, leaks).empty());
        continue;
      }
      const Evaluation e = evaluate(*b, leaks);
      CHECK(e.status == Status::outside);
      CHECK(e.reason.starts_with("it needs delta0 = 0, a pure randomizer (got delta0 = "));
      CHECK(DoubleWalk().evaluate(*b, leaks).status == Status::outside);
      CHECK_FALSE(guarantees(*b, e, {}));
    }
    ++(examples::lists(*b, Param::delta0) ? approximate : pure);
    CHECK(spoiled_hypothesis(*b, with(point, Param::delta0, "0")).empty());
  }
  CHECK(pure > 180);
  CHECK(approximate > 40);
}

TEST_CASE("a parameter that takes from what a statement assumes puts it outside; one that cannot matter is noted") {
  const struct {
    const char *id, *params, *needs;
  } spoiled[]{
      {"vandijk2022-composed", "q=0.1 sigma=1 T=3 delta=1e-5 group=3", "group = 1"},
      {"balle2020-thm5.1", "eps0=1 n=100 delta=1e-5 T=10", "T = 1"},
      {"vandijk2022-subsampled", "q=0.1 mu=1 delta=1e-5 epochs=3", "one step"},
      {"epsilary-distributed-checkin-pld", "n=50 gamma=0.5 multiplier=2 T=2 delta=1e-3 dropout=0.1", "dropout = 0"},
      {"epsilary-lower-shuffled-checkin", "eps0=1 n=50 gamma=0.5 T=2 delta=1e-3 dropout=0.1", "dropout = 0"},
      {"epsilary-shuffled-checkin-pld", "eps0=1 n=50 gamma=0.5 T=2 delta=1e-3 dropout=0.1", "dropout = 0"},
      {"epsilary-shuffled-checkin-best-pld", "eps0=1 n=1000 gamma=1 T=1 delta=1e-6 dropout=0.99", "dropout = 0"},
      {"epsilary-cldp-sgd-best-pld", "eps0=1 clients=1000 per_round=1000 T=1 delta=1e-6 dropout=0.99", "dropout = 0"},
      {"epsilary-averaged-blanket", "eps0=1 n=1000 delta=1e-6 dropout=0.99", "dropout = 0"},
      {"epsilary-known-clones", "eps0=1 m=1000 n=100000 p0=0.5 delta=1e-6 dropout=0.99", "dropout = 0"},
      {"epsilary-sliding-known-supremum", "eps0=1 m=100 n=1000 delta=1e-6 dropout=0.99", "dropout = 0"},
      {"epsilary-sliding-known-supremum", "eps0=1 m=100 n=1000 delta=1e-6 p0=0.01", "p0 = 1"},
      {"epsilary-epoch-known-pld", "eps0=1 m=100 n=1000 delta=1e-6 dropout=0.99", "dropout = 0"},
      {"epsilary-epoch-supremum-pld", "eps0=1 m=100 n=1000 delta=1e-6 p0=1", "p0 = m/n"},
      {"balle2020-prop3.4", "n=1000 m=100 p0=0.5 dropout=0.1", "dropout = 0"},
      {"feldman2021-clones", "eps0=1 n=1000 delta=1e-6 p0=0.001", "p0 = 1"},
      {"feldman2021-clones", "eps0=1 n=1000 delta=1e-6 gamma=0.001", "gamma = 1"},
      {"balle2019-bennett-rr", "eps0=1 n=1000 k=3 delta=1e-6 samples=2", "samples = 1"},
      {"epsilary-lower-shuffled-checkin", "eps0=1 n=50 gamma=0.5 T=2 delta=1e-3 quorum=10", "quorum = 1"},
      {"epsilary-cldp-sgd-pld", "eps0=1 clients=100 per_round=10 T=3 delta=1e-4 samples=2", "samples = 1"},
      {"vandijk2022-group-batch", "epochs=10 sigma=4 group=2 sigma_hat=1", "the same noise"},
      {"epsilary-averaged", "eps0=1 n=100 delta=1e-4 p0=0.9", "p0 = 1"},
      {"vandijk2022-zcdp", "rho=0.1 delta=1e-5 omega=20", "zero-concentrated"},
      {"girgis2021-lem2", "radius=1 dim=4 eps0=1 norm=2", "the maximum norm"},
      {"vandijk2022-composed", "q=0.1 sigma=1 multiplier=2 T=3 delta=1e-5", "sigma or multiplier, not both"},
      {"vandijk2022-composed", "q=0.5 n=100 batch=10 sigma=2 T=3 eps=0.5", "one sampling rate"},
      {"epsilary-lower-dp-sgd", "q=0.05 n=100 batch=10 sigma=2 T=3 eps=0.5", "one sampling rate"},
      {"epsilary-cldp-sgd-pld", "eps0=1 clients=100 per_round=10 q=0.2 T=3 delta=1e-4", "one sampling rate"},
      {"vandijk2022-gdp-epsilon", "mu=1 sigma=0.1 T=1 delta=1e-5", "sigma or mu, not both"},
      {"mironov2017-gaussian", "mu=1 T=5 delta=1e-6 multiplier=0.01", "mu or multiplier, not both"},
      {"vandijk2022-composed", "q=0.01 sigma=1 T=10 epochs=100 delta=1e-6", "T or epochs, not both"},
      {"checkin2022-thm1", "n=1000 gamma=0.5 lambda=4 steps=0.1+0.1+0.1 T=100", "T = 1, one round"},
      {"dwork2010-basic", "steps=0.1+0.1+0.1 T=100", "T = the number of steps"},
      {"vandijk2022-gdp-delta", "sigma=10 T=100 eps=0.1 sigma_hat=20", "the same noise"},
      {"vandijk2022-gdp-epsilon", "mu=3 delta=1e-6 q=0.5", "q = 1"},
      {"vandijk2022-gdp-epsilon", "sigma=10 T=100 delta=1e-6 n=1000 batch=10", "batch = n"},
      {"vandijk2022-gdp-epsilon", "sigma=10 T=100 delta=1e-6 gamma=0.5", "gamma = 1"},
  };
  for (const auto& s : spoiled) {
    INFO(std::string(s.id) << " " << std::string(s.params));
    const Evaluation e = at::evaluated(s.id, s.params);
    CHECK(e.status == Status::outside);
    CHECK(e.reason.starts_with("it needs " + std::string(s.needs)));
  }
  const struct {
    const char *id, *params;
    std::vector<Param> unused;
  } harmless[]{
      {"balle2020-thm5.1", "eps0=1 n=100 delta=1e-5 T=1 group=1 delta0=0", {}},
      {"balle2020-thm5.1", "eps0=1 n=100 m=7 delta=1e-5 lambda=3", {Param::m, Param::lambda}},
      {"checkin2022-thm4", "n=50 gamma=0.5 multiplier=2 T=2 delta=1e-3 quorum=10", {Param::quorum}},
      {"balle2020-thm3.2", "eps0=1 m=1000 p0=0.5 delta=1e-6 dropout=0.1", {Param::dropout}},
      {"balle2020-cor3.3", "eps0=0.1 m=100 n=1000 delta=1e-6 dropout=0.1 p0=0.1", {Param::dropout}},
      {"epsilary-sliding-supremum", "eps0=1 m=1000 delta=1e-6 dropout=0.1 p0=0.5", {Param::p0, Param::dropout}},
      {"vandijk2022-composed", "q=0.1 sigma=2 T=3 eps=0.5 dropout=0.1", {Param::dropout}},
      {"vandijk2022-adaptive", "epochs=10 sigma=4 sigma_hat=1", {}},
      {"vandijk2022-composed", "q=0.1 n=100 batch=10 sigma=2 T=3 eps=0.5", {}},
      {"vandijk2022-gdp-epsilon", "sigma=10 T=100 delta=1e-6 n=1000 batch=1000", {Param::n}},
      {"dwork2010-basic", "steps=0.1+0.1+0.1 T=3", {}},
  };
  for (const auto& h : harmless) {
    INFO(h.id << " " << h.params);
    const Point point = reference::parse_point(h.params);
    CHECK(broken_hypothesis(at::form(h.id, h.params), point).empty());
    CHECK(unused(at::form(h.id, h.params), point) == h.unused);
  }
}

TEST_CASE(
    "every protocol has an entry among the facts; a statement about one without takes nothing that it does not list") {
  for (const Bound* b : all()) CHECK_MESSAGE(facts_of(b->protocol).has_value(), b->id << ": " << b->protocol);
  Bound unheard_of = at::form("epsilary-sliding-blanket", "eps0=1 m=100 delta=1e-6");
  const Point point = reference::parse_point("eps0=1 m=100 delta=1e-6");
  CHECK(has_number(evaluate(unheard_of, point)));
  CHECK(has_number(evaluate(unheard_of, with(point, Param::dropout, "0.5"))));
  unheard_of.protocol = "unheard-of";
  CHECK(has_number(evaluate(unheard_of, point)));
  for (const auto& [p, value] : {std::pair{Param::dropout, "0.5"},
                                 {Param::p0, "0.5"},
                                 {Param::gamma, "1"},
                                 {Param::per_round, "3"},
                                 {Param::lambda, "2"}}) {
    INFO(key(p));
    const Evaluation e = evaluate(unheard_of, with(point, p, value));
    CHECK(e.status == Status::outside);
    CHECK(e.reason.starts_with("it needs no " + std::string(key(p)) + ", as nothing is known of its protocol"));
    CHECK(DoubleWalk().evaluate(unheard_of, with(point, p, value)).status == Status::outside);
    CHECK(unused(unheard_of, with(point, p, value)).empty());
  }
}

TEST_CASE(
    "others who may be absent are counted on by every guarantee that they hide, or it says how many of them stay") {
  int outside = 0;
  for (const Bound* b : all()) {
    if (examples::lists(*b, Param::dropout) || b->quantity == Quantity::bits || b->quantity == Quantity::limit)
      continue;
    if (facts_of(b->protocol)->hiding != Hiding::by_others) continue;
    INFO(b->id);
    CHECK(spoiled_hypothesis(*b, with(examples::point_of(*b), Param::dropout, "1e-9"))
              .starts_with("it needs dropout = 0"));
    ++outside;
  }
  CHECK(outside > 250);
}

TEST_CASE("there is no slot 0, and no round 0 of a slot") {
  for (const auto& [id, params] :
       {std::pair{"balle2020-step", "eps0=1 m=100 p0=0.5 T="}, {"balle2020-swap-step", "eps0=1 n=100 T="}}) {
    INFO(id);
    CHECK(at::evaluated(id, std::string(params) + "0").reason == "T must be at least 1 here (got 0)");
    CHECK(has_number(at::evaluated(id, std::string(params) + "1")));
  }
  // A place among n is not one among slots that the statement does not know of.
  CHECK(has_number(at::evaluated("balle2020-swap-step", "eps0=1 n=100 T=50 m=5")));
}

TEST_CASE("a window that every client takes part in charges all of delta0, whatever p0 is said beside it") {
  const std::string slides = "eps0=0.1 delta0=1e-10 m=1000 delta=1e-6";
  for (const char* id : {"epsilary-sliding-lazy-clip", "epsilary-sliding-steps-clip"}) {
    INFO(id);
    const Evaluation one = at::evaluated(id, slides), two = at::evaluated(id, slides + " p0=0.01");
    REQUIRE(has_number(one));
    REQUIRE(has_number(two));
    CHECK(one.answer().value.overlaps(two.answer().value));
    CHECK(at::evaluated(id, "eps0=0.1 delta0=1e-6 m=1000 delta=1e-6 p0=0.01").status == Status::outside);
  }
}
