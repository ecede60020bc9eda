// Check-in over rounds by the Renyi divergences of its privacy losses, at any real order, between laws of finitely many
// losses: of the clones' pair under subsampling, and of randomised response.
#pragma once

#include "bounds/theory/checkin/rounds.hpp"

namespace epsilary::bounds::rounds {

Ball clones_divergence(const Values<Ball>& x, const Request& request);
Answer<Ball> clones_divergence_after_rounds(const Values<Ball>& x, const Request& request);
Answer<Ball> response_divergence_after_rounds(const Values<Ball>& x, const Request& request);

}  // namespace epsilary::bounds::rounds
