#include "bounds/theory/checkin/laws.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/numbers/functions.hpp"
#include "solvers/sums/counts.hpp"

namespace epsilary::bounds::checkin {
namespace {

using namespace solvers;

constexpr double unit = 0x1p-53;

// An outcome of a symmetric pair (P1, Q1) at rate r, P = (1-r) Q1 + r P1 against Q1. Where P1 = (1+e) Q1 it is 1 + r e
// times as likely under P; where Q1 = (1+e) P1, which has the same masses, under Q1, by an excess of
// r e/(1 + (1-r) e) over P. Of a symmetric law C_r only the first is looked at.
enum class Direction { p_over_q, q_over_p };

// The mixture over K of one side of such pairs, in cells of the excess. (P - a Q)_+ and (Q - a P)_+ are convex in e
// and in r, so a bin of K spread to its ends dominates, and at its mean is dominated.
class MixtureOverReports {
 public:
  MixtureOverReports(double n, double slack, Direction direction, double spread, double most,
                     const Resolution& resolution, double growth = 0.25)
      : n_(n),
        slack_(8 * slack),
        direction_(direction),
        ends_(cell_ends(spread, most, resolution.cells, growth)),
        upper_(ends_),
        lower_(ends_) {}

  // Outcomes given K in a bin: those of the fewest check-ins, with the rate spread to the ends of the bin.
  void add_upper(const CountBin& bin, const DiscreteSide& given) {
    const double width = bin.high - bin.low, mean = bin.mean * (1 + slack_);
    const double share = width > 0 ? std::clamp((mean - bin.low) / width, 0.0, 1.0) : 0;
    put(upper_, given, bin.low / n_, (n_ - bin.low) / n_, bin.weight * (1 - share));
    if (share > 0) put(upper_, given, bin.high / n_, (n_ - bin.high) / n_, bin.weight * share);
    infinite_ += given.infinite * bin.weight * bin.mean / n_;
  }
  // Those of the most check-ins, at the mean rate.
  void add_lower(const CountBin& bin, const DiscreteSide& given) {
    const double rate = bin.mean / n_ * (1 - slack_);
    put(lower_, given, rate, 1 - rate, bin.weight);
  }
  void add_infinite(double mass) { infinite_ += mass; }

  SymmetricPairBounds result(double slack) const {
    SymmetricPairBounds out{upper_.spread(slack), lower_.merged(slack)};
    out.upper.infinite = infinite_ * (1 + 8 * slack);
    return out;
  }

 private:
  void put(Cells& cells, const DiscreteSide& given, double rate, double other, double weight) const {
    for (std::size_t i = 0; i < given.ratio_minus_one.size(); ++i) {
      const double lighter_mass = direction_ == Direction::p_over_q ? 1 : 1 + other * given.ratio_minus_one[i];
      cells.add(rate * given.ratio_minus_one[i] / lighter_mass, weight * given.lighter_mass[i] * lighter_mass);
    }
  }

  double n_, slack_;
  Direction direction_;
  std::vector<double> ends_;
  Cells upper_, lower_;
  double infinite_ = 0;
};

// The clones' pair given c clones: i of c coins, t = (c - i)/(i + 1), lighter mass pmf(i) (other + alpha t), excess
// (alpha - other)(1 - t)/(other + alpha t) where t < 1.
class ClonesGiven {
 public:
  ClonesGiven(const Ball& eps0, double depth) : depth_(depth) {
    alpha_ = (1 / (1 + exp(-eps0))).midpoint();
    other_ = (1 / (1 + exp(eps0))).midpoint();
    gap_ = (tanh(eps0 / 2)).midpoint();
  }

  // Returns the relative error of what it adds. Rows that are to dominate also hold the tail.
  double fill(Cells& cells, double c, bool with_tail) const {
    const double first = std::floor((c - 1) / 2) + 1, reach = std::sqrt(c * depth_ / 2);
    const double last = std::min(c, std::floor(c / 2 + reach));
    double pmf = exp(log_binomial_weight(Ball(c), Ball(first), Ball(0.5), Ball(0.5))).midpoint();
    for (double i = first; i <= last; ++i) {
      const double lighter_mass = lighter(c, i);
      cells.add(gap_ * ((2 * i + 1 - c) / (i + 1)) / lighter_mass, pmf * lighter_mass);
      pmf *= (c - i) / (i + 1);
    }
    if (with_tail) add_tail(cells, c, last + 1);
    return (32 + 8 * (last - first)) * unit;
  }

 private:
  double lighter(double c, double i) const { return other_ + alpha_ * ((c - i) / (i + 1)); }

  // Hoeffding: P(A >= c/2 + s) <= e^{-2 s^2/c}, in blocks that double s.
  void add_tail(Cells& cells, double c, double from) const {
    while (from <= c) {
      const double s = from - c / 2, to = std::min(c, std::ceil(c / 2 + 2 * s));
      const double mass = exp(-2 * Ball(s) * Ball(s) / Ball(c)).upper();
      cells.add(gap_ * ((2 * to + 1 - c) / (to + 1)) / lighter(c, to), mass * lighter(c, from));
      from = to + 1;
    }
  }

  double depth_, alpha_, other_, gap_;
};

// Bins of the number of clones: their first members, from 0 by doubling up to `low`, then of the relative width given.
std::vector<double> clone_bins(double low, double high, double width) {
  std::vector<double> first{0};
  for (double c = 1; c < low; c *= 2) first.push_back(c);
  for (double c = std::max(1.0, low); c <= high; c = std::max(c + 1, std::floor(c * (1 + width)) + 1))
    if (c > first.back()) first.push_back(c);
  first.push_back(std::max(first.back(), high) + 1);
  return first;
}

// The clones' pair of any number of reports, from rows for bins of the number of clones.
class Clones {
 public:
  Clones(const Ball& eps0, Hiding hiding, const BinnedCounts& reports, const Resolution& resolution)
      : depth_(resolution.depth),
        clone_(hiding == Hiding::clones ? exp(-eps0) : 2 / (1 + exp(eps0))),
        no_clone_(hiding == Hiding::clones ? -expm1(-eps0) : tanh(eps0 / 2)),
        given_(eps0, resolution.depth) {
    const Counts least(reports.inside.front().low - 1, clone_, no_clone_, depth_);
    const Counts most(reports.inside.back().high - 1, clone_, no_clone_, depth_);
    const double typical = most.high() / 2 + least.low() / 2;
    const double spread = std::min(expm1(eps0).midpoint(), 2 * (tanh(eps0 / 2)).midpoint() / std::sqrt(typical + 1));
    ends_ = cell_ends(spread, expm1(eps0).upper(), resolution.cells);
    first_ = clone_bins(least.low(), most.high(), resolution.counts);
    for (std::size_t row = 0; row + 1 < first_.size(); ++row) {
      upper_.emplace_back(ends_);
      lower_.emplace_back(ends_);
      slack_ = std::max(slack_, given_.fill(upper_.back(), first_[row], true));
      slack_ = std::max(slack_, given_.fill(lower_.back(), first_[row + 1] - 1, false));
    }
    spread_ = spread;
    slack_ += most.slack() + static_cast<double>(first_.size()) * 4 * unit;
  }

  double spread() const { return spread_; }
  double most() const { return ends_.back(); }
  double slack() const { return slack_; }

  // With clones left out counted as few as they may be, or not at all.
  DiscreteSide upper(double reports) const {
    const Counts counts(reports - 1, clone_, no_clone_, depth_);
    std::vector<double> weights = row_weights(counts);
    weights[row_of(counts.high())] += counts.high() < reports - 1 ? counts.tail(counts.high() + 1) : 0;
    for (double c = counts.low() - 1; c >= 0;) {
      const double half = std::floor(c / 2);
      weights[row_of(half)] += counts.tail(c);
      c = half - 1;
    }
    return mixed(upper_, weights).spread(slack_);
  }
  DiscreteSide lower(double reports) const {
    return mixed(lower_, row_weights(Counts(reports - 1, clone_, no_clone_, depth_))).merged(slack_);
  }

 private:
  std::size_t row_of(double c) const {
    return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end() - 1, c) - first_.begin()) - 1;
  }
  std::vector<double> row_weights(const Counts& counts) const {
    std::vector<double> weights(upper_.size());
    std::size_t at = row_of(counts.high());
    counts.walk([&](double c, double weight) {
      while (c < first_[at]) --at;
      while (c >= first_[at + 1]) ++at;
      weights[at] += weight;
    });
    return weights;
  }
  Cells mixed(const std::vector<Cells>& rows, const std::vector<double>& weights) const {
    Cells sum(ends_);
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (weights[row] > 0) sum.add(rows[row], weights[row]);
    return sum;
  }

  double depth_;
  Ball clone_, no_clone_;
  ClonesGiven given_;
  std::vector<double> ends_, first_;
  std::vector<Cells> upper_, lower_;
  double spread_ = 0, slack_ = 0;
};

// Ones beyond the window of their number, at the largest excess a report of this rate can have, on both sides.
void add_lost_ones(const Counts& ones, double k, double weight, double ratio_minus_one, Cells& right, Cells& left) {
  if (ones.high() < k) right.add(ratio_minus_one, weight * ones.tail(ones.high() + 1));
  if (ones.low() > 0) left.add(ratio_minus_one, weight * ones.tail(ones.low() - 1));
}

// N(mu,1) against N(0,1) where it is denser, in cells even in t; the excess is e^{mu t - mu^2/2} - 1. Beyond the last
// cell, at t = reach + mu, everything is lost, or nothing.
SymmetricPairBounds gaussian_given(const Ball& mu, double reach, double step) {
  const double shift = mu.midpoint(), width = step / std::max(1.0, shift);
  std::vector<double> ends{0};
  for (double t = width; t < shift / 2 + reach + width && ends.back() < 1e250; t += width)
    ends.push_back(std::expm1(shift * t));
  Cells upper(ends), lower(ends);
  const Ball half = mu / 2;
  Ball plain = normal_cdf(-half), shifted = normal_cdf(half);
  for (std::size_t j = 0; j + 1 < ends.size(); ++j) {
    const Ball t = log1p(Ball(ends[j + 1])) / mu + half;
    const Ball next_plain = normal_cdf(-t), next_shifted = normal_cdf(mu - t);
    const Ball lighter_mass = plain - next_plain, offset = shifted - next_shifted - (1 + Ball(ends[j])) * lighter_mass;
    upper.add_cell(j, lighter_mass.upper(), std::max(0.0, offset.upper()));
    lower.add_cell(j, std::max(0.0, lighter_mass.lower()), std::max(0.0, offset.lower()));
    plain = next_plain, shifted = next_shifted;
  }
  SymmetricPairBounds out{upper.spread(16 * unit), lower.merged(16 * unit)};
  out.upper.infinite = shifted.upper();
  return out;
}

BinnedCounts binned(const Reports& who, const Resolution& resolution) {
  if (who.chosen > 0) return {.inside = {{who.chosen, who.chosen, 1, who.chosen}}, .outside = {}};
  return bin_counts(Counts(who.population, who.rate, who.other, resolution.depth), who.population, 1,
                    resolution.counts);
}

}  // namespace

SymmetricPairBounds shuffled_clones(const Ball& eps0, const Reports& who, const Resolution& resolution, Hiding hiding) {
  const Ball::Precision bits(128);
  const double n = who.population;
  const BinnedCounts reports = binned(who, resolution);
  const Clones clones(eps0, hiding, reports, resolution);
  MixtureOverReports mixture(n, reports.slack, Direction::p_over_q, clones.spread() * who.expected() / n, clones.most(),
                             resolution);
  for (const CountBin& bin : reports.inside) {
    mixture.add_upper(bin, clones.upper(bin.low));
    mixture.add_lower(bin, clones.lower(bin.high));
  }
  // Beyond: with the reports of the fewest check-ins at the highest rate of the block, or as if there were no clones.
  const double most = expm1(eps0).upper();
  double highest = reports.inside.back().high;
  std::vector<UnderflowMass> underflow;
  for (const CountBin& block : reports.outside)
    if (block.log_weight > -600) {
      mixture.add_upper({block.high, block.high, block.weight, block.high},
                        clones.upper(std::min(block.low, reports.inside.back().high)));
      highest = std::max(highest, block.high);
    } else {
      underflow.push_back({block.log_weight, most * block.high / n});
    }
  // Fewer than e^40 products of masses have been formed, and one that underflows loses less than e^-744.
  underflow.push_back({-704, most * highest / n});
  const double additions = static_cast<double>(reports.inside.size() + reports.outside.size());
  SymmetricPairBounds round = mixture.result(reports.slack + 2 * clones.slack() + 16 * additions * unit);
  round.underflow = std::move(underflow);
  return round;
}

PairBounds shuffled_response(const Ball& eps0, const Reports& who, const Resolution& resolution) {
  const Ball::Precision bits(128);
  const double n = who.population, up = exp(eps0).midpoint(), down = exp(-eps0).midpoint();
  const BinnedCounts reports = binned(who, resolution);
  const Ball p = 1 / (1 + exp(eps0)), q = 1 / (1 + exp(-eps0)),
             step = expm1(eps0) * (1 + exp(-eps0)) / Ball(n);  // 2 sinh(eps0)/n
  const double one = step.midpoint(), most = expm1(eps0).upper();
  const double spread = std::min(most, one * std::sqrt(who.expected() * p.midpoint()));
  const std::vector<double> ends = cell_ends(spread, most, resolution.cells);
  double slack = 0;
  // P/Q = 1 + z, z = 2 sinh(eps0)/n (m - k p) for m ones among k reports. From k reports fewer can be drawn, so a bin
  // lies between its fewest and its most.
  const auto mixed = [&](bool upper) {
    Cells right(ends), left(ends);
    for (const CountBin& bin : reports.inside) {
      const double k = upper ? bin.high : bin.low;
      const Counts ones(k, p, q, resolution.depth);
      const Ball mean = Ball(k) * p;
      const double zero_right = upper ? mean.lower() : mean.upper(), zero_left = upper ? mean.upper() : mean.lower();
      ones.walk([&](double m, double weight) {
        const double mass = bin.weight * weight, z = one * (zero_left - m);
        const double ratio = (n - k + m * up + (k - m) * down) / n;  // P/Q; 1 - z would lose digits where all report
        if (m > zero_right) right.add(one * (m - zero_right), mass);
        if (z > 0) left.add(z / ratio, mass * ratio);
      });
      if (upper) add_lost_ones(ones, k, bin.weight, most * k / n, right, left);
      slack = std::max(slack, reports.slack + ones.slack());
    }
    if (upper)
      for (const CountBin& block : reports.outside) {
        right.add(most * block.high / n, block.weight);
        left.add(most * block.high / n, block.weight);
      }
    return std::pair{right, left};
  };
  const auto [right_above, left_above] = mixed(true);
  const auto [right_below, left_below] = mixed(false);
  slack += 64 * unit * static_cast<double>(reports.inside.size()) + 1e-14;
  return {{right_above.spread(slack), left_above.spread(slack)}, {right_below.merged(slack), left_below.merged(slack)}};
}

namespace {

// A round of distributed check-in as it is seen from each of the sides asked for.
std::vector<SymmetricPairBounds> gaussian_sides(const std::vector<Direction>& sides, const Ball& multiplier,
                                                const Reports& who, double quorum, const Resolution& resolution) {
  const Ball::Precision bits(80);
  const double n = who.population;
  // Given K both ends of a bin cost a pass; what a bin of twice the width adds is small beside it.
  const BinnedCounts reports =
      bin_counts(Counts(n, who.rate, who.other, resolution.depth), n, quorum, 2 * resolution.counts);
  const auto mu_of = [&](double k) { return 2 / (multiplier * sqrt(Ball(k))); };
  const double expected = who.expected(), reach = std::sqrt(2 * resolution.depth);
  const double typical = mu_of(expected).midpoint(), fewest = reports.inside.empty() ? n : reports.inside.front().low;
  const double widest = mu_of(fewest).midpoint(), most = std::min(1e260, std::exp(widest * (reach + widest + 1)));
  std::vector<MixtureOverReports> mixtures;
  mixtures.reserve(sides.size());  // cells refer to their mixture's ends
  for (const Direction direction : sides)
    mixtures.emplace_back(n, reports.slack, direction, std::expm1(std::min(1.0, typical)) * expected / n, most,
                          resolution, std::clamp(typical, 0.25, 1.0));
  for (const CountBin& bin : reports.inside) {
    const SymmetricPairBounds few = gaussian_given(mu_of(bin.low), reach, 2 * resolution.cells);
    const DiscreteSide many =
        bin.high > bin.low ? gaussian_given(mu_of(bin.high), reach, 2 * resolution.cells).lower : few.lower;
    for (MixtureOverReports& mixture : mixtures) {
      mixture.add_upper(bin, few.upper);
      mixture.add_lower(bin, many);
    }
  }
  std::vector<SymmetricPairBounds> out;
  for (MixtureOverReports& mixture : mixtures) {
    for (const CountBin& block : reports.outside) mixture.add_infinite(block.weight * block.high / n);
    out.push_back(mixture.result(reports.slack + 64 * unit * static_cast<double>(reports.inside.size())));
  }
  return out;
}

}  // namespace

SymmetricPairBounds separate_gaussian(const Ball& mu, const Reports& who, const Resolution& resolution) {
  const Ball::Precision bits(80);
  const double n = who.population, reach = std::sqrt(2 * resolution.depth), shift = mu.midpoint();
  const BinnedCounts reports = binned(who, resolution);
  const SymmetricPairBounds given = gaussian_given(mu, reach, resolution.cells);
  MixtureOverReports mixture(
      n, reports.slack, Direction::p_over_q, std::expm1(std::min(1.0, shift)) * who.expected() / n,
      std::min(1e260, std::exp(shift * (reach + shift + 1))), resolution, std::clamp(shift, 0.25, 1.0));
  for (const CountBin& bin : reports.inside) {
    mixture.add_upper(bin, given.upper);
    mixture.add_lower(bin, given.lower);
  }
  for (const CountBin& block : reports.outside) mixture.add_infinite(block.weight * block.high / n);
  return mixture.result(reports.slack + 64 * unit * static_cast<double>(reports.inside.size()));
}

SymmetricPairBounds distributed_gaussian(const Ball& multiplier, const Reports& who, double quorum,
                                         const Resolution& resolution) {
  return gaussian_sides({Direction::p_over_q}, multiplier, who, quorum, resolution).front();
}

PairBounds distributed_opposite(const Ball& multiplier, const Reports& who, double quorum,
                                const Resolution& resolution) {
  const auto sides = gaussian_sides({Direction::p_over_q, Direction::q_over_p}, multiplier, who, quorum, resolution);
  return {{sides[0].upper, sides[1].upper}, {sides[0].lower, sides[1].lower}};
}

}  // namespace epsilary::bounds::checkin
