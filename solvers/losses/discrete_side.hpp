// Laws of finitely many losses. Outcomes gathered in cells give two pairs: each cell's mass spread to its ends
// dominates them, each cell merged into one outcome is dominated by them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solvers/losses/pair.hpp"

namespace epsilary::solvers {

// One side of a pair: outcomes at which the heavier law is 1 + ratio_minus_one times the lighter one, and their mass
// under the lighter. The numbers are exact as they stand. Beyond them lies mass that the heavier law has alone.
struct DiscreteSide {
  std::vector<double> ratio_minus_one, lighter_mass;  // ratio_minus_one > 0 increases
  double infinite = 0;
};

// The outermost outcomes with heavier mass below e^{log_mass} together: lost entirely, or dropped.
DiscreteSide truncate_pessimistically(DiscreteSide atoms, double log_mass);
DiscreteSide truncate_optimistically(DiscreteSide atoms, double log_mass);

// The pair whose sides are these, with what is left of the masses at loss 0. Rounding may leave the two sides with
// different totals of heavier - lighter: the right side is scaled down to be dominated, up to dominate.
LossLaw symmetric_law(const DiscreteSide& side);
LossLaw dominated_law(const DiscreteSide& right, const DiscreteSide& left);
LossLaw dominating_law(const DiscreteSide& right, const DiscreteSide& left);

// Ends of cells from 0 to beyond `most`, `fineness` (scale + growth z) wide at z.
std::vector<double> cell_ends(double scale, double most, double fineness, double growth = 0.25);

class Cells {
 public:
  explicit Cells(std::span<const double> ends)
      : ends_(ends), light_(ends.size() - 1), offset_(ends.size() - 1), used_(0) {}

  void add(double ratio_minus_one, double lighter_mass) {
    while (ratio_minus_one < ends_[at_]) --at_;
    while (ratio_minus_one >= ends_[at_ + 1]) ++at_;
    add_cell(at_, lighter_mass, lighter_mass * (ratio_minus_one - ends_[at_]));
  }
  // Mass in cell j, and its mean of ratio_minus_one - ends[j] times that mass.
  void add_cell(std::size_t j, double lighter_mass, double offset) {
    light_[j] += lighter_mass;
    offset_[j] += offset;
    used_ = std::max(used_, j + 1);
  }
  void add(const Cells& other, double weight) {
    for (std::size_t j = 0; j < other.used_; ++j) {
      light_[j] += weight * other.light_[j];
      offset_[j] += weight * other.offset_[j];
    }
    used_ = std::max(used_, other.used_);
  }
  void clear();

  // Where masses and ratios minus one carry a relative error of at most `slack`: the pair that dominates and the one
  // that is dominated. A mass on two points whose mean is not below z costs (z' - s)_+ on average not less than (z -
  // s)_+.
  DiscreteSide spread(double slack) const;
  DiscreteSide merged(double slack) const;

 private:
  std::span<const double> ends_;
  std::vector<double> light_, offset_;
  std::size_t used_, at_ = 0;
};

}  // namespace epsilary::solvers
