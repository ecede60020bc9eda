// Where the proof of a statement is written.
#pragma once

#include <string>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {

// Sections of bounds/PROOFS.md, the source itself, or that there is none; empty where nothing is recorded.
std::string proof_of(const Bound& b);

}  // namespace epsilary::bounds
