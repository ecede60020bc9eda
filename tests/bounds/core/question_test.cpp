// A row answers the question that was asked: delta is the whole delta, what is given is never ignored, neighbours and
// what the adversary sees are never mixed, and noise has one unit.
#include "bounds/core/question.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/hypotheses.hpp"
#include "bounds/core/protocols.hpp"
#include "bounds/core/units.hpp"
#include "experiments/sweep/order.hpp"
#include "experiments/tightness/solve.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

Point example_of(const Bound& b) {
  Point point;
  for (const Param p : b.needs)
    if (p == Param::steps)
      point.set_steps(epsilary::experiments::parse_sequence(info(p).example));
    else if (p == Param::randomizer)
      point.set_randomizer(epsilary::experiments::read_randomizer(info(p).example));
    else
      point.set(p, Decimal(info(p).example));
  return point;
}

Point with(Point point, Param p, const char* value) {
  point.set(p, Decimal(value));
  return point;
}

bool is_listed(const Bound& b, Param p) {
  return std::ranges::count(b.needs, p) > 0 || std::ranges::count(b.takes, p) > 0;
}

bool has_number(const Evaluation& e) { return has_value(e.status); }

// The ids that are a guarantee for a question about this protocol.
std::set<std::string> answering(const std::string& protocol, Quantity quantity, const Question& question) {
  std::set<std::string> ids, seen;
  for (const Bound* first : all()) {
    if (first->protocol != protocol || !seen.insert(std::string(first->id)).second) continue;
    std::vector<const Bound*> forms = named(first->id);
    std::erase_if(forms, [&](const Bound* f) { return f->quantity != quantity || f->protocol != protocol; });
    const Bound* form = form_for(forms, question.point);
    if (!form) continue;
    if (guarantees(*form, evaluate(*form, question, {.digits = 4}), question.asked)) ids.emplace(form->id);
  }
  return ids;
}

struct Asks {
  const char *protocol, *params;
  Quantity quantity;
  Asked asked;
  std::set<std::string> answered_by;
};

}  // namespace

TEST_CASE("a table of questions, and the guarantees that answer them") {
  using enum Quantity;
  const Asked removal{Adjacency::remove, {}}, replacement{Adjacency::replace, {}}, told{{}, View::told_steps};
  const std::vector<Asks> table{
      // A pure randomizer: every analysis of the shuffle that is proved.
      {"shuffle",
       "eps0=1 n=50 delta=1e-3",
       epsilon,
       {},
       {"balle2020-thm5.1",
        "balle2020-thmA.7",
        "balle2019-stated",
        "balle2019-hoeffding",
        "balle2019-bennett",
        "epsilary-blanket-joint",
        "epsilary-blanket-tight",
        "epsilary-blanket-bennett",
        "feldman2021-clones",
        "epsilary-shuffle-blanket",
        "epsilary-shuffle-pivot",
        "epsilary-shuffle-best",
        "epsilary-lower-rr",
        "epsilary-lower-rr3",
        "epsilary-lower-rr-mixed",
        "epsilary-shuffle-steps",
        "epsilary-shuffle-lazy-closed",
        "epsilary-shuffle-lazy",
        "epsilary-shuffle-response",
        "epsilary-shuffle-lazy-pld",
        "epsilary-shuffle-response-pld"}},
      // The same of an approximate one: what knows delta0, and what no analysis can beat.
      {"shuffle",
       "eps0=0.1 delta0=1e-15 n=1000 delta=1e-6",
       epsilon,
       {},
       {"balle2020-thm5.1-approx", "epsilary-shuffle-2eps0", "feldman2021-clones", "epsilary-shuffle-blanket",
        "epsilary-lower-rr", "epsilary-lower-rr3"}},
      // delta0 beyond delta: nothing.
      {"shuffle", "eps0=1 delta0=1e-3 n=50 delta=1e-6", epsilon, {}, {}},
      {"checkin-fixed", "eps0=1 delta0=0.1 m=1 p0=1 delta=1e-6", epsilon, {}, {}},
      {"checkin-fixed",
       "eps0=0.1 delta0=1e-15 m=1000 p0=0.5 delta=1e-6",
       epsilon,
       {},
       {"balle2020-thm3.2-approx", "balle2020-thm3.2-approx-printed", "epsilary-fixed-2eps0", "epsilary-fixed-clip",
        "epsilary-checkin-steps-clip", "epsilary-checkin-lazy-clip", "epsilary-lower-rr-fixed",
        "epsilary-lower-rr3-fixed"}},
      // A shuffle is one round; what is known of one can be seen in two.
      {"shuffle",
       "eps0=1 n=50 delta=1e-3 T=2",
       epsilon,
       {},
       {"epsilary-shuffle-best-pld", "epsilary-lower-shuffle-rounds", "epsilary-lower-rr", "epsilary-lower-rr3",
        "epsilary-lower-rr-mixed"}},
      // Two records at once: what is known of one is known of two, and promised to neither.
      {"shuffle",
       "eps0=1 n=50 eps=0.1 group=2",
       delta,
       {},
       {"epsilary-lower-rr", "epsilary-lower-rr3", "epsilary-lower-rr-mixed"}},
      // Loads take their part of delta, so their form with parts is about another delta.
      {"checkin-averaged",
       "eps0=0.2 n=1000 m=50 delta=1e-3",
       epsilon,
       {},
       {"balle2020-thm4.1", "balle2020-thm4.1-split", "epsilary-averaged", "epsilary-averaged-loads",
        "epsilary-averaged-clones", "epsilary-averaged-blanket", "epsilary-averaged-steps",
        "epsilary-averaged-lazy-closed", "epsilary-averaged-lazy", "epsilary-averaged-response",
        "epsilary-averaged-lazy-pld", "epsilary-averaged-response-pld", "epsilary-lower-rr-averaged",
        "epsilary-lower-rr3-averaged"}},
      {"checkin-averaged",
       "eps0=0.2 n=1000 m=50 delta=1e-3 delta2=1e-3",
       epsilon,
       {},
       {"balle2020-thm4.1-split", "epsilary-averaged", "epsilary-averaged-clones", "epsilary-averaged-blanket",
        "epsilary-averaged-steps", "epsilary-averaged-lazy-closed", "epsilary-averaged-lazy",
        "epsilary-averaged-response", "epsilary-averaged-lazy-pld", "epsilary-averaged-response-pld",
        "epsilary-lower-rr-averaged", "epsilary-lower-rr3-averaged"}},
      // Every client must check in.
      {"checkin-averaged", "eps0=0.2 n=1000 m=50 p0=0.5 delta=1e-3", epsilon, {}, {}},
      {"checkin-sliding", "eps0=1 m=20 n=10 delta=1e-3", epsilon, {}, {}},
      // Replacing and removing, the number of check-ins public and hidden.
      {"distributed-checkin",
       "n=50 gamma=0.5 multiplier=2 quorum=5 dim=1 T=2 delta=1e-3",
       epsilon,
       {},
       {"checkin2022-thm4", "checkin2022-thm4-real", "checkin2022-thm4-eq11", "checkin2022-thm4-quorum",
        "checkin2022-sec5.1-strong", "checkin2022-sec5.1-exact-strong", "checkin2022-sec5.1-half",
        "checkin2022-sec5.1-exact-half", "checkin2022-sec5.1-tanh", "checkin2022-sec5.1-exact-tanh",
        "checkin2022-sec5.1-optimal", "checkin2022-sec5.1-exact-optimal", "epsilary-distributed-checkin-pld",
        "epsilary-lower-distributed-checkin"}},
      {"distributed-checkin",
       "n=50 gamma=0.5 multiplier=2 quorum=5 dim=1 T=2 delta=1e-3",
       epsilon,
       removal,
       {"checkin2022-thm4-removal-client"}},
      {"distributed-checkin-equal-noise",
       "n=50 gamma=0.5 multiplier=2 quorum=5 T=2 delta=1e-3",
       epsilon,
       removal,
       {"checkin2022-thm4-removal"}},
      {"distributed-checkin-equal-noise",
       "n=50 gamma=0.5 multiplier=2 quorum=5 T=2 delta=1e-3",
       epsilon,
       replacement,
       {}},
      // A rate of check-in that is not known.
      {"distributed-checkin",
       "n=50 gamma=0.5 multiplier=2 dropout=0.1 T=2 delta=1e-3",
       epsilon,
       {},
       {"checkin2022-thm4-dropout"}},
      // A divergence outside an event is no divergence.
      {"distributed-checkin",
       "n=50 gamma=0.5 multiplier=2 quorum=5 lambda=2",
       rdp,
       {},
       {"checkin2022-thm4", "checkin2022-thm4-real", "checkin2022-thm4-eq11"}},
      {"distributed-checkin", "n=50 gamma=0.5 multiplier=2 quorum=5 lambda=2", rdp_approx, {}, {}},
      {"distributed-checkin",
       "n=50 gamma=0.5 multiplier=2 quorum=5 lambda=2 delta=1e-3",
       rdp_approx,
       {},
       {"checkin2022-thm4-quorum"}},
      // The adversary told which steps used the record.
      {"dp-sgd",
       "n=100 batch=10 sigma=2 T=3 eps=0.5",
       delta,
       {},
       {"vandijk2022-composed", "vandijk2022-composed-contour", "epsilary-lower-dp-sgd"}},
      {"dp-sgd", "n=100 batch=10 sigma=2 T=3 eps=0.5", delta, told, {"vandijk2022-a1"}},
      {"dp-sgd", "n=100 batch=10 sigma=2 T=3 eps=0.5", delta, removal, {}},
      {"dp-sgd", "n=100 batch=10 sigma=2 T=3 eps=0.5 group=2", delta, {}, {"epsilary-lower-dp-sgd"}},
      {"cldp-sgd",
       "eps0=1 clients=100 per_round=10 T=3 delta=1e-4 samples=2",
       epsilon,
       {},
       {"epsilary-lower-cldp-sgd", "epsilary-lower-cldp-sgd-ternary"}},
      // Conversions hold whatever the neighbours are, but truncated privacy is not concentrated at every order.
      {"any", "rho=0.1 delta=1e-5", epsilon, removal, {"vandijk2022-zcdp", "vandijk2022-zcdp-simple"}},
      {"any", "rho=0.1 omega=20 delta=1e-5", epsilon, {}, {"vandijk2022-tcdp", "vandijk2022-tcdp-simple"}},
      {"composition",
       "eps0=0.1 delta0=1e-9 T=10 delta=1e-6",
       epsilon,
       {},
       {"dwork2010-basic", "kairouz2015-adv", "kairouz2015-adv-e", "epsilary-composition-sharp", "kairouz2015-optimal",
        "vandijk2022-advanced"}},
      // All of delta is spent: 1 - (1 - delta0)^T leaves a little of T delta0, the sum nothing.
      {"composition",
       "eps0=0.1 delta0=1e-7 T=10 delta=1e-6",
       epsilon,
       {},
       {"dwork2010-basic", "kairouz2015-adv", "kairouz2015-adv-e", "epsilary-composition-sharp",
        "kairouz2015-optimal"}},
      {"composition", "eps0=0.1 delta0=1.1e-7 T=10 delta=1e-6", epsilon, {}, {}},
      {"composition", "eps0=0.1 delta0=1e-9 T=10", epsilon, {}, {}},  // of no delta asked
  };
  for (const Asks& asks : table) {
    INFO(asks.protocol << " " << asks.params << " " << name(asks.quantity));
    const auto got = answering(asks.protocol, asks.quantity, {reference::parse_point(asks.params), asks.asked});
    for (const std::string& id : asks.answered_by) CHECK_MESSAGE(got.contains(id), id << " must answer");
    for (const std::string& id : got) CHECK_MESSAGE(asks.answered_by.contains(id), id << " must not answer");
  }
}

TEST_CASE("every statement that assumes a pure randomizer is outside at delta0 > 0, and as it was at delta0 = 0") {
  int pure = 0, approximate = 0;
  for (const Bound* b : all()) {
    if (!(is_listed(*b, Param::eps0) || is_listed(*b, Param::steps)) || b->quantity == Quantity::limit) continue;
    INFO(b->id << " with " << b->needs.size() << " parameters");
    const Point point = example_of(*b);
    for (const char* delta0 : {"1e-300", "1e-9", "0.5"}) {
      const Point leaks = with(point, Param::delta0, delta0);
      if (is_listed(*b, Param::delta0)) {
        CHECK(spoiled_hypothesis(*b, leaks).empty());
        continue;
      }
      const Evaluation e = evaluate(*b, leaks);
      CHECK(e.status == Status::outside);
      CHECK(e.reason.starts_with("it needs delta0 = 0, a pure randomizer (got delta0 = "));
      CHECK(DoubleWalk().evaluate(*b, leaks).status == Status::outside);
      CHECK_FALSE(guarantees(*b, e, {}));
    }
    ++(is_listed(*b, Param::delta0) ? approximate : pure);
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
    if (is_listed(*b, Param::dropout) || b->quantity == Quantity::bits || b->quantity == Quantity::limit) continue;
    if (facts_of(b->protocol)->hiding != Hiding::by_others) continue;
    INFO(b->id);
    CHECK(spoiled_hypothesis(*b, with(example_of(*b), Param::dropout, "1e-9")).starts_with("it needs dropout = 0"));
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

TEST_CASE("whatever a row spends, a guarantee spends no more than delta, and its parts typed again give the same") {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> unit;
  int within = 0, beyond = 0, split = 0, refused = 0;
  for (const Bound* b : all()) {
    const bool dear = b->width > 0 || b->id.ends_with("-pld") || b->id == "checkin2022-generic";
    if (dear || b->quantity != Quantity::epsilon || !std::ranges::count(b->needs, Param::delta)) continue;
    for (int i = 0; i < 6; ++i) {
      Point point = example_of(*b);
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

TEST_CASE("neighbours, views and what is known are told apart wherever statements share a protocol") {
  for (const Bound* a : all())
    for (const Bound* b : all())
      if (subject(*a) == subject(*b)) {
        REQUIRE(a->adjacency == b->adjacency);
        REQUIRE(a->view == b->view);
        REQUIRE(a->protocol == b->protocol);
      }
  // Each is its own question when asked for, and another when the other is asked for.
  for (const Bound* b : all()) {
    INFO(b->id);
    CHECK(other_question(*b, asked_by({b}, {})).empty());
    if (b->adjacency != Adjacency::replace && b->adjacency != Adjacency::remove) continue;
    const Adjacency other = b->adjacency == Adjacency::replace ? Adjacency::remove : Adjacency::replace;
    CHECK_FALSE(other_question(*b, {other, {}}).empty());
    const Evaluation e = evaluate(*b, Question{example_of(*b), {other, {}}});
    CHECK(e.status == Status::outside);
    CHECK(e.reason.starts_with("another question: "));
  }
  CHECK(usual_adjacency("shuffle") == Adjacency::replace);
  CHECK(usual_adjacency("dp-sgd") == Adjacency::replace);
  CHECK(usual_adjacency("dp-sgd-poisson") == Adjacency::remove);
}

TEST_CASE("rows are ranked within one question only") {
  const Point point = reference::parse_point(
      "eps0=1 n=60 gamma=0.5 multiplier=2 quorum=5 dim=1 T=2 delta=1e-3 m=10 p0=1 q=0.1 mu=1 lambda=2 per_round=30");
  std::vector<epsilary::experiments::Row> rows;
  std::set<std::string_view> seen;
  for (const Bound* b : all())
    if (b->width == 0 && seen.insert(b->id).second)
      if (const Bound* form = form_for(named(b->id), point); form && form->width == 0)
        rows.push_back({form, point, {}});
  epsilary::experiments::run(rows, Accuracy{.digits = 4}, 1);
  epsilary::experiments::tightest_first(rows);
  std::vector<Subject> order;
  for (const auto& row : rows)
    if (order.empty() || order.back() != subject(*row.bound)) order.push_back(subject(*row.bound));
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(order[i] != order[j]);  // no question is torn apart
  CHECK(order.size() > 8);
}

TEST_CASE("one noise, one unit: where protocols coincide with a Gaussian mechanism, they say the same") {
  for (const double s : {0.7, 1.0, 3.0}) {
    const std::string sigma = " sigma=" + Decimal::nearest(s, 6).text(),
                      twice = " multiplier=" + Decimal::nearest(2 * s, 6).text(),
                      once = " multiplier=" + Decimal::nearest(s, 6).text();
    INFO(sigma);
    // One report: divergence lambda/(2 sigma^2), whoever is replaced or removed.
    const auto rdp = [&](const char* id, const std::string& rest) { return at::number(id, "lambda=3 " + rest); };
    const double gaussian = 3 / (2 * s * s);
    CHECK(rdp("epsilary-shuffled-gaussian", "n=1" + sigma) == doctest::Approx(gaussian).epsilon(1e-12));
    CHECK(rdp("epsilary-shuffled-gaussian", "n=1" + twice) == doctest::Approx(gaussian).epsilon(1e-12));
    CHECK(rdp("epsilary-shuffled-gaussian-checkin", "n=1 gamma=1" + sigma) == doctest::Approx(gaussian).epsilon(1e-12));
    CHECK(rdp("epsilary-removal-gaussian", "per_round=1 gamma=1" + sigma) == doctest::Approx(gaussian).epsilon(1e-12));
    CHECK(rdp("epsilary-removal-gaussian", "per_round=1 gamma=1" + once) == doctest::Approx(gaussian).epsilon(1e-12));
    const Ball exact = at::proved("vandijk2022-gdp-epsilon", "T=1 delta=1e-5" + sigma, 12);
    for (const auto& [id, rest] : {std::pair{"epsilary-distributed-checkin-pld", "n=1 gamma=1 T=1 delta=1e-5"},
                                   {"epsilary-lower-distributed-checkin", "n=1 gamma=1 T=1 delta=1e-5"},
                                   {"vandijk2022-composed", "q=1 T=1 delta=1e-5"},
                                   {"vandijk2022-poisson", "q=1 T=1 delta=1e-5"},
                                   {"epsilary-lower-dp-sgd", "q=1 T=1 delta=1e-5"}}) {
      INFO(id);
      const Evaluation e = at::evaluated(id, rest + sigma, 6);
      REQUIRE(has_number(e));
      CHECK(e.answer().value.overlaps(exact));
      const std::string in_norms = at::form(id, rest + sigma).adjacency == Adjacency::replace ? twice : once;
      CHECK(at::evaluated(id, rest + in_norms, 6).answer().value.overlaps(exact));
    }
  }
  // A statement that does not say what neighbours are has no clipping norm.
  CHECK(form_for(named("vandijk2022-gdp-epsilon"), reference::parse_point("multiplier=1 T=1 delta=1e-5")) == nullptr);
  CHECK(in_own_units(at::form("checkin2022-thm4", "n=9 gamma=0.5 sigma=0.3 lambda=2"),
                     reference::parse_point("n=9 gamma=0.5 sigma=0.3 lambda=2"))[Param::multiplier]
            .text() == "0.6");
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

TEST_CASE("a limit of a hypothesis is not a bound on epsilon") {
  for (const char* id : {"girgis2021-lem3-limit", "balle2020-lemA.3", "balle2020-lemA.3-printed"})
    for (const Bound* b : named(id)) CHECK(b->quantity == Quantity::limit);
  CHECK(at::number("girgis2021-lem3-limit", "q=0.001 n=1000 delta=1e-5") < 0);
}
