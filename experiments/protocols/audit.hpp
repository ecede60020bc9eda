// Measured privacy: a lower bound on epsilon that holds with a stated confidence, from nothing but runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "experiments/protocols/pairs.hpp"
#include "experiments/protocols/runs.hpp"

namespace epsilary::experiments {

// "The log-likelihood ratio is at least `threshold`" points to the data set, "at most" to its neighbour.
struct Event {
  bool neighbour = false;
  double threshold = 0;
  bool contains(double loss) const { return neighbour ? loss <= threshold : loss >= threshold; }
};

struct Measured {
  std::size_t pair = 0;
  Event event;
  std::uint64_t chosen_on = 0, runs = 0;  // of either data set: those that chose the event, and those that count
  std::uint64_t hits = 0, misses = 0;     // how often it happened where it should, and where it should not
  double most = 0, least = 0;             // proved ends: of its probability where it should, at least; else, at most
  double epsilon = 0;                     // log((most - delta)/least) rounded down, or 0 where that is less
};

// A tenth of the runs, a million at most, choose what is looked at.
inline std::uint64_t runs_that_choose(std::uint64_t runs) { return std::min<std::uint64_t>(runs / 10, 1'000'000); }

// Which event of which pair is looked at is chosen on some of the runs; the others are independent of the choice, and
// both probabilities are bounded by Clopper and Pearson, with half of the doubt each. So epsilon is at least what is
// returned with probability `confidence`, whatever the protocol is. Runs: of either data set. 1000 <= runs.
Measured measure(const std::vector<Pair>& pairs, std::uint64_t runs, double delta, double confidence,
                 const Repeating& how);

}  // namespace epsilary::experiments
