// A sweep as data: which bounds at which points, and how the figure reads the table. Specs are TOML.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/rows/row.hpp"
#include "experiments/sweep/axis.hpp"

namespace epsilary::experiments {

// The spec cannot be read; what() has the file, the line, the key and what was expected.
struct BadSpec : epsilary::Error {
  explicit BadSpec(const std::string& what)
      : Error(epsilary::Problem::usage, what, "correct the spec; see: epsilary sweep --help") {}
};

// Several bounds over one grid; the fixed parameters are axes of one value.
struct Grid {
  std::vector<std::string> bounds;
  std::vector<Axis> axes;
};

struct AxisLook {
  std::string column, label;
  bool logarithmic = false;
  std::string from, to;  // empty: automatic
  std::string per = {};  // the column is drawn in units of so many: epochs of 6 steps
};

// Rows that have these values in these columns.
using Where = std::vector<std::pair<std::string, std::string>>;

struct LineLook {
  std::string bound, label;
  std::string dash = "solid";  // solid, dashed, dotted, or points
  std::string column = {};     // drawn against x; the figure's y unless given
  Where where = {};
  std::string color = {};  // one of line_colors(); empty: the next of the palette
};

// blue, red, green, pink, orange, sky, black, brown, grey.
const std::vector<std::string>& line_colors();

// From the least of some bounds to the greatest of others: a sandwich, or the spread of several versions of one bound.
// With `bound`, from one of its columns to another: the spread of what was measured.
struct BandLook {
  std::string label;
  std::vector<std::string> low, high;
  std::string color = {};  // as of a line
  std::string bound = {};
  Where where = {};
};

// One of: an upright line at x; a column drawn against x, or a level line, at y; a level line at the value of a bound
// that does not depend on x.
struct ReferenceLook {
  std::string label, x, y, bound;
  Where where = {};
};

// A colour for each point of a grid.
struct MapLook {
  enum class Shows {
    winner,  // the bound that says most
    ratio,   // the value of `bounds[0]` over that of `over`
    status,  // where the hypotheses hold, and where they say something
  } shows = Shows::ratio;
  std::vector<std::string> bounds;
  std::string over;                 // a bound or a column
  std::vector<std::string> labels;  // of the bounds, for the legend
  std::string label;                // of the colours
  bool logarithmic = false;
  std::string from, to;             // of the colours
  std::vector<std::string> levels;  // of the contours
};

// A table instead of a picture: a row for each of the lines, a column for each value of a parameter.
struct TableLook {
  std::string column, label;            // the parameter, and the words in the corner
  std::vector<std::string> heads = {};  // of further columns of words, the first after the labels
  struct Row {
    std::string label, bound;
    std::vector<std::string> words = {};  // one for each head
    Where where = {};
  };
  std::vector<Row> rows = {};
};

struct FigureLook {
  AxisLook x, y;
  std::string colors;  // the column whose values have one colour each; without it each line has its own
  std::vector<LineLook> lines;
  std::vector<BandLook> bands;
  std::vector<ReferenceLook> references;
  std::optional<MapLook> map;
  std::string place = {};  // file and line, for refusals
  std::string title = {};  // above the picture; empty: the parameters that are fixed
  std::optional<TableLook> table = {};
};

struct Spec {
  std::string id, source, caption;
  std::vector<Grid> sweeps;
  FigureLook figure;
  std::vector<std::string> results = {};  // of trainings, which are drawn as they are kept: nothing is swept
};

// A grid of more than `largest_grid` cells is refused before it is made, unless any size will do.
Spec parse_spec(std::string_view toml, std::string_view file, bool any_size = false);

// How many evaluations a spec asks for, without laying its grids.
std::size_t evaluations_of(const Spec& spec);

// What is to be computed: every bound at every point, the bounds of a point together.
std::vector<Row> rows_of(const Spec& spec);

}  // namespace epsilary::experiments
