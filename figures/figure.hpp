// A figure as data: what is drawn, in which colours, on which axes. No bound is computed here. Numbers are numbers, so
// that nothing of a table's text reaches a renderer but labels, which go through `label`.
#pragma once

#include <array>
#include <epsilary/epsilary.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweep/spec.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::drawing {

// What every renderer refuses.
inline Error no_picture_format(const std::string& extension) {
  return {Problem::usage, "'" + extension + "' is not a figure format", "use .svg, .png, .pdf, .tex or .gp"};
}
inline Error nothing_to_draw() {
  return {Problem::could_not, "the figure has nothing to draw: no row of its table has a value",
          "draw a table that has values"};
}

using epsilary::Band;
using epsilary::Contour;
using epsilary::Curve;
using epsilary::Dash;
using epsilary::HeatMap;
using Axis = epsilary::Scale;
using Figure = epsilary::Picture;

// How wide it will be printed. A pixel is a hundredth of an inch.
enum class Size { page, column };

// The entries of a figure's legend, and how many of them stand side by side.
std::size_t legend_entries(const Figure& figure);
unsigned legend_columns(const Figure& figure);

// The title in lines that fit above the plot.
std::vector<std::string> title_lines(const Figure& figure);

// The letters each column of a table has room for.
std::vector<std::size_t> column_letters(const Figure& figure);

// As high as the plot, the title and the legend below it need.
void set_size(Figure& figure, Size size);
std::optional<Size> size_named(std::string_view name);

// Okabe and Ito's colours, told apart by the colour-blind and, in this order, on a grey print.
inline constexpr std::array<std::string_view, 8> palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                         "#E69F00", "#56B4E9", "#000000", "#8C6D31"};
inline constexpr std::string_view grey = "#999999";
// The colour a spec calls by name.
std::string_view color_named(std::string_view name);

// Cividis (Nunez, Anderton, Renslow 2018): from dark to light for every eye and every printer.
inline constexpr std::array<std::string_view, 6> shades{"#00224E", "#35456C", "#666970",
                                                        "#948E77", "#C8B866", "#FEE838"};

// The figure of a spec from the table its sweeps made. Throws experiments::BadSpec for a column that is not there.
Figure compose(const experiments::Spec& spec, const experiments::Table& table);

// Where the cells of a map end: half way to their neighbours.
std::vector<double> edges(const std::vector<double>& at, bool logarithmic);

// The lines along which the map has this value, straight between neighbouring points (of the logarithms, where the
// axis or the colours are logarithmic).
Contour trace(const HeatMap& map, const std::string& level, bool log_x, bool log_y);

}  // namespace epsilary::drawing
