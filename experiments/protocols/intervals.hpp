// What repeated runs say of a number, with a confidence that holds for every law.
#pragma once

#include <algorithm>
#include <cstdint>

namespace epsilary::experiments {

struct Interval {
  double low, high;
};

// Clopper and Pearson 1934, from k successes in n trials, each end by itself: with probability at most `error` the true
// probability is on its other side. The ends are proved in balls. n > 0, 0 < error < 1.
double probability_at_least(std::uint64_t k, std::uint64_t n, double error);
double probability_at_most(std::uint64_t k, std::uint64_t n, double error);
Interval probability_between(std::uint64_t k, std::uint64_t n, double confidence);

// Numbers seen: how many, their mean, and their squared deviations from it, put together block by block.
struct Tally {
  std::uint64_t count = 0;
  double mean = 0, squares = 0;

  void add(double x) {
    ++count;
    const double off = x - mean;
    mean += off / static_cast<double>(count);
    squares += off * (x - mean);
  }
  void add(const Tally& more) {
    if (more.count == 0) return;
    const auto mine = static_cast<double>(count), theirs = static_cast<double>(more.count), off = more.mean - mean;
    count += more.count;
    mean += off * theirs / (mine + theirs);
    squares += more.squares + off * off * mine * theirs / (mine + theirs);
  }
  double variance() const { return count > 1 ? squares / static_cast<double>(count - 1) : 0; }
};

// The mean of a law on [low, high], both ends together: the empirical Bernstein bound (Maurer and Pontil 2009,
// Theorem 4), or Hoeffding's where that is narrower.
Interval mean_between(const Tally& seen, double low, double high, double confidence);

}  // namespace epsilary::experiments
