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

// What some adaptive randomizer attains of it, from below; for some thousand slots at most.
double checkin_delta_attained(const Ball& eps0, std::int64_t m, const Ball& w, const Ball& eps,
                              const AdaptiveEffort& effort);

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
double sampled_delta(const Ball& eps0, const Ball& population, const std::vector<Reporting>& numbers, const Ball& eps,
                     const AdaptiveEffort& effort);

// A law above that of a sum of `slots` negatively associated indicators with this mean, by Chernoff's bound; what is
// beyond a probability of e^{-depth} is `lost`.
struct Numbers {
  std::vector<Reporting> most_first;
  double lost = 0;
};
Numbers chernoff_numbers(const Ball& slots, const Ball& mean, double depth);

// How close to the least eps a search comes, relative to it, and the width of the cells by which it is proved. Cells as
// wide as the last find the place within half a percent, for a tenth of the work.
struct EpsilonSearch {
  double width = 1e-4, cell = 0.05, wide = 0.3;
};

// Evaluates delta next to where it is `delta`, until it is not above at an eps that is close enough.
template <class DeltaAbove>
void look_for_epsilon(DeltaAbove delta_above, const Ball& delta, double low, double high, const EpsilonSearch& search) {
  // sqrt(-2 log delta) is nearly linear in eps. Wide cells first, the asked ones at last.
  const double wanted = std::sqrt(-2 * std::log(delta.lower()));
  const auto depth = [&](double eps, double cell) {
    return std::sqrt(2 * std::max(1e-300, -std::log(std::min(1.0, delta_above(eps, cell)))));
  };
  double left = low, at_left = depth(low, search.wide);
  if (at_left >= wanted) return;
  double right = std::min(high, left * 1.02 + 1e-300), at_right = depth(right, search.wide);
  for (int i = 0; i < 60 && at_right < wanted && right < high; ++i) {
    const double slope = std::max((at_right - at_left) / (right - left), wanted / high / 8);
    left = right, at_left = at_right;
    right = std::min(high, right + 1.2 * (wanted - at_right) / slope + 1e-9 * right);
    at_right = depth(right, search.wide);
  }
  // With narrow cells: two steps of the secant, then up.
  const double margin = 1 + search.width / 8, cell = search.cell;
  double slope = std::max((at_right - at_left) / (right - left), 1e-300);
  double guess = std::clamp(left + (wanted - at_left) / slope, low, high), at_guess = depth(guess, cell);
  double before = guess, at_before = at_guess;
  for (int i = 0; i < 2; ++i) {
    const double next = std::clamp((guess + (wanted - at_guess) / slope) * margin, low, high);
    if (at_guess >= wanted && guess - next <= search.width * guess) return;
    before = guess, at_before = at_guess;
    guess = next, at_guess = depth(guess, cell);
    if (guess != before) slope = std::max((at_guess - at_before) / (guess - before), slope / 4);
  }
  for (double step = search.width / 4; guess < high && at_guess < wanted; step *= 2) {
    guess = std::min(high, guess * (1 + step));
    at_guess = depth(guess, cell);
  }
}

// The least eps between two ends at which `delta_above`, an upper bound of a falling delta(eps), was seen to be at most
// delta, also when the work runs out; `high` where there is none. `delta_above` gets eps and a width of cells.
template <class DeltaAbove>
double epsilon_at(DeltaAbove above, const Ball& delta, double low, double high, const EpsilonSearch& search) {
  double met = high;
  const auto delta_above = [&](double eps, double cell) {
    const double found = above(eps, cell);
    if (found <= delta.lower()) met = std::min(met, eps);
    return found;
  };
  return solvers::within_work(
      solvers::work_left(),
      [&] {
        look_for_epsilon(delta_above, delta, low, high, search);
        return met;
      },
      [&] { return met; });
}

}  // namespace epsilary::bounds::supremum
