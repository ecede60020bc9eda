// A row: a statement at a question, and what it gave.
#pragma once

#include <epsilary/epsilary.hpp>
#include <exception>
#include <string>

#include "bounds/core/question.hpp"

namespace epsilary::experiments {

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

}  // namespace epsilary::experiments
