// A table back from the CSV that was written: to draw it again, nothing is computed again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

// The text is not such a table; what() has the file, the line and the rule it breaks.
struct BadTable : epsilary::Error {
  explicit BadTable(const std::string& what)
      : Error(epsilary::Problem::could_not, what, "a table is a CSV file as sweep and reproduce write it") {}
};

// Lines that begin with # are provenance; then one header and the rows, each with a cell for every column.
Table parse_table(std::string_view csv, std::string_view file);
Table read_table(const std::filesystem::path& file);

}  // namespace epsilary::experiments
