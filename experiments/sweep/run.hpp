// A row: a statement at a question, and what it gave. Runs rows that are looked at as balls, in parallel; what is kept
// or written is swept (sweep.hpp).
#pragma once

#include <atomic>
#include <epsilary/epsilary.hpp>
#include <limits>
#include <vector>

#include "bounds/core/question.hpp"

namespace epsilary::experiments {

// A statement at a question.
struct Row {
  const bounds::Bound* bound;
  bounds::Point point;
  bounds::Evaluation evaluation;
  bounds::Asked asked = {};
};
inline bool answers(const Row& row) { return bounds::answers(*row.bound, row.evaluation, row.asked); }
inline bool guarantees(const Row& row) { return bounds::guarantees(*row.bound, row.evaluation, row.asked); }

// The work ended because it was told to.
struct Stopped : epsilary::Error {
  Stopped() : Error(epsilary::Problem::interrupted, "interrupted", "the same command begins again") {}
};

// A row that fails takes no other with it: it has no number, and says why.
template <class Evaluate>
bounds::Evaluation evaluated(Evaluate evaluate) {
  try {
    return evaluate();
  } catch (const std::exception& fault) {
    bounds::Evaluation failed;
    failed.status = bounds::Status::unresolved;
    failed.reason = std::string("a fault of this program, please report it: ") + fault.what();
    return failed;
  }
}

struct Running {
  double work = std::numeric_limits<double>::infinity();  // no row does more, counted as in solvers/numbers/work.hpp
  const std::atomic<bool>* stop = nullptr;                // set, it ends with solvers::Halted
  std::atomic<std::size_t>* done = nullptr;               // counts the rows that are ready
};
// threads = 0 uses every core.
void run(std::vector<Row>& rows, const bounds::Accuracy& accuracy, int threads, const Running& running = {});

}  // namespace epsilary::experiments
