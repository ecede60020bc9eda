// The grammar of a value on the command line and in a spec:
//   1e-6        one value
//   1e3,1e4     a list
//   0.05:4:80   80 values from 0.05 to 4, evenly spaced; 1e2:1e6:5:log evenly in the logarithm
//   1/n, 0.1*n  tied to other parameters: a product and quotient of numbers and keys; 1/3 alone is the number, exactly
//   0.1+0.05x3  for steps only: a sequence of mechanisms, the second of them three times
//   krr:16      for randomizer only: a name, a matrix 3/4,1/4;1/4,3/4, or a file (randomizer_file.hpp)
// Inside a range and in a tie, a value is rounded to 17 digits, and one that counts something to a whole number.
#pragma once

#include <epsilary/epsilary.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bounds/core/param.hpp"
#include "bounds/core/point.hpp"
#include "experiments/sweep/randomizer_file.hpp"

namespace epsilary::experiments {

// The text does not follow the grammar; what() names it and the rule it breaks. The next step is empty where the domain
// of the parameter says it.
struct BadValue : epsilary::Error {
  explicit BadValue(const std::string& what, const std::string& next_step = {})
      : Error(epsilary::Problem::usage, what, next_step) {}
};

inline constexpr std::size_t most_values = 1'000'000;

std::vector<solvers::Decimal> parse_values(std::string_view text, std::size_t most = most_values);
std::vector<solvers::Decimal> parse_sequence(std::string_view text, std::size_t most = most_values);

// A factor of a tie: a number, or the value of another parameter.
struct Factor {
  std::optional<bounds::Param> param;
  solvers::Decimal number;
  bool divides = false;
};

// One parameter and the values it takes: listed, a sequence, which counts as one value, or tied to other parameters.
struct Axis {
  bounds::Param param;
  std::vector<solvers::Decimal> values;
  std::vector<Factor> tie = {};
  std::shared_ptr<const bounds::Randomizer> randomizer = {};

  std::size_t size() const { return !is_number(param) || !tie.empty() ? 1 : values.size(); }
};

Axis parse_axis(bounds::Param param, std::string_view text);

// More cells are asked for by mistake, or with --yes.
inline constexpr std::size_t largest_grid = 10'000'000;

// How many values the text asks for, none of which is made; a text that is no axis counts for something. Throws
// BadValue for more than `most_values`.
std::size_t count_values(bounds::Param param, std::string_view text);
// Or the largest number there is.
std::size_t product(std::size_t a, std::size_t b);

// Every combination of the axes, the last one running fastest. Throws BadValue for a tie to a parameter that is not
// given, or that is tied itself, or is zero where it divides.
std::size_t grid_size(const std::vector<Axis>& axes);
std::vector<bounds::Point> lay_grid(const std::vector<Axis>& axes);
bounds::Point first_point(const std::vector<Axis>& axes);
// Sets eps0, and delta0 where it is not pure, of a randomizer that brings them along, rounded up. Throws Error when
// they are given too.
void set_own_privacy(bounds::Point& point);

}  // namespace epsilary::experiments
