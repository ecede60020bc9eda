// Drawing by gnuplot: a script that stands alone, and a run of it.
#pragma once

#include <filesystem>
#include <string>

#include "figures/figure.hpp"

namespace epsilary::drawing {

// For .svg, .png or .pdf; throws std::runtime_error for another extension. Without the name of a file the picture goes
// to standard output. Of the figure's texts only labels are in it, as `gnuplot_label` gives them.
std::string gnuplot_script(const Figure& figure, const std::string& extension, const std::string& out = "");

// Throws std::runtime_error with gnuplot's words.
void draw_with_gnuplot(const Figure& figure, const std::filesystem::path& out);

}  // namespace epsilary::drawing
