// Check-ins without an analysis of their own: one round by the mechanism's own epsilon and delta at an unlikely number
// of check-ins, subsampled, and composed over the rounds.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::baselines {

enum class Composition { strong, half_drift, sharp_drift, optimal };  // each sharper than the one before

// Shuffled: with the closed form of the clones and Chernoff's bound of the check-ins, or both exactly.
Evaluator shuffled_closed(Composition how);
Evaluator shuffled_clones(Composition how);
// A noisy sum: with Chernoff's bounds of the check-ins, with their quantiles in all rounds, or in one alone.
Evaluator noisy_sum(Composition how);
Evaluator noisy_sum_quantiles(Composition how);
Evaluator noisy_sum_quantiles_of_one_round(Composition how);

}  // namespace epsilary::bounds::baselines
