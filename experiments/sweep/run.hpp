// Runs rows that are looked at as balls, in parallel; what is kept or written is swept (sweep.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <vector>

#include "experiments/rows/row.hpp"

namespace epsilary::experiments {

struct Running {
  double work = std::numeric_limits<double>::infinity();  // no row does more, counted as in solvers/numbers/work.hpp
  const std::atomic<bool>* stop = nullptr;                // set, it ends with solvers::Halted
  std::atomic<std::size_t>* done = nullptr;               // counts the rows that are ready
};
// threads = 0 uses every core.
void run(std::vector<Row>& rows, const bounds::Accuracy& accuracy, int threads, const Running& running = {});

}  // namespace epsilary::experiments
