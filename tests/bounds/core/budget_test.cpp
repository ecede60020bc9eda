// What an evaluation may cost is counted, and what is known without it is told.
#include <doctest/doctest.h>

#include "solvers/numbers/work.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

TEST_CASE("sums over very many clients, rounds and orders end with the work allowed") {
  for (const char* where :
       {"checkin2022-thm3-exact eps0=1 n=1e12 gamma=0.5 lambda=2",
        "checkin2022-thm3-exact eps0=1 n=1e9 gamma=0.5 lambda=2",
        "checkin2022-thm4 n=1e15 gamma=0.5 multiplier=1 T=10 delta=1e-6",
        "checkin2022-thm4-removal-client n=1e14 gamma=0.5 multiplier=1 quorum=3 dim=1 T=10 delta=1e-6",
        "checkin2022-thm4 n=1e6 gamma=1e-40 multiplier=1 lambda=65537",
        "kairouz2015-optimal eps0=0.1 T=2147483648 delta=1e-6", "kairouz2015-optimal eps0=1e-20 T=1e15 delta=1e-6"}) {
    const std::string text(where), id = text.substr(0, text.find(' ')), params = text.substr(text.find(' ') + 1);
    INFO(text);
    const Accuracy a{.patience = 0.05};
    const double before = epsilary::solvers::work::done;
    evaluate(at::form(id, params), reference::parse_point(params), a);
    CHECK(epsilary::solvers::work::done - before < 1.1 * closed_form_work(a));
  }
}

TEST_CASE("what is decided by its size alone takes next to no work") {
  for (const char* where :
       {"epsilary-shuffled-checkin-gaussian-pld n=1000 gamma=0.01 T=10 sigma=1e1000 delta=1e-6",
        "epsilary-shuffled-checkin-gaussian-pld n=1000 gamma=0.01 T=10 sigma=1e100 delta=1e-6",
        "epsilary-distributed-checkin-pld n=1000 gamma=0.01 T=10 multiplier=1e1000 delta=1e-6",
        "epsilary-lower-distributed-checkin n=1000 gamma=0.01 T=10 multiplier=1e1000 delta=1e-6",
        "feldman2021-clones eps0=1 delta0=1e-3 n=1e9 eps=0.5",
        "epsilary-shuffle-blanket eps0=1 delta0=1e-3 n=1e9 eps=0.5", "epsilary-shuffle-pivot eps0=1 n=1e6 eps=0.9",
        "epsilary-shuffle-best eps0=1 n=1e6 eps=0.9", "epsilary-checkin-supremum eps0=1 m=1e6 p0=1 eps=0.9"}) {
    const std::string text(where), id = text.substr(0, text.find(' ')), params = text.substr(text.find(' ') + 1);
    INFO(text);
    const double before = epsilary::solvers::work::done;
    const Evaluation e = evaluate(at::form(id, params), reference::parse_point(params));
    CHECK(epsilary::solvers::work::done - before < 2e6);
    REQUIRE(has_value(e.status));
    if (at::form(id, params).quantity == Quantity::epsilon) CHECK(e.answer().value.is_zero());
    if (id == "epsilary-shuffle-pivot") CHECK(certainly(e.answer().value <= exp(Ball(-9000))));
  }
}

TEST_CASE("delta is never above what Gaussian noise of this size lets apart") {
  const char* far = "n=1000 gamma=0.01 T=10 sigma=1e250 eps=0.1";
  const Ball tiny = at::evaluated("epsilary-shuffled-checkin-gaussian-pld", far, 6).answer().value;
  CHECK(certainly(tiny <= exp(Ball(-570))));
  // Where cells have something to tell, what they tell is below.
  const std::string near = "n=1000 gamma=0.01 T=10 sigma=1e4";
  const double apart = 10 * 0.01 / 1e4 * 0.3989422804;
  CHECK(at::evaluated("epsilary-shuffled-checkin-gaussian-pld", near + " eps=0", 6).answer().value.upper() <=
        apart * 1.01);
  CHECK(at::evaluated("epsilary-shuffled-checkin-gaussian-pld", near + " delta=1e-7", 6).answer().value.lower() > 0);
}

TEST_CASE("sums over ten million clients and brackets of many steps end with the work of some seconds") {
  for (const char* where :
       {"checkin2022-thm2 eps0=1 n=1e7 gamma=0.1 T=10 delta=1e-6", "epsilary-shuffle-blanket eps0=1 n=1e9 delta=1e-30",
        "epsilary-shuffle-blanket eps0=1 n=1e9 delta=1e-300", "epsilary-shuffle-best eps0=8 n=1e4 delta=1e-6",
        "epsilary-shuffle-best eps0=5 n=5000 delta=1e-8"}) {
    const std::string text(where), id = text.substr(0, text.find(' ')), params = text.substr(text.find(' ') + 1);
    INFO(text);
    const double before = epsilary::solvers::work::done;
    CHECK(has_value(evaluate(at::form(id, params), reference::parse_point(params)).status));
    CHECK(epsilary::solvers::work::done - before < 4.5e8);
  }
}

TEST_CASE("the mean of what too few check-ins cost is the same by moments and term by term") {
  // Few clients and a large order are summed term by term, many clients by moments; between them the formula has no
  // step.
  const std::string run = "eps0=1 gamma=0.1 lambda=40 Delta=0.3 n=";
  const auto found = [&](const char* n) { return at::number("checkin2022-thm2", run + n + " T=1 delta=1e-6"); };
  // 8 sqrt(n gamma) = 40 at n = 250. By the slope on both sides.
  const double before = found("248"), last = found("250"), first = found("251"), after = found("253");
  const double expected = ((last - before) / 2 + (after - first) / 2) / 2;
  CHECK(first - last == doctest::Approx(expected).epsilon(0.25));
}

TEST_CASE("where no number is found with the work allowed, what a randomizer promises by itself is") {
  const auto evaluated = [](const char* id, const char* params) {
    return evaluate(at::form(id, params), reference::parse_point(params), {.patience = 0.02});
  };
  const Evaluation shuffled = evaluated("feldman2021-clones", "eps0=700 n=1e6 delta=1e-6");
  REQUIRE(has_value(shuffled.status));
  CHECK(certainly(capped(shuffled.answer()) <= Ball(700)));
  const Evaluation composed = evaluated("kairouz2015-optimal", "eps0=0.1 T=1e12 delta=1e-6");
  REQUIRE(composed.status == Status::vacuous);
  CHECK(composed.certified);
  CHECK(composed.answer().value.overlaps(Ball(100000000000)));
  CHECK(composed.reason.starts_with("nothing better than the trivial bound is proved"));
  // An estimate and a lower bound have no ceiling, and an approximate randomizer has none of this kind.
  CHECK(evaluated("checkin2022-thm3-exact", "eps0=1 n=1e12 gamma=0.5 lambda=2").status == Status::unresolved);
}

TEST_CASE("more clients than can be counted are refused by that reason") {
  for (const char* where :
       {"checkin2022-thm4-removal-client n=9223372036854775809 gamma=0.5 multiplier=1 quorum=3 dim=1 T=10 delta=1e-6",
        "checkin2022-thm4-quorum n=1e16 gamma=0.5 multiplier=1 quorum=3 T=10 delta=1e-6",
        "checkin2022-thm4 n=1e16 gamma=0.5 multiplier=1 T=10 delta=1e-6",
        "checkin2022-thm2-exact eps0=1 n=1e16 gamma=0.5 T=10 delta=1e-6",
        "checkin2022-thm3-exact eps0=1 n=1e16 gamma=0.5 lambda=2"}) {
    const std::string text(where), id = text.substr(0, text.find(' ')), params = text.substr(text.find(' ') + 1);
    INFO(text);
    const Evaluation e = evaluate(at::form(id, params), reference::parse_point(params));
    CHECK(e.status == Status::outside);
    CHECK(e.reason.starts_with("it needs n <= 10^15, as check-ins are counted one by one (got n = "));
  }
}

TEST_CASE("the order is the best by the conversion that is used") {
  const std::string run = "per_round=1 gamma=0.1 multiplier=1 delta=1e-3 T=6";
  CHECK(at::number("epsilary-removal-gaussian", run) <=
        at::number("epsilary-removal-gaussian", run + " lambda=4") * (1 + 1e-9));
  const std::string sum = "n=1000 gamma=1 T=2 multiplier=0.3 dropout=0.2 delta=0.011";
  CHECK(at::number("checkin2022-thm4-dropout", sum) <=
        at::number("checkin2022-thm4-dropout", sum + " lambda=8") * (1 + 1e-9));
}
