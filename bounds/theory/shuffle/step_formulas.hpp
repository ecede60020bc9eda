// Shuffles and random check-ins as compositions of steps, each a randomised response of its own epsilon.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::steps {

struct StepForms {
  Evaluator composed;                                  // every step's own posterior
  Evaluator lazy_closed;                               // steps that are mostly silent, in closed form
  Evaluator lazy;                                      // the same by their divergences: at a delta, or at an order
  Evaluator full;                                      // steps as full randomised responses
  Evaluator composed_clipped = {}, lazy_clipped = {};  // of an approximate randomizer; not of a shuffle
};
StepForms of_shuffle();
StepForms of_fixed_window();
StepForms of_sliding_window();

// The losses of the steps themselves composed.
struct ComposedSteps {
  Evaluator lazy, full;
};
ComposedSteps composed_shuffle();
ComposedSteps composed_fixed_window();
ComposedSteps composed_sliding_window();
inline constexpr double losses_width = 5e-4;  // of a bracket, unless more is asked for

}  // namespace epsilary::bounds::steps
