// A figure as data: what is drawn, in which colours, on which axes. No number is computed here.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/spec.hpp"
#include "experiments/table.hpp"

namespace figures {

enum class Dash { solid, dashed, dotted };

struct Curve {
  std::vector<std::string> x, y;  // decimal text, as the table has it
  std::vector<bool> faded;        // true where the bound says nothing useful
  std::string label;
  Dash dash = Dash::solid;
  std::string color;
  double width = 2;
};

struct Axis {
  std::string label;
  bool logarithmic = false;
  std::string from, to;
};

struct Figure {
  Axis x, y;
  std::vector<Curve> curves;
  unsigned width = 860, height = 500;
};

// Okabe and Ito's colours, told apart by the colour-blind and, in this order, on a grey print.
inline constexpr std::array<std::string_view, 7> palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                         "#E69F00", "#56B4E9", "#000000"};

// The figure of a spec from the table its sweep made. Throws experiments::BadSpec for a column that is not there.
Figure compose(const experiments::Spec& spec, const experiments::Table& table);

}  // namespace figures
