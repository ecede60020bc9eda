#include "solvers/losses/pairs/few_rounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "solvers/losses/discrete_side.hpp"

namespace epsilary::solvers {
namespace {

constexpr double unit = 0x1p-53;
// Beyond it masses of the lighter law might vanish in a double: such losses are lost, or dropped.
constexpr double largest_loss = 35;
constexpr double everything = 1e40;  // end of the last cell, beyond the sum of any two losses that are kept

enum class End { upper, lower };

// A pair of finitely many losses on each side; the rest of P and Q, alike, lies at loss 0.
struct Outcomes {
  DiscreteSide right, left;
  double centre = 0;
  double pairs = 0;  // of losses that were added up to come here
};
Outcomes reversed(const Outcomes& x) { return {x.left, x.right, x.centre}; }

struct Totals {
  Ball lighter_mass, difference;  // heavier - lighter
};
Totals totals(const DiscreteSide& side) {
  Totals out{Ball(0), Ball(side.infinite)};
  for (std::size_t i = 0; i < side.ratio_minus_one.size(); ++i) {
    out.lighter_mass += Ball(side.lighter_mass[i]);
    out.difference += Ball(side.lighter_mass[i]) * Ball(side.ratio_minus_one[i]);
  }
  return out;
}

// The pair with these sides. Both have the same sum of heavier - lighter, as both laws sum to one; rounding makes the
// two sums differ. To dominate, the side of the smaller sum is scaled up to the larger one; to be dominated, that of
// the larger sum is scaled down; where the sums may be equal, either side is. The factor has a few units to spare. If
// the mass that is left at loss 0 is negative, the upper pair loses everything, and the two laws of the lower one are
// equal.
Outcomes pair_of(DiscreteSide right, DiscreteSide left, End end) {
  const Ball::Precision bits(1024);  // what is left at loss 0 is right to a unit of itself, however little it is
  Totals r = totals(right), l = totals(left);
  const bool right_is_changed = certainly(r.difference < l.difference) == (end == End::upper);
  DiscreteSide& changed = right_is_changed ? right : left;
  Totals& total = right_is_changed ? r : l;
  const Ball share = (right_is_changed ? l : r).difference / total.difference;
  if (certainly(total.difference > 0)) {
    const double factor = end == End::upper ? share.upper() * (1 + 4 * unit) : share.lower() * (1 - 4 * unit);
    for (double& mass : changed.lighter_mass) mass *= factor;
    changed.infinite *= factor;
    total.lighter_mass = total.lighter_mass * share;
  }
  const Ball difference = end == End::upper ? max(r.difference, l.difference) : min(r.difference, l.difference);
  const double centre = (1 - r.lighter_mass - l.lighter_mass - difference).midpoint();
  const double lost = end == End::upper ? 1 : 0;
  if (!(centre >= 0)) return {{{}, {}, lost}, {{}, {}, lost}, 1 - lost};
  return {std::move(right), std::move(left), centre};
}

// Losses beyond the last cell but one are lost entirely, or dropped.
DiscreteSide kept(DiscreteSide side, const std::vector<double>& ends, End end) {
  while (!side.ratio_minus_one.empty() && side.ratio_minus_one.back() > ends[ends.size() - 2]) {
    if (end == End::upper)
      side.infinite += side.lighter_mass.back() * (1 + side.ratio_minus_one.back()) * (1 + 8 * unit);
    side.ratio_minus_one.pop_back();
    side.lighter_mass.pop_back();
  }
  return side;
}
DiscreteSide atoms_of(const Cells& cells, const std::vector<double>& ends, End end, double slack) {
  return kept(end == End::upper ? cells.spread(slack) : cells.merged(slack), ends, end);
}

// One round.
DiscreteSide gathered(const Side& side, const std::vector<double>& ends, End end) {
  const Ball::Precision bits(128);
  Cells cells(ends);
  Tail tail = side.tail(Ball(0));
  for (std::size_t j = 0; j + 2 < ends.size(); ++j) {
    const Tail next = side.tail(log1p(Ball(ends[j + 1])));
    const Ball lighter_mass = tail.light - next.light,
               offset = tail.heavy - next.heavy - (1 + Ball(ends[j])) * lighter_mass;
    const bool upper = end == End::upper;
    const double mass = upper ? lighter_mass.upper() : lighter_mass.lower(),
                 by = upper ? offset.upper() : offset.lower();
    if (mass > 0) cells.add_cell(j, mass, std::max(0.0, by));
    tail = next;
  }
  DiscreteSide out = atoms_of(cells, ends, end, 16 * unit);
  if (end == End::upper) out.infinite += tail.heavy.upper();
  return out;
}

// Masses of the heavier and of the lighter law from i on.
struct Beyond {
  std::vector<double> heavy, lighter_mass;
  explicit Beyond(const DiscreteSide& side) : heavy(side.ratio_minus_one.size() + 1), lighter_mass(heavy) {
    for (std::size_t i = side.ratio_minus_one.size(); i-- > 0;) {
      lighter_mass[i] = lighter_mass[i + 1] + side.lighter_mass[i];
      heavy[i] = heavy[i + 1] + side.lighter_mass[i] * (1 + side.ratio_minus_one[i]);
    }
  }
};

constexpr double pairs_per_work = 5;  // a thousand million take a second

// The right side of two pairs composed.
class Sum {
 public:
  // In each row the products with the largest losses of b that weigh less than `least_mass` together are lost, or
  // dropped, at once.
  Sum(const std::vector<double>& ends, double least_mass) : ends_(ends), cells_(ends), least_mass_(least_mass) {}

  // Every loss of a with every one of b; if they are the same, with those that are not smaller.
  void add_sums(const DiscreteSide& a, const DiscreteSide& b, bool same) {
    const Beyond beyond(b);
    for (std::size_t i = 0; i < a.ratio_minus_one.size(); ++i) {
      const double z = a.ratio_minus_one[i], heavy = a.lighter_mass[i] * (1 + z);
      const std::size_t from = same ? i + 1 : 0, to = std::max(from, first_below_least(beyond.heavy, heavy));
      const auto sum = [&](double with) { return z + with * (1 + z); };
      if (same)
        row(
            a.lighter_mass[i], 1, [&](std::size_t) { return sum(z); }, [&](std::size_t) { return a.lighter_mass[i]; });
      row((same ? 2 : 1) * a.lighter_mass[i], to - from,
          [&](std::size_t k) { return sum(b.ratio_minus_one[from + k]); },
          [&](std::size_t k) { return b.lighter_mass[from + k]; });
      lost_ += (same ? 2 : 1) * heavy * beyond.heavy[to];
    }
  }
  // Every loss of a with every smaller one of b on the left. All masses are multiplied by `weight`.
  void add_differences(const DiscreteSide& a, const DiscreteSide& b, double weight) {
    const Beyond beyond(b);
    std::vector<double> heavy, share;
    for (std::size_t j = 0; j < b.ratio_minus_one.size(); ++j) {
      heavy.push_back(b.lighter_mass[j] * (1 + b.ratio_minus_one[j]));
      share.push_back(1 / (1 + b.ratio_minus_one[j]));
    }
    std::size_t smaller = 0;
    for (std::size_t i = 0; i < a.ratio_minus_one.size(); ++i) {
      const double z = a.ratio_minus_one[i], mass = weight * a.lighter_mass[i] * (1 + z);
      while (smaller < b.ratio_minus_one.size() && b.ratio_minus_one[smaller] < z) ++smaller;
      const std::size_t count = std::min(smaller, first_below_least(beyond.lighter_mass, mass));
      row(
          weight * a.lighter_mass[i], count,
          [&](std::size_t k) { return (z - b.ratio_minus_one[count - 1 - k]) * share[count - 1 - k]; },
          [&](std::size_t k) { return heavy[count - 1 - k]; });
      if (count < smaller) lost_ += mass * beyond.lighter_mass[count];
    }
  }
  void add(const DiscreteSide& a, double weight) {
    row(
        weight, a.ratio_minus_one.size(), [&](std::size_t k) { return a.ratio_minus_one[k]; },
        [&](std::size_t k) { return a.lighter_mass[k]; });
  }

  DiscreteSide result(End end, double slack) const {
    DiscreteSide out = atoms_of(cells_, ends_, end, slack);
    if (end == End::upper) out.infinite += lost_ * (1 + 8 * slack);
    return out;
  }
  double pairs() const { return pairs_; }

 private:
  // The first index from which on what is beyond, times `mass`, is less than the least mass.
  std::size_t first_below_least(const std::vector<double>& beyond, double mass) const {
    const auto first =
        std::partition_point(beyond.begin(), beyond.end(), [&](double b) { return b * mass >= least_mass_; });
    return std::min(static_cast<std::size_t>(first - beyond.begin()), beyond.size() - 1);
  }

  // Increasing losses. What they add to a cell is summed first: no mass is the sum of more terms than there are rows
  // and losses in a row.
  template <class Excess, class Light>
  void row(double weight, std::size_t count, Excess ratio_minus_one, Light lighter_mass) {
    if (count == 0) return;
    pairs_ += static_cast<double>(count);
    spend(static_cast<double>(count) / pairs_per_work);
    const auto above = std::upper_bound(ends_.begin(), ends_.end(), ratio_minus_one(0));
    std::size_t at = static_cast<std::size_t>(above - ends_.begin()) - 1;
    double mass = 0, offset = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double z = ratio_minus_one(k), m = lighter_mass(k);
      if (z >= ends_[at + 1]) {
        cells_.add_cell(at, weight * mass, weight * offset);
        mass = offset = 0;
        do ++at;
        while (z >= ends_[at + 1]);
      }
      mass += m;
      offset += m * (z - ends_[at]);
    }
    cells_.add_cell(at, weight * mass, weight * offset);
  }

  const std::vector<double>& ends_;
  Cells cells_;
  double least_mass_, lost_ = 0, pairs_ = 0;
};

// A mass is the sum of at most so many terms, each a product of a few factors; twice that and more is allowed for.
double slack_of(const Outcomes& a, const Outcomes& b) {
  return 16 * unit *
         static_cast<double>(a.right.ratio_minus_one.size() + a.left.ratio_minus_one.size() +
                             b.right.ratio_minus_one.size() + b.left.ratio_minus_one.size() + 16);
}

struct Plan {
  std::vector<double> ends;
  double least_mass = 0;
  bool symmetric = false;
};

DiscreteSide composed_right(const Outcomes& a, const Outcomes& b, bool same, const Plan& plan, End end, double& pairs) {
  Sum sum(plan.ends, plan.least_mass);
  sum.add_sums(a.right, b.right, same);
  sum.add_differences(a.right, b.left, same ? 2 : 1);
  if (!same) sum.add_differences(b.right, a.left, 1);
  sum.add(a.right, (same ? 2 : 1) * b.centre);
  if (!same) sum.add(b.right, a.centre);
  pairs += sum.pairs();
  DiscreteSide out = sum.result(end, slack_of(a, b));
  // Products that vanish in a double weigh less than this together.
  if (end == End::upper) out.infinite += (a.right.infinite + b.right.infinite) * (1 + 8 * unit) + 1e-250;
  return out;
}

Outcomes composed(const Outcomes& a, const Outcomes& b, bool same, const Plan& plan, End end) {
  double pairs = a.pairs;
  DiscreteSide right = composed_right(a, b, same, plan, end, pairs);
  DiscreteSide left = plan.symmetric ? right : composed_right(reversed(a), reversed(b), same, plan, end, pairs);
  Outcomes out = pair_of(std::move(right), std::move(left), end);
  out.pairs = pairs;
  return out;
}

Outcomes composed(const LossLaw& law, double times, const Plan& plan, End end) {
  DiscreteSide right = gathered(law.right, plan.ends, end);
  DiscreteSide left = plan.symmetric ? right : gathered(law.left, plan.ends, end);
  const Outcomes once = pair_of(std::move(right), std::move(left), end);
  Outcomes all = once;
  const auto n = static_cast<std::uint64_t>(times);
  for (auto bit = std::bit_floor(n) >> 1; bit; bit >>= 1) {
    all = composed(all, all, true, plan, end);
    if (n & bit) all = composed(all, once, false, plan, end);
  }
  return all;
}

// The profile sum lighter_mass (ratio_minus_one - s)_+ + infinite at s = e^eps - 1, and the s at which it comes down to
// delta.
Ball profile(const DiscreteSide& side, const Ball& s) {
  Ball sum(side.infinite);
  for (std::size_t i = 0; i < side.ratio_minus_one.size(); ++i)
    sum += max(Ball(0), Ball(side.lighter_mass[i]) * (Ball(side.ratio_minus_one[i]) - s));
  return sum;
}
Ball crossing(const DiscreteSide& side, const Ball& delta) {
  const Ball room = delta - Ball(side.infinite);
  if (certainly(room <= 0)) return Ball(HUGE_VAL);
  if (!certainly(room > 0)) return Ball::hull(Ball(0), Ball(HUGE_VAL));
  Ball lighter_mass,
      difference;  // of the losses from i on: the profile is difference - s lighter_mass between i - 1 and i
  for (std::size_t i = side.ratio_minus_one.size(); i-- > 0;) {
    lighter_mass += Ball(side.lighter_mass[i]);
    difference += Ball(side.lighter_mass[i]) * Ball(side.ratio_minus_one[i]);
    const Ball next = i > 0 ? Ball(side.ratio_minus_one[i - 1]) : Ball(0), there = difference - next * lighter_mass;
    if (certainly(there <= room)) continue;
    const Ball s = (difference - room) / lighter_mass;
    return certainly(there > room) ? s : Ball::hull(s, next);
  }
  return Ball(0);
}

// Where the total loss is wanted, and about how small a delta belongs to it.
struct Sought {
  double eps, log_delta;
};

// What moves a loss at the target matters, and what moves a small one matters once in every round: elsewhere cells may
// be wider.
Plan plan_for(const LossLaw& law, double times, double fineness, const Sought& target, double width) {
  const double log_neglected = target.log_delta + std::log(1e-3 * width / times);
  std::vector<double> knots = law.right.knots(fineness, log_neglected);
  if (!law.symmetric)
    if (std::vector<double> left = law.left.knots(fineness, log_neglected);
        !left.empty() && (knots.empty() || left.back() > knots.back()))
      knots = left;
  if (knots.empty()) knots.push_back(fineness);
  double step = knots.front();
  for (std::size_t i = 1; i < knots.size(); ++i) step = std::max(step, knots[i] - knots[i - 1]);
  const double last = std::min(largest_loss, times * (knots.back() + step));  // rounding may raise every loss by a cell
  while (knots.back() < last) knots.push_back(knots.back() + step);
  Plan plan{.ends = {0}, .symmetric = law.symmetric};
  const double least = knots.front() / fineness;
  double room = 0;
  for (const double loss : knots) {
    if (loss > largest_loss) break;
    const double ratio = (loss + least) / (target.eps + least);
    room += target.eps > 0 ? std::max(1.0 / 3, std::min({1.0, std::sqrt(times) * ratio, 1 / std::sqrt(ratio)})) : 1;
    if (room < 1) continue;
    room -= 1;
    if (const double end = std::expm1(loss); end > plan.ends.back()) plan.ends.push_back(end);
  }
  plan.ends.push_back(std::expm1(std::max(knots.back(), std::log1p(plan.ends.back())) + step));
  plan.ends.push_back(everything);
  plan.least_mass = std::exp(log_neglected) / static_cast<double>(plan.ends.size());  // one for every row
  return plan;
}

constexpr double finest = 1e-4;  // of cells, for the memory they take

// The bracket of a quantity at one fineness after the other, until it is narrow enough.
template <class At, class Aimed>
Bracket refined(const LossLaw& law, double times, Sought target, const Request& request, At at, Aimed aim) {
  Bracket best{0, HUGE_VAL};
  double fineness = 0.02;
  const auto cost = [&](const Plan& plan) {  // of rounds doubled and added, both ends, and of the cells of one round
    const double cells = static_cast<double>(plan.ends.size());
    return cells * cells * 4 * (1 + std::log2(times)) / pairs_per_work + 16000 * cells;
  };
  for (int pass = 0; pass < 8; ++pass) {
    Plan plan = plan_for(law, times, fineness, target, request.width);
    for (; cost(plan) > request.work && pass == 0 && fineness < 0.5; fineness *= 1.5)
      plan = plan_for(law, times, 1.5 * fineness, target, request.width);
    if (cost(plan) > (pass == 0 ? 1 : 8) * request.work) break;  // mostly far fewer pairs count
    double pairs = 0;
    const bool done = within_work(
        work_left(),
        [&] {
          const Outcomes upper = composed(law, times, plan, End::upper), lower = composed(law, times, plan, End::lower);
          best = {std::max(best.lower, at(lower.right).lower()), std::min(best.upper, at(upper.right).upper())};
          pairs = upper.pairs + lower.pairs;
          return true;
        },
        [] { return false; });
    if (!done) break;
    const double width = (best.upper - best.lower) / best.upper;
    if (!std::isfinite(best.upper) || !(width > request.width)) break;
    target = aim(best.upper);
    if (width > 0.1 && pass < 4) continue;  // it was aimed badly
    const double allowed = std::sqrt(pairs / (pairs_per_work * request.work));
    const double next = std::max(finest, fineness * std::max(allowed, std::sqrt(0.75 * request.width / width)));
    if (next > 0.9 * fineness) break;
    fineness = next;
  }
  return best;
}

}  // namespace

Bracket few_rounds_epsilon(const LossLaw& law, double times, const Ball& delta, const Request& request) {
  const Ball::Precision bits(128);
  const double log_delta = log(delta).midpoint();
  return refined(
      law, times, {0, log_delta}, request, [&](const DiscreteSide& side) { return log1p(crossing(side, delta)); },
      [&](double found) {
        return Sought{found, log_delta};
      });
}

Bracket few_rounds_delta(const LossLaw& law, double times, const Ball& eps, const Request& request) {
  const Ball::Precision bits(128);
  const Ball s = expm1(eps);
  return refined(
      law, times, {0, -40}, request, [&](const DiscreteSide& side) { return min(Ball(1), profile(side, s)); },
      [&](double found) {
        return Sought{eps.midpoint(), std::log(found)};
      });
}

}  // namespace epsilary::solvers
