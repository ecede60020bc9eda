// Evaluates bounds at points, in parallel, with the rows in order whatever the number of threads.
#pragma once

#include <vector>

#include "bounds/evaluate.hpp"

namespace experiments {

struct Row {
  const bounds::Bound* bound;
  bounds::Point point;
  bounds::Evaluation evaluation;
};

// threads = 0 uses every core.
void run(std::vector<Row>& rows, const bounds::Accuracy& accuracy, int threads);

}  // namespace experiments
