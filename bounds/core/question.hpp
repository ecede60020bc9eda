// What is asked of a protocol, and which rows answer it. Whatever ranks, sandwiches, solves for or marks a guarantee
// asks here.
//
// The numbers of a question are a Point: delta is the whole delta, and eps0 and delta0 are all that is known of a local
// randomizer, unless it is given itself. What is not a number is below.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bounds/core/evaluate.hpp"

namespace epsilary::bounds {

struct Asked {
  std::optional<Adjacency> adjacency = {};  // left out: the usual one of the statement's protocol
  std::optional<View> view = {};            // left out: what the protocol shows, or all that is known under `adjacency`
};

struct Question {
  Point point;
  Asked asked = {};
};

// Neighbours are told apart by replacing a record, but Poisson batches by removing it.
Adjacency usual_adjacency(std::string_view protocol);

// What a statement knows of the mechanism it speaks of.
enum class Known { nothing, eps0, steps, gaussian, divergence, concentrated };
Known known_to(const Bound& bound);

// What a statement speaks of. Numbers are compared when their subjects are the same.
struct Subject {
  Quantity quantity;
  std::string_view protocol;
  Adjacency adjacency;
  View view;
  Known known;
  friend bool operator==(const Subject&, const Subject&) = default;
};
Subject subject(const Bound& bound);

// "replacing one record", "removing one record, the number of check-ins hidden", "of either kind"; empty where the
// statement is not about neighbours.
std::string neighbours(const Bound& bound);

// Why the statement speaks of another question, in words; empty when it speaks of this one.
std::string other_question(const Bound& bound, const Asked& asked);

// The question of several statements when none is asked for: theirs, where all speak of the same neighbours and view.
Asked asked_by(const std::vector<const Bound*>& bounds, Asked asked);

// A parameter is given that the statement does not take and that takes from what it assumes: what it needs, in words.
std::string spoiled_hypothesis(const Bound& bound, const Point& point);
// Giving this parameter to the statement may change its row: it is used, or it may spoil a hypothesis.
bool matters(const Bound& bound, Param p);
// What is given and cannot matter.
std::vector<Param> unused(const Bound& bound, const Point& point);

// The statement at the question: outside when it speaks of another one that was asked for.
Evaluation evaluate(const Bound& bound, const Question& question, const Accuracy& accuracy = {});

// The row is about this very question: it has a number, and what it spends is within the delta asked.
bool answers(const Bound& bound, const Evaluation& evaluation, const Asked& asked);

// And it may be relied on: the statement is proved or repaired and the number certified.
bool guarantees(const Bound& bound, const Evaluation& evaluation, const Asked& asked);

}  // namespace epsilary::bounds
