// The generic conversion and the baselines of Figure 1, and the clones they stand on.
#include <doctest/doctest.h>

#include "bounds/theory/shuffle/clones.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

TEST_CASE("of the valid conversions the subsampled trade-off function is the least, and the printed one is below all") {
  for (const char* where :
       {"eps0=1 n=2000 gamma=0.5 beta=1e-3 lambda=2", "eps0=1 n=2000 gamma=0.5 beta=1e-3 lambda=8",
        "eps0=2 n=300 gamma=0.3 beta=1e-6 lambda=4", "eps0=0.3 n=5000 gamma=0.1 beta=1e-6 lambda=16"}) {
    INFO(where);
    const double b = at::in_double("epsilary-generic-b", where);
    CHECK(b < at::in_double("epsilary-generic-a", where));
    CHECK(b < at::in_double("epsilary-generic-b-wang", where));
    CHECK(at::in_double("checkin2022-generic", where) < b);
  }
}

TEST_CASE("one client hides among nobody: the clones of n = 1 are randomised response") {
  for (const double eps : {0.0, 0.3, 0.9}) {
    const double wanted = (std::exp(1.0) - std::exp(eps)) / (1 + std::exp(1.0));
    const std::string where = "eps0=1 n=1 eps=" + Decimal::nearest(eps, 2).text();
    CHECK(at::in_double("feldman2021-clones", where) == doctest::Approx(wanted).epsilon(1e-14));
  }
}

TEST_CASE("the clones' epsilon is below the closed form, falls in n, and is the inverse of their delta") {
  double before = 1;
  for (const char* n : {"500", "700", "1000"}) {
    const std::string where = std::string("eps0=1 n=") + n;
    const Ball exact = at::proved("feldman2021-clones", where + " delta=1e-4", 8);
    CHECK(certainly(exact < at::proved("feldman2021-closed", where + " delta=1e-4")));
    CHECK(exact.upper() < before);
    before = exact.upper();
    const std::string above = decimal(exact, 10, Rounding::up);
    CHECK(certainly(at::proved("feldman2021-clones", where + " eps=" + above) <= Ball(Decimal("1e-4").exact())));
  }
}

TEST_CASE("a round of a valid conversion spends gamma beta, and T rounds leave that much less of delta") {
  const std::string where = "eps0=1 n=1000 gamma=0.1 beta=1e-8";
  for (const char* id : {"epsilary-generic-a", "epsilary-generic-b"}) {
    INFO(id);
    const Evaluation once = at::evaluated(id, where + " lambda=4");
    const Ball::Precision bits(128);
    bool told = false;
    for (const auto& beside : once.answer().beside)
      if (beside.name == "delta_per_round")
        told = certainly(abs(beside.value - Ball(power_of_ten(-9))) < Ball(power_of_ten(-20)));
    CHECK(told);
    const Evaluation rounds = at::evaluated(id, where + " T=10 delta=1e-6");
    bool kept = false;  // 1 - T gamma beta / delta
    for (const auto& chosen : rounds.answer().at)
      if (chosen.param == Param::share) kept = std::abs(chosen.value.midpoint() - 0.99) < 1e-9;
    CHECK(kept);
  }
}

TEST_CASE("an approximate randomizer costs more delta than a pure one") {
  const Ball pure = at::proved("feldman2021-clones", "eps0=1 n=100 eps=0.5");
  CHECK(certainly(pure < at::proved("feldman2021-clones", "eps0=1 n=100 eps=0.5 delta0=1e-9")));
}

TEST_CASE("baselines of Figure 1: each better theorem gives the smaller epsilon") {
  const std::string at_ = "eps0=1 n=1000000 gamma=1e-3 T=100000 delta=1e-6";
  const double strong = at::in_double("checkin2022-fig1-closed-strong", at_),
               half = at::in_double("checkin2022-fig1-closed-half", at_),
               optimal = at::in_double("checkin2022-fig1-closed-optimal", at_),
               clones = at::in_double("checkin2022-fig1-clones-optimal", at_);
  CHECK(half < strong);
  CHECK(optimal < half);
  CHECK(clones < optimal);
  CHECK(at::in_double("checkin2022-thm2-exact", at_) < clones);
  CHECK(at::refusal("checkin2022-fig1-closed-strong", "eps0=1 n=10 gamma=0.01 T=10 delta=1e-6") == "n gamma >= 1");
}

TEST_CASE("for few rounds strong composition beats Theorem 2") {
  const std::string at_ = "eps0=1 n=10000000 gamma=1e-3 T=10 delta=1e-7";
  CHECK(at::in_double("checkin2022-fig1-clones-strong", at_) < at::in_double("checkin2022-thm2-printed", at_));
}
