// A symmetric pair from its profile at finitely many places.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/losses/discrete_side.hpp"

namespace epsilary::bounds {

// The points from left to right at which the greatest convex function below all of them bends.
inline std::vector<std::size_t> hull_from_below(const std::vector<double>& z, const std::vector<double>& delta) {
  std::vector<std::size_t> hull;
  const auto slope = [&](std::size_t i, std::size_t j) { return (delta[j] - delta[i]) / (z[j] - z[i]); };
  for (std::size_t i = 0; i < z.size(); ++i) {
    while (hull.size() > 1 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), i)) hull.pop_back();
    hull.push_back(i);
  }
  return hull;
}

// Outcomes of a side of a pair whose profile is the greatest convex function below the points (z, delta at e^eps = 1 +
// z), z rising from 0, and constant beyond the last; `slack` is added to every mass, relative to what is beyond it.
inline solvers::DiscreteSide joined(const std::vector<double>& z, const std::vector<double>& delta, double slack) {
  const std::vector<std::size_t> hull = hull_from_below(z, delta);
  const auto slope = [&](std::size_t i, std::size_t j) { return (delta[j] - delta[i]) / (z[j] - z[i]); };
  solvers::DiscreteSide out{.infinite = delta.back()};
  for (std::size_t k = 1; k < hull.size(); ++k) {
    const double before = slope(hull[k - 1], hull[k]), after = k + 1 < hull.size() ? slope(hull[k], hull[k + 1]) : 0;
    if (before >= 0) break;  // the profile does not rise
    out.ratio_minus_one.push_back(z[hull[k]]);
    out.lighter_mass.push_back(std::max(0.0, std::max(0.0, after - before) - slack * before));
  }
  return out;
}

// A symmetric pair that dominates every one whose profile is below the points. A profile is convex: one that is below
// the points is below the greatest convex function below them (PROOFS.md, own).
inline solvers::DiscreteSide joined_by_chords(const std::vector<double>& z, const std::vector<double>& delta) {
  return joined(z, delta, 1e-13);  // above the rounding of the slopes
}

// A side that is dominated by every one whose profile is between `low` and `high` at the points z, rising from 0: a
// convex function lies above the chords of its neighbours on both sides, continued (PROOFS.md, own).
inline solvers::DiscreteSide below_chords(const std::vector<double>& z, const std::vector<double>& low,
                                          const std::vector<double>& high) {
  std::vector<double> at{0.0}, least;
  const std::size_t last = z.size() - 1;
  // Slopes from z_i to the right, and to the left.
  const auto ahead = [&](std::size_t i) { return (low[i] - high[i - 1]) / (z[i] - z[i - 1]); };
  const auto back = [&](std::size_t i) { return (high[i + 1] - low[i]) / (z[i + 1] - z[i]); };
  least.push_back(std::max(0.0, low[1] - back(1) * z[1]));
  for (std::size_t i = 1; i < last; ++i) {
    at.push_back(z[i]);
    least.push_back(std::max(0.0, low[i]));
    if (!(low[i] > 0)) break;
    const double fall = ahead(i);
    if (i + 1 == last) {  // to where it may be zero
      if (fall < 0) at.push_back(z[i] - low[i] / fall), least.push_back(0);
      break;
    }
    const double next = back(i + 1), width = z[i + 1] - z[i];
    if (low[i] + fall * width >= low[i + 1] || low[i + 1] - next * width >= low[i]) continue;  // above the chord itself
    const double place = z[i] + (low[i + 1] - low[i] - next * width) / (fall - next);
    if (!(place > z[i] && place < z[i + 1])) continue;
    // On the lower of both chords where `place` was rounded; what cancels was no larger than low[i].
    const double there = std::min(low[i] + fall * (place - z[i]), low[i + 1] - next * (z[i + 1] - place));
    at.push_back(place);
    least.push_back(std::max(0.0, there - 1e-14 * low[i]));
  }
  at.push_back(at.back() * 2 + 1);
  least.push_back(0);
  for (double& x : least) x *= 1 - 1e-9;  // below what was rounded
  solvers::DiscreteSide side = joined(at, least, -1e-13);
  side.infinite = 0;
  return side;
}

}  // namespace epsilary::bounds
