// Check-in over rounds by the Renyi divergences of its privacy losses, at any real order, between laws of finitely many
// losses: of the clones' or the blanket's pair under subsampling, and of randomised response.
#pragma once

#include "bounds/theory/checkin/rounds.hpp"

namespace epsilary::bounds::rounds {

template <checkin::Hiding hiding>
Ball clones_divergence(const Values<Ball>& x, const Request& request);
template <checkin::Hiding hiding>
Answer<Ball> clones_divergence_after_rounds(const Values<Ball>& x, const Request& request);
Answer<Ball> response_divergence_after_rounds(const Values<Ball>& x, const Request& request);

}  // namespace epsilary::bounds::rounds
