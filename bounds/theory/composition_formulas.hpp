// Composition of T equal mechanisms, pure or approximate, or of a sequence.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::composed {

enum class Rule { strong, advanced, advanced_e, sharp, optimal };

struct CompositionForms {
  Evaluator pure;         // at a delta, of equal mechanisms, or of a sequence where the rule has one
  Evaluator approximate;  // of (eps0, delta0)-DP mechanisms at a whole delta
};
CompositionForms by(Rule rule);

Evaluator basic();
Evaluator basic_of_sequence();
Evaluator half_drift_approximate();
Evaluator optimal_delta();

Evaluator subsampled_mechanism();  // (eps0, delta0)-DP at rate q

}  // namespace epsilary::bounds::composed
