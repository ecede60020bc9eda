// Trade-off functions as values: what is certified of them, and the operations of Dong, Roth and Su 2022 on them.
#pragma once

#include <functional>
#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::bounds {

using solvers::Ball;

// A convex falling function on [0, 1] known from below by finitely many lines: f(alpha) >= height - slope alpha, and
// f >= 0. Samples of f joined by chords would lie above it and certify nothing. Every operation keeps the lines below.
struct Tradeoff {
  struct Line {
    Ball slope, height;
  };
  std::vector<Line> lines;

  Ball operator()(const Ball& alpha) const;  // the largest of the lines
};

// (eps, delta)-differential privacy for one or more eps >= 0, both ways: a symmetric function. An empty list says
// nothing.
struct Guarantee {
  Ball eps, delta;
};
Tradeoff from_guarantees(const std::vector<Guarantee>& guarantees);
Tradeoff from_profile(const std::function<Ball(const Ball& eps)>& delta, const std::vector<double>& eps);
Tradeoff identity();  // 1 - alpha: perfect privacy

// The profile of the lines: sup over alpha of 1 - f(alpha) - e^eps alpha, for any real eps; at least that of f.
Ball profile(const Tradeoff& f, const Ball& eps);

// The inverse: the least t with f(t) <= alpha.
Tradeoff inverse(const Tradeoff& f);

// The largest convex function below both, which is the double conjugate of their minimum.
Tradeoff convex_minimum(const Tradeoff& f, const Tradeoff& g);

// C_p(f) = min{f_p, f_p^{-1}}**, f_p = p f + (1 - p) Id.
Tradeoff subsampled(const Tradeoff& f, const Ball& p);

// Groups of g: 1 - (1 - f)^{o g}; g >= 1.
Tradeoff group(const Tradeoff& f, int g);

}  // namespace epsilary::bounds
