// Evaluates bounds at points, in parallel, with the rows in order whatever the number of threads.
#pragma once

#include <functional>
#include <vector>

#include "bounds/evaluate.hpp"

namespace experiments {

struct Row {
  const bounds::Bound* bound;
  bounds::Point point;
  bounds::Evaluation evaluation;
};

using AccuracyOf = std::function<bounds::Accuracy(const bounds::Bound&)>;

// threads = 0 uses every core.
void run(std::vector<Row>& rows, const AccuracyOf& accuracy, int threads);
inline void run(std::vector<Row>& rows, const bounds::Accuracy& accuracy, int threads) {
  run(
      rows, [&](const bounds::Bound&) { return accuracy; }, threads);
}

}  // namespace experiments
