// Forms and hypotheses of statements about T rounds whose privacy losses are composed.
#pragma once

#include <string>
#include <vector>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::rounds {

// Ranges that were tested: of every statement about rounds, and of those about check-ins.
std::vector<Hypothesis> within_reach();
std::vector<Hypothesis> checkin_within_reach();

inline constexpr const char* one_randomizer =
    "all clients of a round must apply the same randomizer; the bracket holds the exact value of this pair";

// Two forms of a statement about T rounds: epsilon at a delta, and delta at an epsilon.
void add_both(std::vector<Bound>& list, Bound form, const std::string& epsilon_title, const std::string& delta_title);

}  // namespace epsilary::bounds::rounds
