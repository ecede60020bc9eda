// Drawing by Matplot++, where the program was built with it.
#pragma once

#include <filesystem>

#include "figures/figure.hpp"

namespace epsilary::drawing {

// Throws std::runtime_error, also when the program was built without Matplot++.
void draw_with_matplotpp(const Figure& figure, const std::filesystem::path& out);

}  // namespace epsilary::drawing
