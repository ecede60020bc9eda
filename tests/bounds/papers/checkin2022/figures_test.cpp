// The figures of the self check-in paper: at every point of their series our optimum is not worse than the one found
// on a grid, whose order, Delta or share the reference table records.
#include <doctest/doctest.h>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using epsilary::bounds::Side;

TEST_CASE("the optimum over lambda, Delta and share is not above the recorded one at any point of Figures 1 and 2a") {
  int points = 0;
  for (const auto& e : reference::read_table(EPSILARY_SOURCE "/tests/reference/self_checkin_figures.csv")) {
    if (!e.point.has(Param::lambda) && !e.point.has(Param::share)) continue;  // nothing to choose
    // Long sums take longer than a test may.
    if (e.bound == "checkin2022-thm2-exact" && e.point[Param::n].exact() > Rational(2'000'000)) continue;
    INFO(e.name());
    Point free;
    for (const Param p : {Param::eps0, Param::n, Param::gamma, Param::multiplier, Param::T, Param::delta})
      if (e.point.has(p)) free.set(p, e.point[p]);
    const Bound& bound = *form_for(named(e.bound), free);
    const double best = bound.evaluate.in_double(Values<double>(free)).value;
    CHECK(best <= std::stod(e.value) * (1 + 1e-9));
    if (bound.side == Side::upper) CHECK(best >= std::stod(e.value) * 0.9);
    ++points;
  }
  CHECK(points >= 80);
}

TEST_CASE("Figure 1a: the printed bound is about ten times the lower one, and the exact sum lies between") {
  const std::string at_ = "eps0=1 n=1000000 gamma=1e-3 T=100000 delta=1e-6";
  const double printed = at::in_double("checkin2022-thm2-printed", at_),
               sum = at::in_double("checkin2022-thm2-exact", at_), lower = at::in_double("checkin2022-thm3", at_);
  CHECK(lower < sum);
  CHECK(sum < printed);
  CHECK(printed == doctest::Approx(0.2240).epsilon(1e-3));
  CHECK(sum == doctest::Approx(0.2046).epsilon(1e-3));
}

TEST_CASE("Figure 2a: a quorum takes epsilon from 0.762 to 0.423 at T = 1e5") {
  const std::string at_ = "n=600000 gamma=1e-3 multiplier=1 delta=1e-8 T=100000";
  CHECK(at::proved("checkin2022-thm4", at_, 6).midpoint() == doctest::Approx(0.762).epsilon(1e-3));
  CHECK(at::proved("checkin2022-thm4-quorum", at_ + " quorum=380", 6).midpoint() ==
        doctest::Approx(0.423).epsilon(1e-3));
}
