// A symmetric pair from its profile at finitely many places.
#pragma once

#include <algorithm>
#include <vector>

#include "solvers/losses/pairs/discrete_side.hpp"

namespace epsilary::bounds {

// Outcomes of a symmetric pair whose profile is the greatest convex function below the points (z, delta at e^eps = 1 +
// z), z rising from 0, and constant beyond the last. A profile is convex: one that is below the points is below it, so
// the pair dominates (PROOFS.md, own).
inline solvers::DiscreteSide joined_by_chords(const std::vector<double>& z, const std::vector<double>& delta) {
  std::vector<std::size_t> hull;  // from below
  const auto slope = [&](std::size_t i, std::size_t j) { return (delta[j] - delta[i]) / (z[j] - z[i]); };
  for (std::size_t i = 0; i < z.size(); ++i) {
    while (hull.size() > 1 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), i)) hull.pop_back();
    hull.push_back(i);
  }
  solvers::DiscreteSide out{.infinite = delta.back()};
  for (std::size_t k = 1; k < hull.size(); ++k) {
    const double before = slope(hull[k - 1], hull[k]), after = k + 1 < hull.size() ? slope(hull[k], hull[k + 1]) : 0;
    if (before >= 0) break;  // the profile does not rise
    out.ratio_minus_one.push_back(z[hull[k]]);
    out.lighter_mass.push_back(std::max(0.0, after - before) - 1e-13 * before);  // above the rounding of the slopes
  }
  return out;
}

}  // namespace epsilary::bounds
