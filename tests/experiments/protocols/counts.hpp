// Counts against an exact law.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace protocols_test {

// What Pearson's statistic with so many degrees of freedom exceeds as seldom as a normal number five deviations
// (Wilson and Hilferty 1931).
inline double far_in_the_tail(double freedom) {
  const double root = 1 - 2 / (9 * freedom) + 5 * std::sqrt(2 / (9 * freedom));
  return freedom * root * root * root;
}

// Every outcome of the law was seen about as often as it should, and no other.
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
  CHECK(statistic < far_in_the_tail(static_cast<double>(law.size()) - 1));
}

}  // namespace protocols_test
