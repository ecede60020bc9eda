// Counts against an exact law.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace protocols_test {

// Every outcome of the law was seen about as often as it should, none else was; Pearson's statistic is at most five
// deviations above its mean.
template <class Outcome>
void check_law(const std::map<Outcome, int>& seen, const std::map<Outcome, double>& law) {
  double runs = 0, statistic = 0, total = 0;
  for (const auto& [outcome, count] : seen) {
    CHECK(law.contains(outcome));
    runs += count;
  }
  for (const auto& [outcome, probability] : law) {
    total += probability;
    const double expected = runs * probability, found = seen.contains(outcome) ? seen.at(outcome) : 0;
    REQUIRE(expected > 5);  // or the statistic says nothing
    statistic += (found - expected) * (found - expected) / expected;
  }
  CHECK(total == doctest::Approx(1));
  const double freedom = static_cast<double>(law.size()) - 1;
  CHECK(statistic < freedom + 5 * std::sqrt(2 * freedom));
}

}  // namespace protocols_test
