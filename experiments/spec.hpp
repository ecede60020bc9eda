// A sweep as data: which bounds at which points, and how the figure reads the table. Specs are TOML.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/axis.hpp"

namespace experiments {

// The spec cannot be read; what() has the file, the line, the key and what was expected.
struct BadSpec : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct AxisLook {
  std::string column, label;
  bool logarithmic = false;
  std::string from, to;  // empty: automatic
};

struct LineLook {
  std::string bound, label, dash = "solid";  // {n} in the label stands for the value of n
};

struct ReferenceLook {
  std::string label, y;  // a column drawn against x
};

struct FigureLook {
  AxisLook x, y;
  std::string colors;  // the column whose values have one colour each
  std::vector<LineLook> lines;
  std::vector<ReferenceLook> references;
};

struct Spec {
  std::string id, source, caption;
  std::vector<std::string> bounds;
  std::vector<Axis> axes;  // the fixed parameters are axes of one value
  FigureLook figure;
};

Spec parse_spec(std::string_view toml, std::string_view file);

}  // namespace experiments
