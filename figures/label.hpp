// Labels: ε_0 and 10^3 come out as people write them.
#pragma once

#include <string>
#include <string_view>

namespace figures {

// In gnuplot's enhanced mode, which Matplot++ speaks too: ε_{0}, 10^{3}; \epsilon and its like as letters.
std::string gnuplot_label(std::string_view text);

}  // namespace figures
