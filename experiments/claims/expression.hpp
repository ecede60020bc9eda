// Arithmetic on named lists of balls: what a claim computes from the bounds it names.
//   sqrt(2) * theirs / ours          lists are taken place by place, a list of one goes with every other
//   least(ratio) >= 2.5              of a list: least, greatest; of a number: sqrt, log, log2, exp, abs
//   2.1 <= ratio <= 3.5              holds when it is proved for every place
//   first, second                    one list after the other
#pragma once

#include <epsilary/epsilary.hpp>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::experiments {

using Balls = std::vector<solvers::Ball>;
using Names = std::map<std::string, Balls, std::less<>>;

// The text is not an expression over these names; what() says where.
struct BadExpression : epsilary::Error {
  explicit BadExpression(const std::string& what)
      : Error(epsilary::Problem::usage, what, "see experiments/claims/expression.hpp for what an expression may hold") {
  }
};

Balls compute(std::string_view text, const Names& names);

// A chain of comparisons.
solvers::Truth decide(std::string_view text, const Names& names);

}  // namespace epsilary::experiments
