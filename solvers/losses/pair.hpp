// Privacy-loss distributions on a lattice: a pair of laws between two discrete ones, composed with proven error.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "solvers/search/bracket.hpp"

namespace epsilary::solvers {

// The laws P and Q of a pair through their privacy loss L = log dP/dQ. A side holds the tails beyond x >= 0, first of
// the law that is heavier there: {P, Q}(L > x) on the right, {Q, P}(-L > x) on the left.
struct Tail {
  Ball heavy, light;
};
struct Side {
  std::function<Tail(const Ball& x)> tail;
  // Increasing losses > 0 between which the law is nearly linear: closer as `fineness` falls; beyond the last one the
  // heavier law has mass below e^{log_neglected}.
  std::function<std::vector<double>(double fineness, double log_neglected)> knots;
  double most = 0;  // no loss lies beyond this, where the side is bounded
};
struct LossLaw {
  Side right, left;
  bool symmetric = false;  // left is right
};

// Masses of P at losses at[i] * step. The masses of Q are those times e^{-loss}.
struct Masses {
  std::vector<std::int64_t> at;
  std::vector<Ball> p;
};

// Two pairs on the lattice with profiles lower <= exact <= upper, delta(eps) for every eps and all compositions.
//   upper: the profile, convex in e^eps, replaced by its chords ("connect the dots", Doroshenko et al. 2022)
//   lower: those chords lowered by what they exceed the profile at most, and made convex
// Both keep the total masses of P and Q, so the error of a composition does not grow with its length.
struct Lattice {
  double step = 0;
  Masses upper, lower;
  Ball infinite;  // mass of P that the upper pair puts at infinite loss
};
Lattice discretise(const LossLaw& law, double step, double fineness, double log_neglected);

// The same law T times.
struct Repeated {
  LossLaw law;
  double times = 1;
};

// What is asked for: delta at eps, or eps at delta.
struct Target {
  std::optional<Ball> eps, delta;
};

struct Refinement {
  double width = 1e-3;      // relative width at which refining stops
  bool upper_only = false;  // stop as soon as the upper end moves less than that
  std::size_t most_points = 1 << 22;
  double work = HUGE_VAL;  // allowed, as of a Request
};

// What the composition costs: the bracket holds the exact delta(eps), the exact least eps >= 0 with delta(eps) <=
// delta.
Bracket composed_delta(const std::vector<Repeated>& laws, const Ball& eps, const Refinement& wanted = {});
Bracket composed_epsilon(const std::vector<Repeated>& laws, const Ball& delta, const Refinement& wanted = {});

}  // namespace epsilary::solvers
