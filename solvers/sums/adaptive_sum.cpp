#include "solvers/sums/adaptive_sum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

#include "solvers/sums/adaptive_recursion.hpp"

namespace epsilary::solvers {
namespace {

constexpr double unit = 0x1p-53;  // half a unit in the last place of 1: what an operation rounds by, relatively

// Masses at (first + i) step, times e^{theta y} 2^exponent; `lost` is what was cut off, tilted alike.
struct TiltedLaw {
  double step = 1;
  std::ptrdiff_t first = 0;
  std::vector<double> mass;
  double lost = 0;
  int exponent = 0;

  double total() const {
    double sum = 0;
    for (const double m : mass) sum += m;
    return sum * (1 + static_cast<double>(mass.size()) * unit * 2);
  }
  double variance() const {
    double m0 = 0, m1 = 0, m2 = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const double y = static_cast<double>(first + static_cast<std::ptrdiff_t>(i)) * step;
      m0 += mass[i], m1 += mass[i] * y, m2 += mass[i] * y * y;
    }
    return m2 / m0 - m1 / m0 * (m1 / m0);
  }
};

// Cuts what is negligible off the ends, and brings the exponent up to date.
void trim(TiltedLaw& law) {
  constexpr double negligible = 1e-13;
  double total = 0;
  for (const double m : law.mass) total += m;
  const double limit = negligible * total;
  double left = 0, right = 0;
  std::size_t from = 0, to = law.mass.size();
  while (from + 1 < to && left + law.mass[from] <= limit) left += law.mass[from++];
  while (from + 1 < to && right + law.mass[to - 1] <= limit) right += law.mass[--to];
  law.mass.erase(law.mass.begin() + static_cast<std::ptrdiff_t>(to), law.mass.end());
  law.mass.erase(law.mass.begin(), law.mass.begin() + static_cast<std::ptrdiff_t>(from));
  law.first += static_cast<std::ptrdiff_t>(from);
  law.lost = (law.lost + left + right) * (1 + static_cast<double>(law.mass.size() + from) * unit * 4);
  const int shift = std::ilogb(total);
  if (std::abs(shift) > 64) {  // exact
    for (double& m : law.mass) m = std::ldexp(m, -shift);
    law.lost = std::ldexp(law.lost, -shift);
    law.exponent += shift;
  }
}

// To a lattice twice as wide: what lies between two points goes to both, half and half before tilting. Larger in convex
// order.
void widen(TiltedLaw& law, double theta) {
  const double up = std::exp(theta * law.step) * (1 + 8 * unit) / 2,
               down = std::exp(-theta * law.step) * (1 + 8 * unit) / 2;
  const auto half = [](std::ptrdiff_t k) { return k >= 0 ? k / 2 : -((1 - k) / 2); };  // rounded down
  const std::ptrdiff_t first = half(law.first),
                       last = half(law.first + static_cast<std::ptrdiff_t>(law.mass.size()) - 1) + 1;
  std::vector<double> mass(static_cast<std::size_t>(last - first + 1), 0.0);
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    const std::ptrdiff_t k = law.first + static_cast<std::ptrdiff_t>(i);
    const auto at = static_cast<std::size_t>(half(k) - first);
    if (k % 2 == 0) {
      mass[at] += law.mass[i];
    } else {
      mass[at] += law.mass[i] * down;
      mass[at + 1] += law.mass[i] * up;
    }
  }
  for (double& m : mass) m *= 1 + 8 * unit;
  law.step *= 2;
  law.first = first;
  law.mass = std::move(mass);
}

// The law of the sum of two independent ones.
TiltedLaw sum_of(TiltedLaw a, TiltedLaw b, double theta) {
  while (a.step < b.step) widen(a, theta);
  while (b.step < a.step) widen(b, theta);
  TiltedLaw out{a.step, a.first + b.first, std::vector<double>(a.mass.size() + b.mass.size() - 1, 0.0)};
  spend(0.15 * static_cast<double>(a.mass.size()) * static_cast<double>(b.mass.size()));
  for (std::size_t i = 0; i < a.mass.size(); ++i) {
    const double m = a.mass[i];
    double* to = out.mass.data() + i;
    for (std::size_t j = 0; j < b.mass.size(); ++j) to[j] += m * b.mass[j];
  }
  const double inflated = 1 + (static_cast<double>(std::min(a.mass.size(), b.mass.size())) + 8) * unit * 2;
  for (double& m : out.mass) m *= inflated;
  out.exponent = a.exponent + b.exponent;
  out.lost = (a.lost * (b.total() + b.lost) + b.lost * a.total()) * (1 + 16 * unit);
  trim(out);
  return out;
}

// Widened as far as its own spread allows.
void fit(TiltedLaw& law, double theta, double cell) {
  const double wanted = cell * std::sqrt(law.variance());
  while (2 * law.step <= wanted) widen(law, theta);
}

TiltedLaw power(TiltedLaw base, std::int64_t times, double theta, double cell) {
  std::optional<TiltedLaw> out;
  for (;;) {
    if (times % 2) out = out ? sum_of(*out, base, theta) : base;
    if (out) fit(*out, theta, cell);
    times /= 2;
    if (times == 0) return *out;
    base = sum_of(base, base, theta);
    fit(base, theta, cell);
  }
}

// The law of a block, y = -k h, tilted; theta makes its tilted mean about `wanted`.
struct Block {
  TiltedLaw law;
  double theta;
  double excess;  // by which its masses exceed one together, at most
};
Block block_of(const Recursion& r, double cell, double wanted) {
  std::vector<double> y, mass;
  for (std::ptrdiff_t k = r.right(); k >= -r.left(); --k) {
    y.push_back(-static_cast<double>(k) * r.h());
    mass.push_back(r.mass(k));
  }
  // Right of the grid U has slope one: the last point carries what is missing.
  double seen = 0;
  for (std::size_t i = 1; i < mass.size(); ++i) seen += mass[i];
  mass[0] = std::max(0.0, 1 - seen * (1 - 1e-9));  // seen is right to 1e-11
  const double excess = std::max(0.0, (seen + mass[0]) * (1 + 1e-9) - 1);
  const double scale = std::max(std::abs(y.front()), std::abs(y.back()));
  double low = 0, high = 60 / r.h();
  // Any theta will do, and cells put together find a good one.
  const std::size_t together = std::max<std::size_t>(1, y.size() / 1000);
  std::vector<double> at, log_mass;
  for (std::size_t i = 0; i < y.size(); i += together) {
    double group = 0;
    for (std::size_t j = i; j < std::min(y.size(), i + together); ++j) group += mass[j];
    if (group > 0) at.push_back(y[i]), log_mass.push_back(std::log(group));
  }
  const auto tilted_mean = [&](double theta) {
    double m1 = 0, top = -HUGE_VAL;
    for (std::size_t i = 0; i < at.size(); ++i) top = std::max(top, theta * at[i] + log_mass[i]);
    for (std::size_t i = 0; i < at.size(); ++i)
      m1 += std::exp(theta * at[i] + log_mass[i] - top) * (at[i] - wanted) / scale;
    return m1;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (tilted_mean(middle) < 0 ? low : high) = middle;
  }
  const double theta = std::max(high, 1e-6 / scale);
  TiltedLaw law{r.h(), -r.right(), {}};
  law.lost = 1e-300;  // more than all that is too small for a double
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double log_factor = theta * y[i];
    law.mass.push_back(mass[i] > 0 ? mass[i] * std::exp(log_factor) * (1 + 4 * unit * (2 + std::abs(log_factor))) : 0);
  }
  trim(law);
  fit(law, theta, cell);
  return {std::move(law), theta, excess};
}

// E U(start + S) for S of the law, U after the steps of the recursion, times e^{-theta start}; `start` in cells.
double expectation(const TiltedLaw& law, double theta, const Recursion& r, double start) {
  const double cells = law.step / r.h();  // a power of two
  double sum = 1e-300;                    // as above
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.mass[i] == 0) continue;
    const double k = static_cast<double>(law.first + static_cast<std::ptrdiff_t>(i)) * cells, steep = theta * r.h();
    sum += law.mass[i] * std::exp(-steep * (k + start)) *
           (1 + 4 * unit * (2 + steep * (std::abs(k) + std::abs(start)))) *
           r.between(k + start + 2 * unit * (std::abs(k) + std::abs(start)));
  }
  sum *= 1 + static_cast<double>(law.mass.size() + 8) * unit * 2;
  return sum;
}

}  // namespace

std::vector<double> adaptive_sum_from(const AdaptiveLaws& laws, const std::vector<AdaptiveStart>& from, double likely,
                                      const AdaptiveEffort& effort) {
  const auto more = [](const AdaptiveStart& a, const AdaptiveStart& b) { return a.terms > b.terms; };
  if (from.empty() || !std::ranges::is_sorted(from, more) || from.back().terms < 1)
    throw std::logic_error("numbers of terms must fall and be positive");
  const std::int64_t wanted = std::max<std::int64_t>(1, static_cast<std::int64_t>(effort.block));
  const std::int64_t most = from.front().terms, least = from.back().terms;
  const bool whole = 2 * most <= 3 * wanted || least < wanted;  // no blocks
  // Blocks of equal length that leave little of the fewest terms.
  const std::int64_t blocks = whole ? 0 : least / wanted, r = whole ? most : least / blocks;
  const std::int64_t rest_of_most = most - blocks * r, longest = std::max(r, rest_of_most);
  const auto drift = [&](const AdaptiveStart& f) { return f.start + f.terms * laws.mean; };
  const double h = well_placed_cell(laws, static_cast<double>(most), drift(from.front()).midpoint(), effort.cell);
  Recursion recursion(laws, h, longest, std::max(likely, 1.0) + effort.spare, effort.spare + 4);
  std::vector<double> start;  // in cells
  for (const AdaptiveStart& f : from) start.push_back((drift(f) / Ball(h)).upper());

  std::vector<double> out(from.size(), HUGE_VAL);
  if (whole) {
    while (recursion.steps() < most) {
      recursion.step();
      for (std::size_t j = 0; j < from.size(); ++j)
        if (from[j].terms == recursion.steps()) out[j] = recursion.between(start[j]);
    }
    return out;
  }
  Recursion rest = recursion;  // of the terms beside the blocks
  while (recursion.steps() < r) recursion.step();
  const auto times = static_cast<double>(blocks);
  const double fine = std::max(effort.cell, 0.05) / 6;  // of blocks, which are few
  Block block = block_of(recursion, fine, -start.front() * h / times);
  const double floors = recursion.floor_value() * times * std::exp(times * std::log1p(block.excess)) * (1 + 1e-9);
  double moment = 0;  // the largest E e^{theta X} of a law, without its mean
  for (const auto& shares : laws.shares) {
    Ball m(0);
    for (std::size_t k = 0; k < shares.size(); ++k)
      m += shares[k] * exp(Ball(block.theta) * (laws.atoms[k] - laws.mean));
    moment = std::max(moment, m.upper());
  }
  const TiltedLaw sum = power(std::move(block.law), blocks, block.theta, fine);
  for (;; rest.step()) {
    for (std::size_t j = 0; j < from.size(); ++j) {
      if (from[j].terms - blocks * r != rest.steps()) continue;
      // What was cut off: U(s) <= sup E (s + rest)_+ <= e^{theta s} moment^rest/(theta e), as x_+ <= e^{theta x}/(theta
      // e).
      const double log_moments = static_cast<double>(rest.steps()) * std::log(moment);
      const double lost = sum.lost * std::exp(log_moments) / (block.theta * 2.718) * 1.001;
      const double tilt = block.theta * h * start[j], scale = std::log(2.0) * sum.exponent;
      out[j] = (expectation(sum, block.theta, rest, start[j]) + lost) * std::exp(tilt + scale) *
                   (1 + 8 * unit * (2 + std::abs(tilt) + std::abs(scale))) +
               floors;
    }
    if (rest.steps() == rest_of_most) return out;
  }
}

std::vector<double> adaptive_sum(const AdaptiveLaws& laws, const std::vector<std::int64_t>& terms, double likely,
                                 const AdaptiveEffort& effort) {
  std::vector<AdaptiveStart> from;
  for (const std::int64_t m : terms) from.push_back({m, Ball(0)});
  std::vector<double> out = adaptive_sum_from(laws, from, likely, effort);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = out[j] / static_cast<double>(terms[j]) * (1 + 8 * unit);
  return out;
}

}  // namespace epsilary::solvers
