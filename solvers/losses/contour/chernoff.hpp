// Chernoff's bound on a composition: what is known of it where the contour integral takes too much work. Part of
// solvers/contour.
#pragma once

#include <vector>

#include "solvers/losses/contour/line.hpp"

namespace epsilary::solvers::contour {

// M(theta)^T e^{-theta eps} times the largest e^{-theta x} (1 - e^{-x}); of a divided law the runs with a loss of the
// tail, |M^T - B^T| <= T R (B + R)^{T-1}, and those of the body alone, which lose at most T times the largest of them.
class Chernoff {
 public:
  Chernoff(const std::vector<MomentLaw>& laws, const Line& line);

  Ball delta(const Ball& eps) const;
  Ball epsilon(const Ball& delta) const;  // where delta() is at most this; indeterminate where it never is

 private:
  Ball order_, log_tail_, missing_;
  bool divided_ = false;
  Ball body_order_, log_body_, farthest_body_;
};

}  // namespace epsilary::solvers::contour
