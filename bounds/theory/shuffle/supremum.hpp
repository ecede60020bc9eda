// The worst that random check-ins and shuffling can do, over all adaptive eps0-LDP randomizers and all data, bounded
// from above (PROOFS.md, recursion, blocks, pivot).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "solvers/sums/adaptive_sum.hpp"

namespace epsilary::bounds::supremum {

using solvers::AdaptiveEffort;
using solvers::Ball;

// delta(eps) of random check-ins: one of m slots holds the record with probability w at most.
double checkin_delta(const Ball& eps0, std::int64_t m, const Ball& w, const Ball& eps, const AdaptiveEffort& effort);

// delta(eps) of a shuffle of n reports, whatever the others hold, by random check-ins with fewer slots: the others who
// would have answered otherwise are told to the adversary up to the first who would not.
double shuffle_delta(const Ball& eps0, std::int64_t n, const Ball& eps, const AdaptiveEffort& effort);

// delta(eps) of a round in which some of a population report and the reports are shuffled: so many with this weight,
// the most first, fewer than the population. The record is one of k reports with probability k/population, so it is in
// one of k slots that others hold otherwise (PROOFS.md, sampled).
struct Reporting {
  std::int64_t reports;
  double weight;
};
double sampled_delta(const Ball& eps0, double population, const std::vector<Reporting>& numbers, const Ball& eps,
                     const AdaptiveEffort& effort);

// How close to the least eps a search comes, relative to it, and the width of the cells by which it is proved. Cells as
// wide as the last find the place within half a percent, for a tenth of the work.
struct EpsilonSearch {
  double width = 1e-4, cell = 0.05, wide = 0.3;
};

template <class DeltaAbove>
double least_epsilon(DeltaAbove delta_above, const Ball& delta, double low, double high, const EpsilonSearch& search) {
  // sqrt(-2 log delta) is nearly linear in eps. Wide cells first, the asked ones at last.
  const double most = delta.lower(), wanted = std::sqrt(-2 * std::log(most));
  const auto depth = [&](double eps, double cell) {
    return std::sqrt(2 * std::max(1e-300, -std::log(std::min(1.0, delta_above(eps, cell)))));
  };
  double left = low, at_left = depth(low, search.wide);
  if (at_left >= wanted && delta_above(low, search.cell) <= most) return low;
  double right = std::min(high, left * 1.02 + 1e-300), at_right = depth(right, search.wide);
  for (int i = 0; i < 60 && at_right < wanted && right < high; ++i) {
    const double slope = std::max((at_right - at_left) / (right - left), wanted / high / 8);
    left = right, at_left = at_right;
    right = std::min(high, right + 1.2 * (wanted - at_right) / slope + 1e-9 * right);
    at_right = depth(right, search.wide);
  }
  double guess = at_right > at_left ? left + (right - left) * (wanted - at_left) / (at_right - at_left) : right;
  guess = std::clamp(guess, low, high);
  // With narrow cells: one step of the secant, then up until it is proved.
  const double cell = search.cell, slope = std::max((at_right - at_left) / (right - left), 1e-300);
  guess = std::clamp(guess + (wanted - depth(guess, cell)) / slope, low, high);
  for (double step = search.width / 4; guess < high; step *= 2) {
    if (delta_above(guess, cell) <= most) return guess;
    guess = std::min(high, guess * (1 + step));
  }
  return high;
}

// The least eps between two ends at which `delta_above`, an upper bound of a falling delta(eps), is at most delta;
// `high` where there is none. `delta_above` gets eps and a width of cells. When the work runs out it is the least eps
// at which that was seen so far.
template <class DeltaAbove>
double epsilon_at(DeltaAbove above, const Ball& delta, double low, double high, const EpsilonSearch& search) {
  double met = high;
  const auto delta_above = [&](double eps, double cell) {
    const double found = above(eps, cell);
    if (found <= delta.lower()) met = std::min(met, eps);
    return found;
  };
  return solvers::within_work(
      solvers::work_left(), [&] { return least_epsilon(delta_above, delta, low, high, search); }, [&] { return met; });
}

}  // namespace epsilary::bounds::supremum
