// A figure as data: what is drawn, in which colours, on which axes. No bound is computed here. Numbers are numbers, so
// that nothing of a table's text reaches a renderer but labels, which go through `label`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/sweep/spec.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::drawing {

enum class Dash { solid, dashed, dotted, dash_dot, points };

struct Curve {
  std::vector<double> x, y;
  std::vector<bool> faded;  // true where the bound says nothing useful
  std::string label;
  Dash dash = Dash::solid;
  std::string color;
  double width = 2;
};

struct Band {
  std::vector<double> x, low, high;
  std::string label, color;
};

// Rectangles side by side, each around a point of the grid.
struct HeatMap {
  std::vector<double> x, y;              // ascending
  std::vector<std::optional<double>> z;  // z[i * y.size() + j] at (x[i], y[j])
  std::string label;
  bool logarithmic = false;
  std::optional<double> from, to;       // values beyond have the colour of the end
  std::vector<std::string> categories;  // not empty: z counts them, and each has a colour
  std::vector<std::string> category_colors;
};

// A line along which a map has one value, in pieces of two points.
struct Contour {
  std::string level;
  std::vector<std::array<double, 4>> pieces;  // x0 y0 x1 y1
};

struct Axis {
  std::string label;
  bool logarithmic = false;
  std::optional<double> from, to;  // neither: as far as the data reach
};

// Rows of texts, the first one the heads.
using TableCells = std::vector<std::vector<std::string>>;

// How wide it will be printed. A pixel is a hundredth of an inch.
enum class Size { page, column };

struct Figure {
  Axis x, y;
  std::vector<Curve> curves;
  std::vector<Band> bands = {};
  std::optional<HeatMap> map = {};
  std::vector<Contour> contours = {};
  std::string title = {};  // the parameters that are fixed
  TableCells cells = {};   // not empty: a table instead of a picture
  unsigned width = 860, height = 500;
  unsigned font = 13;  // points

  // The entries of the legend, and how many of them stand side by side.
  std::size_t entries() const;
  unsigned columns() const;
};

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

// The lines along which the map has this value, straight between neighbouring points (of the logarithms, where the
// axis or the colours are logarithmic).
Contour trace(const HeatMap& map, const std::string& level, bool log_x, bool log_y);

}  // namespace epsilary::drawing
