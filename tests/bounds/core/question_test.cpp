// A row answers the question that was asked: neighbours and what the adversary sees are never mixed, and noise has one
// unit.
#include "bounds/core/question.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bounds/core/units.hpp"
#include "experiments/sweep/order.hpp"
#include "experiments/sweep/run.hpp"
#include "tests/bounds/at.hpp"
#include "tests/bounds/examples.hpp"

using namespace epsilary::bounds;

namespace {

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
    const Evaluation e = evaluate(*b, Question{examples::point_of(*b), {other, {}}});
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
      REQUIRE(examples::has_number(e));
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

TEST_CASE("a limit of a hypothesis is not a bound on epsilon") {
  for (const char* id : {"girgis2021-lem3-limit", "balle2020-lemA.3", "balle2020-lemA.3-printed"})
    for (const Bound* b : named(id)) CHECK(b->quantity == Quantity::limit);
  CHECK(at::number("girgis2021-lem3-limit", "q=0.001 n=1000 delta=1e-5") < 0);
}
