// What an evaluation may cost: counted, limited, and handed back.
#include <doctest/doctest.h>

#include <cmath>
#include <thread>

#include "solvers/numbers/halt.hpp"
#include "solvers/sums/expectation.hpp"
#include "solvers/sums/integrate.hpp"

using namespace epsilary::solvers;

namespace {

double cost_of(const auto& what) {
  const double before = work::done;
  what();
  return work::done - before;
}
double mean_of(long n) {
  const Ball half(0.5);
  return binomial_sum(Ball(n), half, half, 0, Ball(1), [](const Ball&) { return Ball(1); }).midpoint();
}

}  // namespace

TEST_CASE("work: without a limit nothing is refused, within one no more than it is done") {
  CHECK(std::isinf(work_left()));
  spend(1e9);
  const WorkLimit outer(1000);
  CHECK(work_left() == doctest::Approx(1000));
  {
    const WorkLimit inner(1e9);  // no more than outside
    spend(600);
    CHECK(work_left() == doctest::Approx(400));
    CHECK_THROWS_AS(spend(401), OutOfWork);
  }
  CHECK_THROWS_AS(spend(1), OutOfWork);
  const Unlimited last;
  CHECK_NOTHROW(spend(1e9));
}

TEST_CASE("work: a limit belongs to its scope and its thread") {
  {
    const WorkLimit limit(10);
    std::thread([] { CHECK_NOTHROW(spend(1e9)); }).join();
    CHECK(within_work(
              5, [] { return spend(6), 1; }, [] { return 2; }) == 2);
    CHECK(within_work(
              5, [] { return spend(3), 1; }, [] { return 2; }) == 1);
  }
  CHECK(std::isinf(work_left()));
}

TEST_CASE("work: balls count what they do, and dearer digits count more") {
  const Ball x(3);
  const auto logs = [&] {
    for (int i = 0; i < 100; ++i) log(x);
  };
  const double few = cost_of(logs);
  CHECK(few > 1000);
  const Ball::Precision bits(4096);
  CHECK(cost_of(logs) > 20 * few);
}

TEST_CASE("work: long sums end") {
  CHECK(mean_of(1'000'000) == doctest::Approx(1));
  const WorkLimit limit(1e4);
  CHECK_THROWS_AS(mean_of(1'000'000), OutOfWork);
  const auto in_long_double = [] { return binomial_sum(1e9, 0.5, 0.5, 0, 1.0, [](double) { return 1.0; }); };
  CHECK_THROWS_AS(in_long_double(), OutOfWork);
}

TEST_CASE("work: an integral that may not cost more encloses its value, or is refused") {
  // |sin 1/t| has no end of panels near 0.
  const Integrand f = [](acb_ptr value, acb_srcptr t, bool analytic, long bits) {
    acb_inv(value, t, bits);
    acb_sin(value, value, bits);
    acb_real_abs(value, value, analytic, bits);
  };
  const auto integral = [&] { return integrate(f, Ball(0), Ball(1)); };
  const double allowed = 2e6;
  const double spent = cost_of([&] {
    within_work(
        allowed, [&] { return integral().finite(); }, [] { return false; });
  });
  CHECK(spent < 3 * allowed);
}

TEST_CASE("work: of the smaller of two numbers no digit is lost beside the larger") {
  const Ball tiny = exp(Ball(-3000)), wide = Ball::hull(Ball(1), Ball(2));
  CHECK(min(tiny, wide).accurate_bits() == tiny.accurate_bits());
  CHECK(min(wide, tiny).accurate_bits() == tiny.accurate_bits());
  CHECK(max(-tiny, -wide).accurate_bits() == tiny.accurate_bits());
  CHECK(min(wide, Ball::hull(Ball(0), Ball(3))).contains(Ball::hull(Ball(0), Ball(2))));
}

TEST_CASE("work that is told to stop stops, also where nothing is refused") {
  std::atomic<bool> stop{false};
  const auto toil = [] {
    for (int i = 0; i < 1000; ++i) spend(1e4);
  };
  {
    const Haltable haltable(&stop);
    toil();
    stop = true;
    CHECK_THROWS_AS(toil(), Halted);
    const Unlimited unlimited;
    CHECK_THROWS_AS(toil(), Halted);
    const WorkLimit limit(1);
    CHECK_THROWS_AS(toil(), Halted);  // it is no lack of work, which tools go on from
  }
  toil();  // nobody waits any more
  const Haltable none(nullptr);
  toil();
}
