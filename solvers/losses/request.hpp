// What is asked of a bracket: how narrow it should be, and what may be spent on it.
#pragma once

namespace epsilary::solvers {

struct Request {
  double width = 1e-3;  // wanted, relative to its upper end
  double work = 2e8;    // allowed, in products of complex doubles: as many take about a second
};

}  // namespace epsilary::solvers
