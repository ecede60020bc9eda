// What the two questions about protocols share: the sandwich, and what each analysis admits for a target.
#pragma once

#include <string>
#include <vector>

#include "experiments/epsilary/inside.hpp"
#include "experiments/tightness/tightness.hpp"

namespace epsilary {

// Refuses an unknown name with a "did you mean".
std::vector<const experiments::Protocol*> protocols_given(const std::vector<std::string>& names);

// What is written: rows of named columns, and sentences; the question of the rows stands below, or in columns of its
// own where rows are read by programs.
struct ProtocolReport {
  std::vector<Pairs> rows, slack;
  std::vector<std::string> summary;
  std::vector<const Statement*> statements = {};
};
Pairs question_of(const Statement& statement);
std::string write(const ProtocolReport& report, Format format, int digits);

}  // namespace epsilary
