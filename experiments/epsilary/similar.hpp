// "did you mean": the known names closest to what was typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epsilary::experiments {

std::size_t edit_distance(std::string_view a, std::string_view b);

// Up to `most` names, best first; empty when nothing is close.
std::vector<std::string> similar(std::string_view typed, const std::vector<std::string>& names, std::size_t most = 3);

}  // namespace epsilary::experiments
