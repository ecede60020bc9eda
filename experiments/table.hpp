// Rows as text: every number rounded to its safe side, in named columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/run.hpp"

namespace experiments {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Everything there is to say of one row, ready to print.
struct Record {
  const bounds::Bound* bound;
  std::string status;
  std::string value;         // the safe end for its side; empty when there is none
  std::string lower, upper;  // they enclose the exact value of the formula
  bool certified = false;
  Pairs params;  // what was given and is used
  Pairs at;      // what the formula chose
  Pairs beside;  // capped, delta_total or log_delta_total, and further numbers of the statement
  std::string note;
};

Record describe(const bounds::Bound& bound, const bounds::Point& point, const bounds::Evaluation& evaluation,
                int digits);
inline Record describe(const Row& row, int digits) { return describe(*row.bound, row.point, row.evaluation, digits); }

// The parameters that are given and that the bound uses.
Pairs used_params(const bounds::Bound& bound, const bounds::Point& point);

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

Table to_table(const std::vector<Record>& records);

}  // namespace experiments
