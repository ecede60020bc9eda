// The formulas of one profile: epsilon at a delta, and delta at an epsilon.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

struct EpsilonAndDelta {
  Evaluator epsilon, delta;

  // One formula that reads whichever is given.
  static EpsilonAndDelta both(const Evaluator& formula) { return {formula, formula}; }
};

}  // namespace epsilary::bounds
