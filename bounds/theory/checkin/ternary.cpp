#include "bounds/theory/checkin/ternary.hpp"

#include <cmath>

#include "solvers/numbers/functions.hpp"
#include "solvers/sums/counts.hpp"

namespace epsilary::bounds::checkin {
namespace {

using namespace solvers;

constexpr double unit = 0x1p-53;

// P(Bin(c, 1/2) = floor(c/2) + 1), one c after another.
class FirstAbove {
 public:
  FirstAbove(double from, double to) : from_(std::max(1.0, from)) {
    const double first = std::floor(from_ / 2) + 1;
    const Ball half = ldexp(Ball(1), -1);
    double x = exp(log_binomial_weight(Ball(from_), Ball(first), half, half)).midpoint();
    for (double c = from_; c <= std::max(from_, to); ++c) {
      weights_.push_back(x);
      const double m = std::floor(c / 2);
      x *= std::fmod(c, 2) == 0 ? (2 * m + 1) / (2 * m) : (m + 1) / (m + 2);
    }
  }
  double operator()(double c) const { return weights_[static_cast<std::size_t>(c - from_)]; }
  double slack() const { return (16 + 4 * static_cast<double>(weights_.size())) * unit; }

 private:
  double from_;
  std::vector<double> weights_;
};

struct Scales {
  double population, up, down, rise, most;  // e, 1/e, e - 1, and e - 1 rounded up

  // Q over the law without the record; all terms are positive.
  double lighter_mass(double k, double a, double b) const {
    return (population - k + a + up * b + (k - a - b) * down) / population;
  }
  double most_light(double k) const { return (population - k + up * k) / population * (1 + 8 * unit); }
  double most_excess(double k) const { return most * k / population; }
};

// The reports given k of them, and their weight. Those that are to dominate also hold the tails.
double add_reports(Cells& cells, const Scales& s, const Counts& shown, const FirstAbove& first_above, double k,
                   double weight, double depth, bool upper) {
  double longest = 0;
  const auto lost = [&](double mass) {
    if (upper && mass > 0) cells.add(s.most_excess(k), weight * mass * s.most_light(k));
  };
  shown.walk([&](double c, double share) {
    if (c < 1) return;
    const double first = std::floor(c / 2) + 1, last = std::min(c, std::floor(c / 2 + std::sqrt(c * depth / 2)));
    double pmf = first_above(c);
    for (double a = first; a <= last; ++a) {
      const double lighter_mass = s.lighter_mass(k, a, c - a);
      cells.add(s.rise * (2 * a - c) / (s.population * lighter_mass), weight * share * pmf * lighter_mass);
      pmf *= (c - a) / (a + 1);
    }
    longest = std::max(longest, last - first);
    const double beyond = last + 1 - c / 2;
    if (last < c) lost(share * std::exp(-2 * beyond * beyond / c) * (1 + 1e-12));  // Hoeffding
  });
  if (shown.high() < k) lost(shown.tail(shown.high() + 1));
  if (shown.low() > 0) lost(shown.tail(shown.low() - 1));
  return shown.slack() + 8 * unit * longest;
}

}  // namespace

SymmetricPairBounds shuffled_ternary(const Ball& eps0, const Reports& who, const Resolution& resolution) {
  const Ball::Precision bits(128);
  const Ball e = exp(eps0), each = 2 / (e + 2), none = e / (e + 2);
  const Scales s{who.population, e.midpoint(), (1 / e).midpoint(), expm1(eps0).midpoint(), expm1(eps0).upper()};
  BinnedCounts reports{.inside = {{who.chosen, who.chosen, 1, who.chosen}}, .outside = {}};
  if (!(who.chosen > 0))
    reports =
        bin_counts(Counts(who.population, who.rate, who.other, resolution.depth), who.population, 1, resolution.counts);
  const double typical = s.rise * std::sqrt(who.expected() * each.midpoint()) / who.population;
  const std::vector<double> ends = cell_ends(std::min(s.most, typical), s.most, resolution.cells);
  const Counts least(reports.inside.front().low, each, none, resolution.depth),
      most(reports.inside.back().high, each, none, resolution.depth);
  const FirstAbove first_above(least.low(), most.high());
  Cells above(ends), below(ends);
  double slack = 0;
  // From k reports fewer can be drawn, so a bin lies between its fewest and its most.
  for (const CountBin& bin : reports.inside)
    for (const bool upper : {true, false}) {
      const double k = upper ? bin.high : bin.low;
      const Counts shown(k, each, none, resolution.depth);
      slack = std::max(
          slack, add_reports(upper ? above : below, s, shown, first_above, k, bin.weight, resolution.depth, upper));
    }
  for (const CountBin& block : reports.outside)
    above.add(s.most_excess(block.high), block.weight * s.most_light(block.high));
  slack += reports.slack + first_above.slack() + 64 * unit * static_cast<double>(reports.inside.size()) + 1e-14;
  SymmetricPairBounds out{above.spread(slack), below.merged(slack)};
  out.upper.infinite += 1e-280;  // above what products of masses lose by underflow
  return out;
}

}  // namespace epsilary::bounds::checkin
