// A table back from the CSV that was written: to draw it again, nothing is computed again.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/table.hpp"

namespace epsilary::experiments {

// The text is not such a table; what() has the file, the line and the rule it breaks.
struct BadTable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Lines that begin with # are provenance; then one header and the rows, each with a cell for every column.
Table parse_table(std::string_view csv, std::string_view file);
Table read_table(const std::filesystem::path& file);

}  // namespace epsilary::experiments
