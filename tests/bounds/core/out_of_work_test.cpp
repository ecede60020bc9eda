// Evaluations that are cut short anywhere: nothing breaks, and what is said all the same is true.
#include <doctest/doctest.h>

#include <random>

#include "tests/bounds/at.hpp"
#include "tests/bounds/borders.hpp"

using namespace epsilary::bounds;

namespace {

// The formula at 128 bits within so much work; nothing where that does not do.
std::optional<Answer<Ball>> within(const Bound& b, const Point& point, double units) {
  try {
    const epsilary::solvers::WorkLimit limit(units);
    return borders::at_bits(b, point, 128);
  } catch (const epsilary::solvers::OutOfWork&) {
    return {};
  }
}

constexpr double affordable = 1e5;  // half a millisecond

double work_of(const Bound& b, const Point& point) {
  const double before = epsilary::solvers::work::done;
  within(b, point, affordable + 1);
  return epsilary::solvers::work::done - before;
}

}  // namespace

TEST_CASE("work that runs out anywhere in a closed form leaves no wrong number behind") {
  std::mt19937_64 random(20261118);
  int cut = 0, seen = 0;
  for (const Bound* b : all()) {
    if (b->evaluate.bracket) continue;
    const Point point = borders::small_point(*b);
    const double whole = work_of(*b, point);
    const auto all_of_it = within(*b, point, 2 * whole);
    if (whole > affordable || !all_of_it) continue;  // searches are left to tests of their own
    ++seen;
    INFO(borders::text_of(*b, point));
    for (int i = 0; i < 40; ++i) {
      const double units = i < 10 ? 25.0 * i : std::uniform_real_distribution<double>(0, whole)(random);
      const auto part = within(*b, point, units);
      if (!part) {
        ++cut;
        continue;
      }
      if (part->at.empty() && part->refused == all_of_it->refused) CHECK(part->value.overlaps(all_of_it->value));
    }
    const auto again = within(*b, point, 2 * whole);
    REQUIRE(again);
    CHECK((again->value.contains(all_of_it->value) && all_of_it->value.contains(again->value)));
  }
  CHECK(seen > 150);
  CHECK(cut > 20 * seen);
}

TEST_CASE("a slot that is always used: the risk of one client in one slot, and of many") {
  for (const char* run : {"n=1", "n=2 p0=1", "n=1000 p0=1"}) {
    const Evaluation e =
        at::evaluated("epsilary-risk-fixed", std::string("eps=1 delta=1e-6 m=1 dim=10 lipschitz=1 radius=1 ") + run);
    INFO(run);
    CHECK(e.certified);
    CHECK(e.answer().value.midpoint() == doctest::Approx(695.764));
  }
}
