#include "solvers/losses/discrete_side.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace epsilary::solvers {
namespace {

// Sums over the outcomes from i on, of the lighter mass and of heavier - lighter.
struct Sums {
  std::vector<double> ratio_minus_one, lighter_mass;
  std::vector<Ball> mass, difference;
  Ball infinite;
  double scale = 0;  // root mean square of the ratio_minus_one

  Sums(const DiscreteSide& atoms, const Ball& share)
      : ratio_minus_one(atoms.ratio_minus_one),
        lighter_mass(atoms.lighter_mass),
        infinite(share * Ball(atoms.infinite)) {
    const std::size_t n = ratio_minus_one.size();
    mass.resize(n + 1);
    difference.resize(n + 1);
    double squares = 0, total = 0;
    for (std::size_t i = n; i-- > 0;) {
      mass[i] = mass[i + 1] + share * Ball(lighter_mass[i]);
      difference[i] = difference[i + 1] + share * Ball(lighter_mass[i]) * Ball(ratio_minus_one[i]);
      squares += lighter_mass[i] * ratio_minus_one[i] * ratio_minus_one[i];
      total += lighter_mass[i];
    }
    if (total > 0) scale = std::sqrt(squares / total);
  }

  Tail beyond(const Ball& x) const {
    const Ball s = expm1(x);
    const auto first_above = [&](double y) {
      return static_cast<std::size_t>(std::upper_bound(ratio_minus_one.begin(), ratio_minus_one.end(), y) -
                                      ratio_minus_one.begin());
    };
    const std::size_t sure = first_above(s.upper());
    Ball heavy = mass[sure] + difference[sure] + infinite;
    // An outcome that cannot be told from x counts neither way, but for what it adds to heavy - e^x light.
    for (std::size_t i = first_above(std::nextafter(s.lower(), -1)); i < sure; ++i)
      heavy += Ball::hull(Ball(0), max(Ball(0), Ball(lighter_mass[i]) * (Ball(ratio_minus_one[i]) - s)));
    return {heavy, mass[sure]};
  }

  std::vector<double> knots(double fineness) const {
    std::vector<double> out;
    if (ratio_minus_one.empty()) return out;
    for (double z = fineness * scale; z < ratio_minus_one.back(); z += fineness * (scale + z / 4))
      out.push_back(std::log1p(z));
    out.push_back(std::log1p(ratio_minus_one.back()));
    return out;
  }
};

Side side_of(const DiscreteSide& atoms, const Ball& share) {
  const auto sums = std::make_shared<const Sums>(atoms, share);
  const double most = atoms.ratio_minus_one.empty() ? 0 : log1p(Ball(atoms.ratio_minus_one.back())).upper();
  return {[sums](const Ball& x) { return sums->beyond(x); },
          [sums](double fineness, double) { return sums->knots(fineness); }, most};
}

// Heavier mass of the tail cut off.
double cut_tail(DiscreteSide& atoms, double log_mass) {
  const double most = std::exp(log_mass);
  double cut = 0;
  while (atoms.ratio_minus_one.size() > 1) {
    const double next = cut + atoms.lighter_mass.back() * (1 + atoms.ratio_minus_one.back());
    if (!(next < most)) break;
    cut = next;
    atoms.lighter_mass.pop_back();
    atoms.ratio_minus_one.pop_back();
  }
  return cut;
}

Ball difference(const DiscreteSide& atoms) {
  Ball sum(atoms.infinite);
  for (std::size_t i = 0; i < atoms.ratio_minus_one.size(); ++i)
    sum += Ball(atoms.lighter_mass[i]) * Ball(atoms.ratio_minus_one[i]);
  return sum;
}

}  // namespace

DiscreteSide truncate_pessimistically(DiscreteSide atoms, double log_mass) {
  const double cut = cut_tail(atoms, log_mass);
  atoms.infinite += cut * (1 + 0x1p-30);  // above the rounding of its sum
  return atoms;
}
DiscreteSide truncate_optimistically(DiscreteSide atoms, double log_mass) {
  cut_tail(atoms, log_mass);
  return atoms;
}

LossLaw symmetric_law(const DiscreteSide& atoms) {
  const Ball::Precision bits(128);
  const Side side = side_of(atoms, Ball(1));
  return {side, side, true};
}

LossLaw dominated_law(const DiscreteSide& right, const DiscreteSide& left) {
  const Ball::Precision bits(160);
  const Ball r = difference(right), l = difference(left);
  return {side_of(right, min(Ball(1), l / r)), side_of(left, min(Ball(1), r / l))};
}

LossLaw dominating_law(const DiscreteSide& right, const DiscreteSide& left) {
  const Ball::Precision bits(160);
  const Ball r = difference(right), l = difference(left);
  return {side_of(right, max(Ball(1), l / r)), side_of(left, max(Ball(1), r / l))};
}

std::vector<double> cell_ends(double scale, double most, double fineness, double growth) {
  std::vector<double> ends{0};
  while (ends.back() <= most * (1 + 1e-6)) ends.push_back(ends.back() + fineness * (scale + growth * ends.back()));
  return ends;
}

void Cells::clear() {
  std::fill_n(light_.begin(), used_, 0.0);
  std::fill_n(offset_.begin(), used_, 0.0);
  used_ = at_ = 0;
}

DiscreteSide Cells::spread(double slack) const {
  std::vector<double> at_end(used_ + 1);
  for (std::size_t j = 0; j < used_; ++j) {
    if (!(light_[j] > 0)) continue;
    const double share = std::clamp(offset_[j] / (light_[j] * (ends_[j + 1] - ends_[j])), 0.0, 1.0);
    at_end[j] += light_[j] * (1 - share);
    at_end[j + 1] += light_[j] * share;
  }
  DiscreteSide out;
  for (std::size_t j = 1; j <= used_; ++j)
    if (at_end[j] > 0) {
      out.ratio_minus_one.push_back(ends_[j] * (1 + 8 * slack));
      out.lighter_mass.push_back(at_end[j] * (1 + 4 * slack));
    }
  return out;
}

DiscreteSide Cells::merged(double slack) const {
  DiscreteSide out;
  for (std::size_t j = 0; j < used_; ++j) {
    if (!(light_[j] > 0)) continue;
    const double z = (ends_[j] + offset_[j] / light_[j]) * (1 - 8 * slack);
    if (!(z > (out.ratio_minus_one.empty() ? 0 : out.ratio_minus_one.back()))) continue;
    out.ratio_minus_one.push_back(z);
    out.lighter_mass.push_back(light_[j] * (1 - 4 * slack));
  }
  return out;
}

}  // namespace epsilary::solvers
