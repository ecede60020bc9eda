// Intervals that hold: against closed forms, tables, and every probability on a grid.
#include "experiments/protocols/intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "experiments/protocols/random.hpp"

using namespace epsilary::experiments;

TEST_CASE("Clopper and Pearson at the ends are powers, and 5 of 10 is as in the tables") {
  CHECK(probability_at_least(0, 10, 0.01) == 0);
  CHECK(probability_at_most(10, 10, 0.01) == 1);
  CHECK(probability_at_least(10, 10, 0.01) == doctest::Approx(std::pow(0.01, 0.1)));
  CHECK(probability_at_most(0, 1000000, 0.005) == doctest::Approx(-std::expm1(std::log(0.005) / 1e6)));
  const Interval five = probability_between(5, 10, 0.95);
  CHECK(five.low == doctest::Approx(0.18709).epsilon(1e-4));
  CHECK(five.high == doctest::Approx(0.81291).epsilon(1e-4));
  // A million runs: close to the normal law.
  const Interval many = probability_between(10000, 1000000, 0.99);
  CHECK(many.low == doctest::Approx(0.01 - 2.5758 * std::sqrt(0.01 * 0.99 / 1e6)).epsilon(2e-3));
  CHECK(many.high == doctest::Approx(0.01 + 2.5758 * std::sqrt(0.01 * 0.99 / 1e6)).epsilon(2e-3));
}

TEST_CASE("whatever the probability, Clopper and Pearson miss it no more often than they may: all outcomes of 25") {
  constexpr int n = 25;
  constexpr double error = 0.05;
  std::vector<double> low, high;
  for (int k = 0; k <= n; ++k) {
    low.push_back(probability_at_least(static_cast<std::uint64_t>(k), n, error));
    high.push_back(probability_at_most(static_cast<std::uint64_t>(k), n, error));
  }
  for (double p = 0.01; p < 1; p += 0.01) {
    double above = 0, below = 0;
    for (int k = 0; k <= n; ++k) {
      const auto of_k = static_cast<std::size_t>(k);
      const double mass = std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                                   k * std::log(p) + (n - k) * std::log1p(-p));
      if (low[of_k] > p) above += mass;
      if (high[of_k] < p) below += mass;
    }
    CHECK(above <= error * (1 + 1e-9));
    CHECK(below <= error * (1 + 1e-9));
  }
}

TEST_CASE("tallies put together are the tally of all") {
  Random random(1);
  Tally all, parts, block;
  for (int i = 0; i < 1000; ++i) {
    const double x = 5 + random.normal();
    all.add(x);
    block.add(x);
    if (i % 37 == 0) parts.add(block), block = {};
  }
  parts.add(block);
  CHECK(parts.count == 1000);
  CHECK(parts.mean == doctest::Approx(all.mean).epsilon(1e-13));
  CHECK(parts.variance() == doctest::Approx(all.variance()).epsilon(1e-10));
}

TEST_CASE("the interval of a mean holds for a law with rare large values, where the normal one is too short") {
  // 1 with probability 1/1000: of 200 numbers most often all are 0, and their deviation is too.
  int missed = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    Random random(9, run);
    Tally tally;
    for (int i = 0; i < 200; ++i) tally.add(random.coin(1e-3));
    const Interval interval = mean_between(tally, 0, 1, 0.9);
    missed += interval.low > 1e-3 || interval.high < 1e-3;
  }
  CHECK(missed <= 100);
  Tally constant;
  for (int i = 0; i < 100000; ++i) constant.add(0.25);
  const Interval narrow = mean_between(constant, 0, 1, 0.99);
  CHECK(narrow.high - narrow.low < 4e-4);  // without deviation the width falls as 1/n
  CHECK(narrow.low < 0.25);
  CHECK(narrow.high > 0.25);
}
