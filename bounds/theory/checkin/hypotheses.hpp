// Hypotheses that several statements share.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/overlapping_mixtures.hpp"

namespace epsilary::bounds::assume {

inline Hypothesis small_eps0() {
  return exactly("eps0 <= 1", [](const auto& x) { return x[Param::eps0] <= 1; });
}
inline Hypothesis small_delta() {
  return exactly("delta <= 1/100", [](const auto& x) { return 100 * x[Param::delta] <= 1; });
}
inline Hypothesis slots_within_users() {
  return exactly("m <= n", [](const auto& x) { return x[Param::m] <= x[Param::n]; });
}
// Of a sliding window: the statements hold for every number of users that a window fits among.
inline Hypothesis window_within_users() {
  return exactly("m <= n", [](const auto& x) { return !x.has(Param::n) || x[Param::m] <= x[Param::n]; });
}
// Of what no analysis can beat: a pure randomizer is (eps0, delta0)-DP for every delta0, so the bound stands. But one
// that publishes its record with probability delta0 > delta may have no finite epsilon, and a number would mislead.
inline Hypothesis delta0_within_delta() {
  return exactly("delta0 <= delta, as beyond there may be no finite epsilon", [](const auto& x) {
    return !x.has(Param::delta0) || !x.has(Param::delta) || x[Param::delta0] <= x[Param::delta];
  });
}
inline Hypothesis lemma_a3_admits_delta0() {
  return provably(
      "delta0 <= (1-e^-eps0) delta1 / (4 e^eps0 (2 + ln(2/delta1)/ln(1/(1-e^(-5 eps0)))))", [](const auto& x) {
        const auto& [eps0, delta1] = std::tie(x[Param::eps0], x[Param::delta1]);
        return checkin::admissible_delta0(eps0, delta1, checkin::rejection_rounds(eps0, delta1)) - x[Param::delta0];
      });
}

}  // namespace epsilary::bounds::assume
