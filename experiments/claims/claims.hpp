// The papers' quantitative sentences as data: what is said, what is computed, and what follows.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/claims/expression.hpp"
#include "experiments/sweep/axis.hpp"

namespace epsilary::experiments {

// A bound over a grid, as a list of balls; or, with `unknown`, the value of that parameter at which the bound meets a
// target, or at which it equals another bound or a parameter.
struct Quoted {
  std::string name, bound;
  std::string column;  // empty: the value; else a number beside it, such as delta_total
  std::vector<Axis> axes;
  std::optional<bounds::Param> unknown;
  std::string target, equals;  // an expression of the values without an unknown; a bound or a parameter
  solvers::Decimal from, to;   // where the equality is looked for
  // A number that was measured and is kept: with `training`, the bound is an accountant or "training" itself.
  std::string training = {}, eps = {};
  std::vector<std::pair<std::string, std::string>> where = {};
};

struct Claim {
  std::string id, source, text;
  std::string verdict;  // one of verdicts()
  std::string because;
  std::vector<Quoted> values;
  std::vector<std::string> shows;    // expressions whose numbers are told, "name = expression"
  std::vector<std::string> expects;  // comparisons that the verdict rests on
};

// holds, holds with conditions, not reproduced, false, not testable here.
const std::vector<std::string>& verdicts();

// Throws BadSpec.
std::vector<Claim> parse_claims(std::string_view toml, std::string_view file);

// The claims that ship with the program.
const std::vector<Claim>& claims();

struct Finding {
  const Claim* claim;
  std::vector<std::pair<std::string, std::string>> numbers;  // what is shown
  std::vector<std::string> broken;                           // expectations not proved, with the reason
  std::vector<std::string> marks = {};                       // values that are about another question than is usual
};

// What the journal of this file holds is not computed again. Set `stop`, and it throws Stopped.
std::vector<Finding> examine(const std::vector<const Claim*>& claims, int threads,
                             const std::atomic<bool>* stop = nullptr, const std::filesystem::path& journal = {});

}  // namespace epsilary::experiments
