// A randomizer as it is typed: a name, a matrix, or a file that holds the matrix.
#pragma once

#include <memory>
#include <string_view>

#include "bounds/core/randomizer.hpp"

namespace epsilary::experiments {

// "krr:16", "3/4,1/4;1/4,3/4", or a file. CSV: a line for every input, its probabilities between commas, # for remarks.
// TOML: rows = [["3/4", "1/4"], [0.25, 0.75]]. What it is called afterwards ends with # and a fingerprint of the file,
// so that results of one file are not taken for those of another; typed so, the file must be the same. Throws BadValue.
std::shared_ptr<const bounds::Randomizer> read_randomizer(std::string_view text);

}  // namespace epsilary::experiments
