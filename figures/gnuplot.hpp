// Drawing by gnuplot: a script that stands alone, and a run of it.
#pragma once

#include <filesystem>
#include <string>

#include "figures/figure.hpp"

namespace figures {

// svg, png or pdf, by the extension of the file; throws std::runtime_error for another.
std::string gnuplot_script(const Figure& figure, const std::filesystem::path& out);

// Throws std::runtime_error with gnuplot's words.
void draw_with_gnuplot(const Figure& figure, const std::filesystem::path& out);

}  // namespace figures
