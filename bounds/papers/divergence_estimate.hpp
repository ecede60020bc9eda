// A lower bound on a divergence after T rounds, converted: an estimate and no bound.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

// The divergence form is a lower bound; what Lemma 2 makes of it after T rounds bounds nothing.
inline constexpr const char* not_a_bound =
    "the least epsilon that accounting by this divergence and Lemma 2 could report, not a lower bound on epsilon, "
    "because Lemma 2 is one-sided: that is epsilary-lower-shuffled-checkin";
inline void make_estimate(Bound& rounds) {
  rounds.side = Side::estimate;
  rounds.standing = Standing::approximate;
  rounds.note = not_a_bound;
}

}  // namespace epsilary::bounds
