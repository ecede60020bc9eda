// Notes that several statements share.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

inline constexpr const char* one_randomizer_note =
    "all clients must apply the same randomizer: with A_i(x) = (i, response(x)) shuffling hides nothing";

inline constexpr const char* count_hidden_note =
    "the output is the sum, or the sum over a public constant, and K is hidden; a quorum counts the other clients";

// The second moment of the averaged gradient of CLDP-SGD; c as printed, or as the variances give it.
inline constexpr const char* moment_formula =
    R"(L^2\max\{d^{1-2/p},1\}\left(1+\frac{cd}{qn}\coth^2\frac{\varepsilon_0}{2}\right))";
inline constexpr const char* constants_for_norms_1_and_2 =
    "c = 1 for p = 1 and 6 for p = 2: taken from Theorem 4, whose mechanisms for p = 1 and 2 the text does not "
    "define";

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
