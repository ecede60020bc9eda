// A randomizer as it is typed: a name, a matrix, or a file that holds the matrix.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bounds/core/randomizer.hpp"

namespace epsilary::experiments {

// "krr:16", "3/4,1/4;1/4,3/4", or a file. CSV: a line for every input, its probabilities between commas, # for remarks.
// TOML: rows = [["3/4", "1/4"], [0.25, 0.75]]. What it is called afterwards ends with # and a fingerprint of the file,
// so that results of one file are not taken for those of another; typed so, the file must be the same. Throws BadValue.
std::shared_ptr<const bounds::Randomizer> read_randomizer(std::string_view text);

// The bytes of such a file, TOML where its name ends with .toml; `text` is what it is called. Throws BadRandomizer.
bounds::Randomizer parse_randomizer_file(std::string_view bytes, std::string_view file, std::string text);

// What a matrix may cost to be read and added up exactly, and the rule that a larger one breaks, after its name.
inline constexpr double randomizer_work = 6e8;
inline constexpr std::string_view too_long_to_add_up =
    " has more or longer probabilities than are added up exactly; put outputs together that all inputs give in the "
    "same "
    "proportion, and write fractions with one denominator";

}  // namespace epsilary::experiments
