// Hypotheses that several statements share, each once: the words and what decides them.
#pragma once

#include <string>
#include <string_view>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::assume {

// "n <= 10^12": no more than the sums of a statement can go over. A parameter that is not given is not too large.
template <Param p, int power>
Hypothesis at_most() {
  static const std::string words = std::string(key(p)) + " <= 10^" + std::to_string(power);
  return exactly(words, [](const Values<Rational>& x) { return !x.has(p) || x[p] <= power_of_ten(power); });
}
template <Param p>
Hypothesis positive() {
  static const std::string words = std::string(key(p)) + " > 0";
  return exactly(words, [](const Values<Rational>& x) { return !x.has(p) || x[p] > 0; });
}
template <Param p>
Hypothesis below_one() {
  static const std::string words = std::string(key(p)) + " < 1";
  return exactly(words, [](const Values<Rational>& x) { return !x.has(p) || x[p] < 1; });
}
// "per_round <= n".
template <Param p, Param most>
Hypothesis within() {
  static const std::string words = std::string(key(p)) + " <= " + std::string(key(most));
  return exactly(words, [](const Values<Rational>& x) { return !x.has(p) || !x.has(most) || x[p] <= x[most]; });
}

// Of a divergence that is a sum over its order. The words are a literal, which may tell of a statement without it.
Hypothesis integer_order(std::string_view words = "lambda is an integer >= 2");

Hypothesis countable_clients();  // n <= 10^15
Hypothesis small_eps0();         // eps0 <= 1
Hypothesis small_delta();        // delta <= 1/100
Hypothesis moderate_eps0();      // 0.01 <= eps0 <= 8
Hypothesis slots_within_users();
// Of a sliding window: the statements hold for every number of users that a window fits among.
Hypothesis window_within_users();
Hypothesis slots_divide_users();
// Of what no analysis can beat: a pure randomizer is (eps0, delta0)-DP for every delta0, so the bound stands. But one
// that publishes its record with probability delta0 > delta may have no finite epsilon, and a number would mislead.
Hypothesis delta0_within_delta();
// The part for rare events is less than the whole.
Hypothesis delta2_within_delta();
Hypothesis lemma_a3_admits_delta0();
// Of a known randomizer, whose matrix or name determines its laws.
Hypothesis own_delta0();
Hypothesis matrix_within_reach();

}  // namespace epsilary::bounds::assume
