// Labels: ε_0 and 10^3 come out as people write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epsilary::drawing {

// A text as it may stand in a message or a script: control characters are spaces, straight quotes, backticks and
// backslashes have become signs that no program reads as its own, bytes that are not UTF-8 are question marks, and what
// is longer than 200 letters is cut.
std::string shown(std::string_view text);

// The letters of a text, for how much room it takes.
std::size_t letters(std::string_view text);
// The same without the signs of exponents and indices, which take none.
std::size_t breadth(std::string_view text);
// A list of parameters in lines of at most so many letters, where its commas allow.
std::vector<std::string> lines(std::string_view text, std::size_t room);

// A parameter as it is written in formulas: ε_0 for eps0.
std::string symbol(std::string_view key);
// A number as it is written in texts: 10^6 for 1000000 and 1e6, 6×10^5 for 6e5; others as they are.
std::string readable(std::string_view number);
// A decimal with four significant digits, for a table, rounded up or down.
std::string shorter(const std::string& decimal, bool up);

// \epsilon and its like as letters.
std::string spelled(std::string text);

// In gnuplot's enhanced mode, which Matplot++ speaks too: ε_{0}, 10^{3}; \epsilon and its like as letters.
std::string gnuplot_label(std::string_view text);

}  // namespace epsilary::drawing
