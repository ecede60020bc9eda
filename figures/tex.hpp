// A figure as TeX, in the fonts of the document that inputs it: pgfplots for pictures, a tabular for tables.
#pragma once

#include <string>
#include <string_view>

#include "figures/figure.hpp"

namespace epsilary::drawing {

// A text as TeX that prints it and does nothing else: letters, digits and a few signs stand for themselves, Greek
// letters, exponents and indices become formulas, and every other sign is written out or is a question mark. No
// backslash, brace or percent sign of the text is left.
std::string tex_label(std::string_view text);

// To be read by \input; as wide as the line it stands in. It needs \usepackage{pgfplots} (1.13 or later).
std::string tex_picture(const Figure& figure);

}  // namespace epsilary::drawing
