// The specs that ship with the program: the papers' figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweep/spec.hpp"

namespace epsilary::experiments {

const std::vector<Spec>& catalogue();

// bounds/PROOFS.md.
std::string_view proofs();

// What comes before the first dash of an id: the paper of a statement, a figure or a claim.
inline std::string paper_of(std::string_view id) { return std::string(id.substr(0, id.find('-'))); }

}  // namespace epsilary::experiments
