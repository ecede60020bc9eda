// Finite laws in cells, and binomial numbers in bins: what dominates does, and what is left out is bounded.
#include "solvers/losses/discrete_side.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "solvers/sums/counts.hpp"

using namespace epsilary::solvers;

namespace {

// sum of light (z - s)_+: heavier minus (1 + s) times lighter, where that is positive.
double profile(const DiscreteSide& atoms, double s) {
  double sum = atoms.infinite;
  for (std::size_t i = 0; i < atoms.ratio_minus_one.size(); ++i)
    sum += atoms.lighter_mass[i] * std::max(0.0, atoms.ratio_minus_one[i] - s);
  return sum;
}

}  // namespace

TEST_CASE("spread cells lie above the law they hold, merged ones below, and both close to it") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit;
  const std::vector<double> ends = cell_ends(0.1, 2, 0.05);
  Cells cells(ends);
  DiscreteSide law;
  for (int i = 1; i <= 400; ++i) {
    law.ratio_minus_one.push_back(2.0 * i / 400 * (1 - 1e-9));
    law.lighter_mass.push_back(1e-3 * unit(random));
    cells.add(law.ratio_minus_one.back(), law.lighter_mass.back());
  }
  const DiscreteSide above = cells.spread(1e-15), below = cells.merged(1e-15);
  for (double s = 0; s < 2; s += 0.013) {
    CHECK(profile(above, s) >= profile(law, s));
    CHECK(profile(below, s) <= profile(law, s));
    CHECK(profile(above, s) - profile(below, s) <= 1e-3);
  }
}

TEST_CASE("a tail is lost or dropped") {
  const DiscreteSide law{{0.1, 0.2, 0.3}, {0.1, 0.01, 1e-9}};
  const DiscreteSide lost = truncate_pessimistically(law, std::log(1e-6)),
                     dropped = truncate_optimistically(law, std::log(1e-6));
  CHECK(lost.ratio_minus_one.size() == 2);
  CHECK(lost.infinite >= 1.3e-9);
  CHECK(dropped.infinite == 0);
  for (const double s : {0.0, 0.15, 0.25}) {
    CHECK(profile(lost, s) >= profile(law, s));
    CHECK(profile(dropped, s) <= profile(law, s));
  }
}

TEST_CASE("two rounds of a finite law lie in the engine's bracket") {
  const DiscreteSide side{{0.05, 0.2, 0.5}, {0.2, 0.1, 0.03}};
  std::vector<std::pair<double, double>> outcomes;  // loss, mass under P
  double rest = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double loss = std::log1p(side.ratio_minus_one[i]);
    outcomes.push_back({loss, side.lighter_mass[i] * (1 + side.ratio_minus_one[i])});
    outcomes.push_back({-loss, side.lighter_mass[i]});
    rest -= side.lighter_mass[i] * (2 + side.ratio_minus_one[i]);
  }
  outcomes.push_back({0, rest});
  double exact = 0;
  for (const auto& [a, p] : outcomes)
    for (const auto& [b, q] : outcomes) exact += p * q * std::max(0.0, -std::expm1(0.3 - a - b));
  const Bracket found = composed_delta({{symmetric_law(side), 2}}, Ball(0.3), {.width = 0.02});
  CHECK(found.lower <= exact);
  CHECK(found.upper >= exact);
  CHECK(found.upper - found.lower < 0.05 * exact);
}

TEST_CASE("bins of a binomial number hold its mass and mean, and blocks beyond bound the rest") {
  for (const auto& [n, p] : {std::pair{20.0, 0.3}, {1000.0, 0.002}, {1e6, 0.01}, {1e12, 1e-9}, {7.0, 1.0}}) {
    const Counts counts(n, Ball(p), 1 - Ball(p), 40);
    const BinnedCounts bins = bin_counts(counts, n, 0, 0.01);
    double mass = 0, mean = 0, outside = 0, last = -1;
    for (const CountBin& b : bins.inside) {
      CHECK(b.low > last);
      CHECK(b.mean >= b.low);
      CHECK(b.mean <= b.high);
      last = b.high;
      mass += b.weight;
      mean += b.weight * b.mean;
    }
    for (const CountBin& b : bins.outside) outside += b.weight;
    CHECK(std::abs(mass - 1) <= 1e-11 + outside);
    CHECK(mean == doctest::Approx(n * p).epsilon(1e-9));
    CHECK(outside < 1e-14);
  }
}

TEST_CASE("Chernoff's bound is above the tail it bounds") {
  const Counts counts(30, Ball(0.2), 1 - Ball(0.2), 600);
  double below = 0;
  std::vector<double> weight(31);
  counts.walk([&](double k, double w) { weight[static_cast<std::size_t>(k)] = w; });
  for (std::size_t k = 0; k < 6; ++k) {
    below += weight[k];
    CHECK(counts.tail(static_cast<double>(k)) >= below * (1 - 1e-12));  // equal at 0
  }
}
