// The worst of all adaptive sums: X_1 + ... + X_m, each X_i drawn from one of a few laws of one mean, which of them
// chosen from all that came before. Bounded from above is E(v + X_1 + ... + X_m)_+.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

// Laws over common atoms: law j has atom k with probability `share[j][k]`. All laws have the mean `mean`, which is not
// positive, and probabilities that add up to one.
struct AdaptiveLaws {
  std::vector<Ball> atoms;
  std::vector<std::vector<Ball>> shares;
  Ball mean;
};

struct AdaptiveEffort {
  double cell = 0.03;  // width of a cell, in standard deviations of the widest law; wider ones where they do as well
  double spare = 12;   // windows end where tails are by e^-spare below what is looked for
  double block = 500;  // longer sums are taken in blocks of so many terms
};

// Upper bounds of sup E(X_1 + ... + X_m)_+ / m for several m at once, largest first. `likely` is a rough guess of minus
// the logarithm of the result: it chooses the windows and proves nothing.
//
// How. V_m(v) = v_+, V_{i-1}(v) = max_j E V_i(v + X^j). V rises, is convex and has slope at most one. It is known at
// the points of a grid and bounded between them by chords, which lie above; left of the grid by its value at the end,
// right of it by slope one. Everything is positive, probabilities and positions are rounded up, and each step is
// inflated by more than it rounds. Terms are taken without their mean, U_i(v) = V_i(v - (m - i) mean), which is added
// once. For u > 0 U(u) = u + W(u) with a small W >= 0, which obeys the same recursion and is kept instead, so that no
// digit is lost there.
//
// Blocks. Given the past, a block of r adaptive terms has E(block - k)_+ <= V(-k), V after r steps: it is below, in the
// increasing convex order, a variable whose masses are the second differences of V. So the sum of many blocks is at
// most a sum of independent such variables, found by doubling; their lattices grow with them, masses being spread to
// the next points (which is larger in convex order). Masses are held tilted by e^{theta y}, so that a tail keeps its
// digits.
std::vector<double> adaptive_sum(const AdaptiveLaws& laws, const std::vector<std::int64_t>& terms, double likely,
                                 const AdaptiveEffort& effort = {});

// The same from other places: upper bounds of sup E(start + X_1 + ... + X_m)_+, not divided by m.
struct AdaptiveStart {
  std::int64_t terms;
  Ball start;
};
std::vector<double> adaptive_sum_from(const AdaptiveLaws& laws, const std::vector<AdaptiveStart>& from, double likely,
                                      const AdaptiveEffort& effort = {});

}  // namespace epsilary::solvers
