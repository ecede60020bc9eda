#include "solvers/sums/adaptive_strategy.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "solvers/sums/adaptive_recursion.hpp"

namespace epsilary::solvers {
namespace {

constexpr double unit = 0x1p-53;
// Across zero one less a steepness is known to an absolute error; where that is less steep than this the line is given
// up.
constexpr double least_steep = 0x1p-12;

// Lines by the points of a grid: at cell k the value and how steep the line is, per cell. Left of zero lines rise,
// right of it, where they bound U - u, they fall. All is positive, or the line is zero, which is one too.
struct Lines {
  std::vector<double> value, steep;
  explicit Lines(std::size_t size) : value(size, 0.0), steep(size, 0.0) {}
};

struct Term {
  std::ptrdiff_t cells;  // from a point to one of the two around where the atom leads
  double beyond;         // how far the atom is beyond that point in the direction of the rise, less a room for rounding
  double share;          // of the atom and the point, rounded down, less what a step rounds
};

// Rounding. Exact lines follow from the same choices of points and laws, and lie nowhere above U. A steepness is off
// from theirs by 128 units a step at most, of one; across zero by 2^12 times that, relatively, and so everywhere.
// `slack_` is more, and is taken off where a steepness is used, so that values are below theirs.
class Strategy {
 public:
  // With lines of the nearest point alone, or `between` two.
  Strategy(const AdaptiveLaws& laws, double h, std::int64_t terms, double left, double right, bool between)
      : h_(h),
        slack_(static_cast<double>(terms) * 128 * unit / least_steep),
        left_(reach(laws, terms, left)),
        right_(reach(laws, terms, right)) {
    for (const auto& shares : laws.shares) {
      std::vector<Term> rising, falling;
      for (std::size_t a = 0; a < shares.size(); ++a) {
        if (!(shares[a].upper() > 0)) continue;
        // Between two points the mean of their lines, as a chord has their values: with the nearest line alone the
        // steepness would be off to one side, by a little more in every step.
        const Ball cells = (laws.atoms[a] - laws.mean) / Ball(h);
        const double before = std::floor(cells.midpoint()), after = before + 1;
        const double past = std::clamp((cells - Ball(before)).midpoint(), 0.0, 1.0);
        const double near_after = between ? past : std::nearbyint(past);
        const auto add = [&](double point, const Ball& part) {
          const auto whole = static_cast<std::ptrdiff_t>(point);
          const double share = std::max(0.0, (shares[a] * part).lower() * (1 - 64 * unit));
          if (!(share > 0)) return;
          rising.push_back({whole, (cells - Ball(point)).lower() - 2 * slack_, share});
          falling.push_back({whole, (Ball(point) - cells).lower() - 2 * slack_, share});
          room_ = std::max(room_, std::abs(whole) + 2);
        };
        add(before, 1 - Ball(near_after));
        add(after, Ball(near_after));
      }
      rising_.push_back(std::move(rising));
      falling_.push_back(std::move(falling));
    }
    const auto size = static_cast<std::size_t>(std::max(left_, right_) + 2 * room_ + 2);
    // Both by the distance from zero: of U = u_+ and of W = u_+ - u the line is zero on its own side.
    below_ = above_ = Lines(size);
    next_ = Lines(size);
  }

  void step() {
    const Lines before = below_;
    pass(rising_, below_, above_, left_, -1);
    pass(falling_, above_, before, right_, 1);
  }

  // A lower bound of U at so many cells left of zero.
  double at(const Ball& cells_left) const {
    const double next = std::nearbyint(cells_left.midpoint());
    if (next < 0 || next > static_cast<double>(left_)) return 0;
    const auto k = static_cast<std::size_t>(next);
    const double beyond = (Ball(next) - cells_left).lower() - 2 * slack_;
    return std::max(0.0, (below_.value[k] + below_.steep[k] * beyond) * (1 - 8 * unit) - 1e-290);
  }

 private:
  static std::ptrdiff_t reach_cells(double far, double h) {
    return static_cast<std::ptrdiff_t>(std::min(1e6, std::ceil(far / h))) + 3;
  }
  // Bernstein's inequality, as in Recursion; it only chooses how far lines are followed.
  std::ptrdiff_t reach(const AdaptiveLaws& laws, std::int64_t terms, double tail) const {
    const Spread spread = spread_of(laws);
    const double s = static_cast<double>(terms),
                 far = std::sqrt(2 * tail * s * spread.variance) + tail * spread.farthest / 3;
    return reach_cells(std::min(far, s * spread.farthest), h_);
  }

  // The lines of one side after a step; `side` is -1 for those left of zero. Read across zero, U = W + u and its
  // steepness is one less that of W, and the other way round.
  void pass(const std::vector<std::vector<Term>>& laws, Lines& own, const Lines& other, std::ptrdiff_t last, int side) {
    // One array from -room beyond zero to the end, so that every term reads at a shift.
    const auto total = static_cast<std::size_t>(last + 2 * room_ + 2);
    value_.assign(total, 0.0);
    steep_.assign(total, 0.0);
    for (std::ptrdiff_t k = 1; k <= room_; ++k) {
      const auto to = static_cast<std::size_t>(room_ - k), from = static_cast<std::size_t>(k);
      if (1 - other.steep[from] < least_steep) continue;
      value_[to] = (other.value[from] + static_cast<double>(k)) * (1 - 4 * unit);
      steep_[to] = 1 - other.steep[from];
    }
    for (std::ptrdiff_t k = 0; k <= last; ++k) {
      const auto to = static_cast<std::size_t>(room_ + k), from = static_cast<std::size_t>(k);
      value_[to] = own.value[from];
      steep_[to] = own.steep[from];
    }
    spend(0.1 * static_cast<double>(last) * static_cast<double>(laws.size() * 6));
    std::ranges::fill(next_.value, 0.0);
    std::ranges::fill(next_.steep, 0.0);
    sum_.resize(static_cast<std::size_t>(last + 1));
    slope_.resize(sum_.size());
    for (const auto& law : laws) {
      std::ranges::fill(sum_, 0.0);
      std::ranges::fill(slope_, 0.0);
      for (const Term& t : law) {
        // To the right in u is towards zero on the left side.
        const double* value = value_.data() + room_ + side * t.cells;
        const double* steep = steep_.data() + room_ + side * t.cells;
        for (std::size_t k = 0; k < sum_.size(); ++k) {
          const double line = value[k] + steep[k] * t.beyond;
          const double share = line > 0 ? t.share : 0;
          sum_[k] += share * line;
          slope_[k] += share * steep[k];
        }
      }
      for (std::size_t k = 0; k < sum_.size(); ++k)
        if (sum_[k] > next_.value[k]) next_.value[k] = sum_[k], next_.steep[k] = slope_[k];
    }
    std::swap(own, next_);
  }

  double h_, slack_;
  std::ptrdiff_t left_, right_, room_ = 2;
  std::vector<std::vector<Term>> rising_, falling_;
  Lines below_{0}, above_{0}, next_{0};
  std::vector<double> value_, steep_, sum_, slope_;
};

}  // namespace

double adaptive_sum_attained(const AdaptiveLaws& laws, std::int64_t terms, double likely,
                             const AdaptiveEffort& effort) {
  if (terms < 1) throw std::logic_error("a sum has terms");
  const Ball drift = Ball(terms) * laws.mean;
  const double h = well_placed_cell(laws, static_cast<double>(terms), drift.midpoint(), effort.cell);
  const auto attained = [&](bool between) {
    Strategy strategy(laws, h, terms, std::max(likely, 1.0) + effort.spare, effort.spare + 4, between);
    for (std::int64_t s = 0; s < terms; ++s) strategy.step();
    return strategy.at(-drift / Ball(h)) * h * (1 - 4 * unit) / static_cast<double>(terms) * (1 - 4 * unit);
  };
  // After few terms there are edges, at which the line of one side says more than the mean of both.
  constexpr std::int64_t few = 40;
  return terms > few ? attained(true) : std::max(attained(true), attained(false));
}

}  // namespace epsilary::solvers
