#include "solvers/sums/adaptive_sum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

namespace epsilary::solvers {
namespace {

constexpr double unit = 0x1p-53;  // half a unit in the last place of 1: what an operation rounds by, relatively

// Where an atom lies on the grid, rounded to the side on which the function is larger.
struct Shift {
  std::ptrdiff_t whole;
  double part;  // 0 <= part < 1
};
Shift shift_of(double cells) {
  const double whole = std::floor(cells);
  return {static_cast<std::ptrdiff_t>(whole), cells - whole};  // exact
}

struct Term {
  std::size_t atom;
  double share;  // rounded up
};

// V at the points k h, -left <= k <= turn, and W = V - v - steps mean from there to the right. Both lie in arrays with
// room at their ends for what the steps reach.
class Recursion {
 public:
  Recursion(const AdaptiveLaws& laws, double h, std::ptrdiff_t left, std::ptrdiff_t turn, std::ptrdiff_t right)
      : h_(h), mean_(laws.mean), left_(left), turn_(turn), right_(right) {
    for (const Ball& a : laws.atoms) {
      const Ball cells = a / Ball(h);
      up_.push_back(shift_of(cells.upper()));
      down_.push_back(shift_of(cells.lower()));
      pad_ = std::max({pad_, std::abs(up_.back().whole) + 3, std::abs(down_.back().whole) + 3});
    }
    for (const auto& shares : laws.shares) {
      laws_.emplace_back();
      for (std::size_t k = 0; k < shares.size(); ++k)
        if (shares[k].upper() > 0) laws_.back().push_back({k, shares[k].upper()});
      most_terms_ = std::max(most_terms_, laws_.back().size());
    }
    v_.assign(static_cast<std::size_t>(left_ + turn_ + 1 + 2 * pad_), 0);
    w_.assign(static_cast<std::size_t>(right_ - turn_ + 1 + 2 * pad_), 0);
    for (std::ptrdiff_t k = 1; k <= turn_; ++k) v_[at_v(k)] = static_cast<double>(k) * h_;  // V = v_+, W = 0
    next_v_ = v_, next_w_ = w_;
    fill_room();
  }

  // One more term.
  void step() {
    ++steps_;
    pass(v_, next_v_, up_, pad_, left_ + turn_ + 1);
    pass(w_, next_w_, down_, pad_ + 1, right_ - turn_);
    std::swap(v_, next_v_);
    std::swap(w_, next_w_);
    fill_room();
  }

  std::int64_t steps() const { return steps_; }
  double h() const { return h_; }
  std::ptrdiff_t left() const { return left_; }
  std::ptrdiff_t right() const { return right_; }
  // V at the left end, below which it is not followed.
  double floor_value() const { return v(-left_); }

  // An upper bound of V at k h, for any k.
  double value(double k) const {
    if (k <= static_cast<double>(-left_)) return v(-left_);
    if (k <= static_cast<double>(turn_)) return v(static_cast<std::ptrdiff_t>(k));
    const double rest = w(k >= static_cast<double>(right_) ? right_ : static_cast<std::ptrdiff_t>(k));
    const double x = k * h_;  // exact
    return std::max(0.0, x + drift_up_ + rest) + 8 * unit * (std::abs(x) - drift_up_ + rest);
  }
  // The same between them, by the chord.
  double between(double k) const {
    const double up = k + 4 * unit * std::abs(k), low = std::floor(up), part = up - low;
    return part > 0 ? ((1 - part) * value(low) + part * value(low + 1)) * (1 + 8 * unit) : value(low);
  }
  // Upper bounds of the second differences of V over h, at -left <= k <= right: the masses of a law whose call function
  // lies above V.
  double mass(std::ptrdiff_t k) const {
    if (k == right_) return 0;  // see block_of
    const auto second = [&](double a, double b, double c) {
      return std::max(0.0, a - 2 * b + c + 32 * unit * (a + 2 * b + c)) / h_ * (1 + 4 * unit);
    };
    if (k == -left_) return std::max(0.0, v(k + 1) - v(k) + 8 * unit * v(k + 1)) / h_ * (1 + 4 * unit);
    return k < turn_ ? second(v(k - 1), v(k), v(k + 1)) : second(w(k - 1), w(k), w(k + 1));
  }

 private:
  std::size_t at_v(std::ptrdiff_t k) const { return static_cast<std::size_t>(k + left_ + pad_); }
  std::size_t at_w(std::ptrdiff_t k) const { return static_cast<std::size_t>(k - turn_ + pad_); }
  double v(std::ptrdiff_t k) const { return v_[at_v(k)]; }
  double w(std::ptrdiff_t k) const { return w_[at_w(k)]; }

  // out[k] = max_j sum share_j(a) in[k + shift_a], for `count` points from `first` on. All is positive: the rounding of
  // a term is at most 4 units, of their sum one more for each.
  void pass(const std::vector<double>& in, std::vector<double>& out, const std::vector<Shift>& shifts,
            std::ptrdiff_t first, std::ptrdiff_t count) {
    constexpr std::ptrdiff_t chunk = 512;
    spend(0.15 * static_cast<double>(count) * static_cast<double>(shifts.size() + laws_.size() * most_terms_));
    const double inflated = 1 + (static_cast<double>(most_terms_) + 10) * unit * 2;
    moved_.resize(shifts.size() * chunk);
    for (std::ptrdiff_t from = 0; from < count; from += chunk) {
      const std::ptrdiff_t size = std::min(chunk, count - from);
      for (std::size_t a = 0; a < shifts.size(); ++a) {
        const double* at = in.data() + first + from + shifts[a].whole;
        double* to = moved_.data() + a * chunk;
        const double f = shifts[a].part, g = 1 - f;
        for (std::ptrdiff_t k = 0; k < size; ++k) to[k] = g * at[k] + f * at[k + 1];
      }
      double* result = out.data() + first + from;
      std::fill_n(result, size, 0.0);
      double sum[chunk];
      for (const auto& law : laws_) {
        std::fill_n(sum, size, 0.0);
        for (const Term& t : law) {
          const double* moved = moved_.data() + t.atom * chunk;
          for (std::ptrdiff_t k = 0; k < size; ++k) sum[k] += t.share * moved[k];
        }
        for (std::ptrdiff_t k = 0; k < size; ++k) result[k] = std::max(result[k], sum[k]);
      }
      for (std::ptrdiff_t k = 0; k < size; ++k) result[k] *= inflated;
    }
  }

  // What a step reads beyond the ends, and over the turn, where one form becomes the other.
  void fill_room() {
    const Ball drift = Ball(steps_) * mean_;
    drift_up_ = drift.upper();
    const double drift_down = drift.lower();
    for (std::ptrdiff_t k = 1; k <= pad_; ++k) {
      v_[at_v(-left_ - k)] = v(-left_);
      w_[at_w(right_ + k)] = w(right_);
    }
    for (std::ptrdiff_t k = turn_; k > turn_ - pad_; --k) {  // W from V
      const double x = static_cast<double>(k) * h_, value = v(std::max(k, -left_));
      w_[at_w(k)] = std::max(0.0, value - x - drift_down) + 8 * unit * (value + std::abs(x) - drift_down);
    }
    for (std::ptrdiff_t k = turn_ + 1; k <= turn_ + pad_; ++k) {  // V from W
      const double x = static_cast<double>(k) * h_, rest = w(std::min(k, right_));
      v_[at_v(k)] = std::max(0.0, rest + x + drift_up_) + 8 * unit * (rest + std::abs(x) - drift_up_);
    }
  }

  double h_;
  Ball mean_;
  std::ptrdiff_t left_, turn_, right_, pad_ = 0;
  std::vector<Shift> up_, down_;
  std::vector<std::vector<Term>> laws_;
  std::size_t most_terms_ = 0;
  std::vector<double> v_, w_, next_v_, next_w_, moved_;
  std::int64_t steps_ = 0;
  double drift_up_ = 0;  // steps times mean
};

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
  // Right of the grid V has slope one: the last point carries what is missing.
  double seen = 0;
  for (std::size_t i = 1; i < mass.size(); ++i) seen += mass[i];
  mass[0] = std::max(0.0, 1 - seen * (1 - 1e-9));  // seen is right to 1e-11
  const double excess = std::max(0.0, (seen + mass[0]) * (1 + 1e-9) - 1);
  const double scale = std::max(std::abs(y.front()), std::abs(y.back()));
  double low = 0, high = 60 / r.h();
  const auto tilted_mean = [&](double theta) {
    double m1 = 0, top = -HUGE_VAL;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (mass[i] > 0) top = std::max(top, theta * y[i] + std::log(mass[i]));
    for (std::size_t i = 0; i < y.size(); ++i)
      if (mass[i] > 0) m1 += std::exp(theta * y[i] + std::log(mass[i]) - top) * (y[i] - wanted) / scale;
    return m1;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (tilted_mean(middle) < 0 ? low : high) = middle;
  }
  const double theta = std::max(high, 1e-6 / scale);
  TiltedLaw law{r.h(), -r.right(), {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double log_factor = theta * y[i];
    law.mass.push_back(mass[i] > 0 ? mass[i] * std::exp(log_factor) * (1 + 4 * unit * (2 + std::abs(log_factor))) : 0);
  }
  trim(law);
  fit(law, theta, cell);
  return {std::move(law), theta, excess};
}

// E V(start + S) for S of the law, V after the steps of the recursion; `start` in cells.
double expectation(const TiltedLaw& law, double theta, const Recursion& r, double start) {
  const double cells = law.step / r.h();  // a power of two
  double sum = 0;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.mass[i] == 0) continue;
    const double k = static_cast<double>(law.first + static_cast<std::ptrdiff_t>(i)) * cells,
                 log_factor = -theta * k * r.h();
    sum += law.mass[i] * std::exp(log_factor) * (1 + 4 * unit * (2 + std::abs(log_factor))) *
           (start == 0 ? r.value(k) : r.between(k + start + 2 * unit * std::abs(k)));
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
  double variance = 0, widest = 0;
  for (const auto& shares : laws.shares) {
    double m1 = 0, m2 = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double a = laws.atoms[k].midpoint(), p = shares[k].midpoint();
      m1 += p * a, m2 += p * a * a;
      widest = std::max(widest, std::abs(a));
    }
    variance = std::max(variance, m2 - m1 * m1);
  }
  const double sigma = std::sqrt(variance), depth = std::sqrt(2 * std::max(likely, 1.0));
  const std::int64_t wanted = std::max<std::int64_t>(1, static_cast<std::int64_t>(effort.block));
  const std::int64_t most = from.front().terms, least = from.back().terms;
  const bool whole = most <= 2 * wanted || least < wanted;  // no blocks
  // Blocks of equal length that leave little of the fewest terms.
  const std::int64_t blocks = whole ? 0 : least / wanted, r = whole ? most : least / blocks;
  const std::int64_t rest_of_most = most - blocks * r, longest = std::max(r, rest_of_most);
  const double h =
      std::ldexp(1.0, std::ilogb(effort.cell * sigma)) *
      std::max(1.0, std::floor(8 * effort.cell * sigma / std::ldexp(1.0, std::ilogb(effort.cell * sigma))) / 8);
  const double spread = sigma * std::sqrt(static_cast<double>(longest));
  const double reach = (effort.reach + (whole ? depth / 2 : depth)) * spread;
  const double farthest = static_cast<double>(longest) * widest;
  const auto cells = [&](double x) { return static_cast<std::ptrdiff_t>(std::ceil(std::min(x, farthest) / h)) + 2; };
  // A block's law is read off V, so W is kept from its mean on; a whole sum needs V at its start alone.
  const double turn = whole ? reach + widest : -laws.mean.midpoint() * static_cast<double>(r);
  const double end = whole ? reach + widest : turn + reach + widest;
  Recursion recursion(laws, h, cells(reach + widest), cells(turn), std::max(cells(turn) + 1, cells(end)));
  std::vector<double> start;  // in cells
  for (const AdaptiveStart& f : from) start.push_back(f.start.is_zero() ? 0.0 : (f.start / Ball(h)).upper());

  std::vector<double> out(from.size(), HUGE_VAL);
  if (whole) {
    while (recursion.steps() < most) {
      recursion.step();
      for (std::size_t j = 0; j < from.size(); ++j)
        if (from[j].terms == recursion.steps())
          out[j] = start[j] == 0 ? recursion.value(0) : recursion.between(start[j]);
    }
    return out;
  }
  Recursion rest = recursion;  // of the terms beside the blocks
  while (recursion.steps() < r) recursion.step();
  const auto times = static_cast<double>(blocks);
  Block block = block_of(recursion, effort.cell / 6, -start.front() * h / times);
  const double floors = recursion.floor_value() * times * std::exp(times * std::log1p(block.excess)) * (1 + 1e-9);
  double moment = 0;  // the largest E e^{theta X} of a law
  for (const auto& shares : laws.shares) {
    Ball m(0);
    for (std::size_t k = 0; k < shares.size(); ++k) m += shares[k] * exp(Ball(block.theta) * laws.atoms[k]);
    moment = std::max(moment, m.upper());
  }
  const TiltedLaw sum = power(std::move(block.law), blocks, block.theta, effort.cell / 6);
  for (;; rest.step()) {
    for (std::size_t j = 0; j < from.size(); ++j) {
      if (from[j].terms - blocks * r != rest.steps()) continue;
      // What was cut off: V(s) <= sup E (s + rest)_+ <= e^{theta s} moment^rest/(theta e), as x_+ <= e^{theta x}/(theta
      // e).
      const double log_moments = static_cast<double>(rest.steps()) * std::log(moment) + block.theta * start[j] * h;
      const double lost = sum.lost * std::exp(log_moments) / (block.theta * 2.718) * 1.001;
      out[j] = std::ldexp(expectation(sum, block.theta, rest, start[j]) + lost, sum.exponent) + floors;
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
