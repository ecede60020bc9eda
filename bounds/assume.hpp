// Hypotheses that several statements share.
#pragma once

#include "bounds/balle2020_lemmas.hpp"
#include "bounds/bound.hpp"

namespace bounds::assume {

inline Hypothesis small_eps0() {
  return exactly("eps0 <= 1", [](const auto& x) { return x[Param::eps0] <= 1; });
}
inline Hypothesis small_delta() {
  return exactly("delta <= 1/100", [](const auto& x) { return 100 * x[Param::delta] <= 1; });
}
inline Hypothesis slots_within_users() {
  return exactly("m <= n", [](const auto& x) { return x[Param::m] <= x[Param::n]; });
}
inline Hypothesis lemma_a3_admits_delta0() {
  return provably(
      "delta0 <= (1-e^-eps0) delta1 / (4 e^eps0 (2 + ln(2/delta1)/ln(1/(1-e^(-5 eps0)))))", [](const auto& x) {
        const auto& [eps0, delta1] = std::tie(x[Param::eps0], x[Param::delta1]);
        return balle2020::admissible_delta0(eps0, delta1, balle2020::rejection_rounds(eps0, delta1)) - x[Param::delta0];
      });
}

}  // namespace bounds::assume
