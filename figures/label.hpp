// Labels: ε_0 and 10^3 come out as people write them.
#pragma once

#include <string>
#include <string_view>

namespace epsilary::drawing {

// A text as it may stand in a message or a script: control characters are spaces, straight quotes, backticks and
// backslashes have become signs that no program reads as its own, bytes that are not UTF-8 are question marks, and what
// is longer than 200 letters is cut.
std::string shown(std::string_view text);

// In gnuplot's enhanced mode, which Matplot++ speaks too: ε_{0}, 10^{3}; \epsilon and its like as letters.
std::string gnuplot_label(std::string_view text);

}  // namespace epsilary::drawing
