// T rounds by their own privacy losses composed: epsilon at a delta, or delta at an epsilon. Of shuffled check-in, of
// samples of clients as in CLDP-SGD, and of noisy sums.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/shuffle/hiding.hpp"

namespace epsilary::bounds::rounds {

using clones::Hiding;

// The width of a bracket, unless more is asked for.
inline constexpr double default_width = 2e-3;

// Shuffled check-in: from above by the pair that hides, from below by responses on equal data; and delta of one round
// by the clones, exactly.
Evaluator composed_checkins(Hiding hiding);
Evaluator composed_binary_checkins();
Evaluator composed_ternary_checkins();
Evaluator one_round_of_checkins();
// The same of per_round of the clients.
Evaluator composed_samples(Hiding hiding);
Evaluator composed_binary_samples();
Evaluator composed_ternary_samples();
// Shuffled check-in of reports with Gaussian noise, and of an approximate randomizer with every call clipped.
Evaluator composed_gaussian_reports();
Evaluator composed_clipped_reports();
// Distributed check-in: from above, and where every other client holds the opposite vector.
Evaluator composed_noisy_sums();
Evaluator composed_opposite_sums();

// The divergences of shuffled check-in at an order, and epsilon by them after T rounds; the same of randomised response
// on equal data.
Evaluator divergence_of_checkins(Hiding hiding);
Evaluator checkins_by_divergence(Hiding hiding);
Evaluator binary_checkins_by_divergence();

}  // namespace epsilary::bounds::rounds
