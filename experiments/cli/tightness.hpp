// What the two questions of tightness share: the sandwich of a protocol, and what each analysis admits for a target.
#pragma once

#include "experiments/cli/command.hpp"
#include "experiments/tightness.hpp"

namespace epsilary::cli {

struct TightnessRequest {
  Options options;
  std::vector<std::string> protocols;
  std::string unknown, target;
};

// What is written: rows of named columns, and sentences; the question of the rows stands below, or in columns of its
// own where rows are read by programs.
struct TightnessReport {
  std::vector<experiments::Pairs> rows, slack;
  std::vector<std::string> sentences;
  std::vector<const bounds::Bound*> bounds = {};
};
experiments::Pairs question_of(const bounds::Bound& bound);
std::string write(const Options& options, const TightnessReport& report);

// Refuses an unknown name with a "did you mean".
const experiments::Protocol& protocol_given(const std::string& name);

// With --for and --target: what each analysis admits. Returns the exit code.
int design(const TightnessRequest& request);

}  // namespace epsilary::cli
