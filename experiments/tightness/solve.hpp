// Which value of one parameter makes a bound meet a target.
#pragma once

#include <atomic>
#include <vector>

#include "bounds/core/question.hpp"
#include "solvers/search/invert.hpp"

namespace epsilary::experiments {

// An upper bound meets its target from below, a lower bound from above, and what it spends is within the delta asked.
// The result is the value closest to breaking the target at which both are proved to hold; `beyond` is its neighbour,
// proved to break it. The bound must be monotone in the unknown, or turn in it once.
solvers::Inversion solve(const bounds::Bound& bound, const bounds::Point& point, bounds::Param unknown,
                         const solvers::Decimal& target, int digits, double patience = 1);

// One statement, and what it admits.
struct Question {
  const bounds::Bound* bound;
  solvers::Inversion answer = {};
};
// All of them at one point, in parallel; the answers do not depend on the threads.
void solve(std::vector<Question>& questions, const bounds::Point& point, bounds::Param unknown,
           const solvers::Decimal& target, const bounds::Accuracy& accuracy, int threads,
           const std::atomic<bool>* stop = nullptr);

bool is_monotone_in(const bounds::Bound& bound, bounds::Param p);
bool rises_in(const bounds::Bound& bound, bounds::Param p);
bool turns_in(const bounds::Bound& bound, bounds::Param p);  // falls, until what is spent beside delta takes over

}  // namespace epsilary::experiments
