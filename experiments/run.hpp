// Evaluates bounds at points, in parallel, with the rows in order whatever the number of threads.
#pragma once

#include <atomic>
#include <epsilary/epsilary.hpp>
#include <functional>
#include <vector>

#include "bounds/question.hpp"

namespace experiments {

// A statement at a question.
struct Row {
  const bounds::Bound* bound;
  bounds::Point point;
  bounds::Evaluation evaluation;
  bounds::Asked asked = {};
};
inline bool answers(const Row& row) { return bounds::answers(*row.bound, row.evaluation, row.asked); }
inline bool guarantees(const Row& row) { return bounds::guarantees(*row.bound, row.evaluation, row.asked); }

using AccuracyOf = std::function<bounds::Accuracy(const bounds::Bound&)>;

// The work ended because it was told to.
struct Stopped : epsilary::Error {
  Stopped() : Error(epsilary::Problem::interrupted, "interrupted", "the same command begins again") {}
};

// threads = 0 uses every core. Set `stop`, and it throws Stopped after the rows in hand.
void run(std::vector<Row>& rows, const AccuracyOf& accuracy, int threads, const std::atomic<bool>* stop = nullptr);
inline void run(std::vector<Row>& rows, const bounds::Accuracy& accuracy, int threads) {
  run(
      rows, [&](const bounds::Bound&) { return accuracy; }, threads);
}

}  // namespace experiments
