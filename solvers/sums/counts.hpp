// A binomial number walked through from its mode outward in double, and gathered in bins, with the error of its
// weights known and the mass left out bounded.
#pragma once

#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

// Weights of Bin(n, p) over the window outside of which they are below e^{-depth}. q = 1 - p, and each of them is known
// to be positive or is exactly zero. n < 2^53.
class Counts {
 public:
  Counts(double n, const Ball& p, const Ball& q, double depth);

  double mode() const { return mode_; }
  double low() const { return low_; }
  double high() const { return high_; }
  // Relative error of every weight, and of sums of all of them.
  double slack() const { return 16 * 0x1p-53 + top_error_ + (8 * 0x1p-53 + odds_error_) * (high_ - low_); }

  // visit(k, weight) for every k of the window: from the mode up, then from below it down.
  template <class F>
  void walk(F visit) const {
    double weight = top_;
    for (double k = mode_; k <= high_; ++k) {
      visit(k, weight);
      weight *= (n_ - k) / (k + 1) * odds_;
    }
    weight = top_;
    for (double k = mode_; k > low_; --k) {
      weight *= k / ((n_ - k + 1) * odds_);
      visit(k - 1, weight);
    }
  }

  // Chernoff's bound on P(K <= k) below the mean, on P(K >= k) above it, and its logarithm, which does not underflow.
  double tail(double k) const;
  double log_tail(double k) const;

 private:
  double n_, mode_, low_, high_, odds_ = 0, top_ = 1;
  double odds_error_ = 0, top_error_ = 0;  // relative, of the balls they are the middles of
  Ball p_, q_;
};

struct CountBin {
  double low, high;
  double weight = 0, mean = 0;  // mean of k given the bin
  double log_weight = 0;        // of blocks beyond the window
};

// Bins of relative width `width` over the window, and blocks beyond it whose weights are upper bounds. Numbers below
// `least` belong to neither.
struct BinnedCounts {
  std::vector<CountBin> inside, outside;
  double slack = 0;
};
BinnedCounts bin_counts(const Counts& counts, double n, double least, double width);

}  // namespace epsilary::solvers
