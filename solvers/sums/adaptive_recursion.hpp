// One step after another of the worst adaptive sum (adaptive_sum.hpp): V on a grid, bounded from above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/sums/adaptive_sum.hpp"

namespace epsilary::solvers {

// Of laws without their common mean.
struct Spread {
  double variance = 0;  // the largest
  double farthest = 0;  // the largest distance of an atom from the mean
};
Spread spread_of(const AdaptiveLaws& laws);

// The width of cells, as wide as possible, at which chords add no more to the largest variance, nor to Chernoff's bound
// of a sum of so many terms from `start`, than cells of the width `cell` in standard deviations do where atoms lie
// anywhere in them: about a sixth of its square. A chord adds nothing where an atom meets the grid, so some grids are
// far better than others. Few bits, so that whole multiples are exact.
double well_placed_cell(const AdaptiveLaws& laws, double terms, double start, double cell);

// U(u) = sup E(u + X_1 + ... + X_s)_+ with the X without their mean, after s steps, on the points k h, and W = U - u,
// which is small on the right. Followed as far as tails of e^-`left` and e^-`right` reach, which is farther every step;
// beyond, U is bounded by its value at the left end, and W by its at the right one.
class Recursion {
 public:
  Recursion(const AdaptiveLaws& laws, double h, std::int64_t most_steps, double left, double right);

  // One more term.
  void step();

  std::int64_t steps() const { return steps_; }
  double h() const { return h_; }
  std::ptrdiff_t left() const { return left_; }
  std::ptrdiff_t right() const { return right_; }
  // U at the left end, below which it is not followed.
  double floor_value() const { return v(-left_); }

  // An upper bound of U at k h, for any k.
  double value(double k) const;
  // The same between them, by the chord.
  double between(double k) const;
  // Upper bounds of the second differences of U over h, at -left <= k < right: the masses of a law whose call function
  // lies above U.
  double mass(std::ptrdiff_t k) const;

 private:
  // Where an atom lies on the grid, rounded to the side on which the function is larger.
  struct Shift {
    std::ptrdiff_t whole;
    double part;  // 0 <= part < 1
  };
  struct Term {
    std::size_t atom;
    double share;  // rounded up, and inflated by more than a step rounds
  };

  static Shift shift_of(double cells);
  std::size_t at(std::ptrdiff_t k) const { return static_cast<std::size_t>(k + middle_); }
  double v(std::ptrdiff_t k) const { return v_[at(k)]; }
  double w(std::ptrdiff_t k) const { return w_[at(k)]; }
  std::ptrdiff_t reach(std::int64_t steps, double tail) const;
  void pass(const std::vector<double>& in, std::vector<double>& out, const std::vector<Shift>& shifts,
            std::ptrdiff_t first, std::ptrdiff_t last);
  void fill_room();

  double h_;
  Spread spread_;
  std::int64_t most_steps_;
  double left_tail_, right_tail_;
  std::ptrdiff_t pad_ = 0, middle_ = 0, left_ = 0, right_ = 0, next_left_ = 0, next_right_ = 0;
  std::vector<Shift> up_, down_;
  std::vector<std::vector<Term>> laws_;
  std::size_t terms_ = 0;
  // U for k <= 0 in v, W for k >= 0 in w, with room for what steps read.
  std::vector<double> v_, w_, next_v_, next_w_, moved_;
  std::int64_t steps_ = 0;
};

}  // namespace epsilary::solvers
