// Drawing a figure into a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "figures/figure.hpp"

namespace epsilary::drawing {

enum class Backend { gnuplot, matplotpp };

std::optional<Backend> backend_named(std::string_view name);

// Matplot++ is in no Debian release: the program has it when it was found at build time.
bool has_matplotpp();

// SVG, PNG or PDF, by the extension of the file. The same figure is the same bytes. Draws into a file beside `out` and
// renames it when it is whole. Throws std::runtime_error with the reason.
void draw(const Figure& figure, const std::filesystem::path& out, Backend backend = Backend::gnuplot);

}  // namespace epsilary::drawing
