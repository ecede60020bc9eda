// The worst adaptive sum against every strategy of small ones, and long ones against each other.
#include "solvers/sums/adaptive_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "solvers/sums/adaptive_strategy.hpp"

using namespace epsilary::solvers;

namespace {

// Likelihood ratios (r1, r0) to a third law, all three within e of each other and of mean one: six extreme points, four
// extreme laws. X = (1-w)(1-c) + w (r1 - c r0).
AdaptiveLaws ratios(double eps0, double eps, double weight) {
  const Ball e = exp(Ball(eps0)), c = exp(Ball(eps)), w(weight), one(1), low = 1 / e, none(0);
  const auto x = [&](const Ball& r1, const Ball& r0) { return (1 - w) * (1 - c) + w * (r1 - c * r0); };
  const Ball t = 1 / (e + 2), s = 1 / (e + 1), u = 1 / (2 * e + 1);
  return {{x(e, one), x(one, e), x(low, low), x(low, one), x(one, low), x(e, e)},
          {{t, t, e * t, none, none, none},
           {s, none, none, e * s, none, none},
           {none, s, none, none, e * s, none},
           {none, none, none, e * u, e * u, u}},
          1 - c};
}

// Every strategy, followed to its end.
long double every_strategy(const AdaptiveLaws& laws, int left, long double v) {
  if (left == 0) return std::max(v, 0.0L);
  long double best = 0;
  for (const auto& shares : laws.shares) {
    long double sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (shares[k].midpoint() > 0)
        sum += shares[k].midpoint() * every_strategy(laws, left - 1, v + laws.atoms[k].midpoint());
    best = std::max(best, sum);
  }
  return best;
}

// A strategy drawn at random: laws on the whole hexagon, not its corners alone.
double random_strategy(std::mt19937_64& random, double e, double c, int left, double v) {
  if (left == 0) return std::max(v, 0.0);
  // A point of the hexagon, and the mean (1, 1) restored by a second one on the other side.
  std::uniform_real_distribution<double> share(0, 1);
  const double corners[6][2] = {{e, 1}, {1, e}, {1 / e, 1 / e}, {1 / e, 1}, {1, 1 / e}, {e, e}};
  double r1 = 0, r0 = 0, total = 0;
  for (const auto& corner : corners) {
    const double weight = -std::log(share(random));
    r1 += weight * corner[0], r0 += weight * corner[1], total += weight;
  }
  r1 /= total, r0 /= total;
  double most = 1;  // how far on the other side the hexagon reaches
  for (double step = 1; step > 1e-6; step /= 2) {
    const double a = 1 - (most + step) * (r1 - 1), b = 1 - (most + step) * (r0 - 1);
    if (a >= 1 / e && a <= e && b >= 1 / e && b <= e && a <= e * b && b <= e * a) most += step;
  }
  const double a = 1 - most * (r1 - 1), b = 1 - most * (r0 - 1);
  if (!(a >= 1 / e && a <= e && b >= 1 / e && b <= e && a <= e * b && b <= e * a))
    return random_strategy(random, e, c, left, v);
  return most / (1 + most) * random_strategy(random, e, c, left - 1, v + r1 - c * r0) +
         1 / (1 + most) * random_strategy(random, e, c, left - 1, v + a - c * b);
}

}  // namespace

TEST_CASE("never below any strategy of a few terms, and hardly above the best") {
  for (const double eps0 : {0.2, 1.0, 3.0})
    for (const double share : {0.0, 0.3, 0.8})
      for (const double w : {1.0, 0.4})
        for (const int m : {1, 2, 3, 5}) {
          const double eps = share * std::log1p(w * std::expm1(eps0));
          const AdaptiveLaws laws = ratios(eps0, eps, w);
          const auto truth = static_cast<double>(every_strategy(laws, m, 0)) / m;
          const double bound = adaptive_sum(laws, {m}, -std::log(truth), {.cell = 0.002})[0];
          CAPTURE(eps0);
          CAPTURE(eps);
          CAPTURE(w);
          CAPTURE(m);
          CHECK(bound >= truth);
          CHECK(bound <= truth * 1.005);
          CHECK(adaptive_sum(laws, {m}, -std::log(truth), {.cell = 0.3})[0] >= truth);
        }
}

TEST_CASE("what a strategy attains is below the best of a few terms, hardly, and below the bound of many") {
  for (const double eps0 : {0.2, 1.0, 3.0, 6.0})
    for (const double share : {0.0, 0.3, 0.8})
      for (const double w : {1.0, 0.4})
        for (const int m : {1, 2, 3, 5}) {
          const double eps = share * std::log1p(w * std::expm1(eps0));
          const AdaptiveLaws laws = ratios(eps0, eps, w);
          const auto truth = static_cast<double>(every_strategy(laws, m, 0)) / m;
          CAPTURE(eps0);
          CAPTURE(eps);
          CAPTURE(w);
          CAPTURE(m);
          const double found = adaptive_sum_attained(laws, m, -std::log(truth), {.cell = 0.002});
          CHECK(found <= truth);
          CHECK(found >= truth * 0.995);
          CHECK(adaptive_sum_attained(laws, m, -std::log(truth), {.cell = 0.3}) <= truth);
        }
  for (const double eps0 : {0.3, 1.0, 4.0})
    for (const int m : {40, 300}) {
      const AdaptiveLaws laws = ratios(eps0, 0.3 * eps0, 1);
      const double above = adaptive_sum(laws, {m}, 12, {.cell = 0.01})[0];
      const double below = adaptive_sum_attained(laws, m, 12, {.cell = 0.01});
      CHECK(below <= above);
      CHECK(below >= 0.99 * above);
    }
}

TEST_CASE("random strategies inside the hexagon stay below") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    const double eps0 = std::uniform_real_distribution<double>(0.1, 3)(random);
    const double eps = std::uniform_real_distribution<double>(0, 0.9)(random) * eps0;
    const int m = 1 + i % 4;
    const double bound = adaptive_sum(ratios(eps0, eps, 1), {m}, 3)[0];
    CHECK(random_strategy(random, std::exp(eps0), std::exp(eps), m, 0) / m <= bound);
  }
}

TEST_CASE("blocks lie above the whole, and not far; wide cells above narrow ones; several lengths at once") {
  for (const double eps0 : {0.3, 1.0, 2.0}) {
    const double eps = 0.13 * eps0;
    const AdaptiveLaws laws = ratios(eps0, eps, 1);
    const double whole = adaptive_sum(laws, {1000}, 13.8, {.block = 1000})[0];
    double before = 1;
    for (const double block : {10.0, 50.0, 250.0}) {
      const double in_blocks = adaptive_sum(laws, {1000}, 13.8, {.block = block})[0];
      CHECK(in_blocks >= whole);
      CHECK(in_blocks <= before * (1 + 1e-3));
      before = in_blocks;
    }
    CHECK(before <= whole * 1.1);
    CHECK(adaptive_sum(laws, {1000}, 13.8, {.cell = 0.2, .block = 1000})[0] >= whole);
    const std::vector<double> some = adaptive_sum(laws, {1000, 998, 900}, 13.8, {.block = 250});
    CHECK(some[0] <= some[1]);
    CHECK(some[1] <= some[2]);
    CHECK(some[0] == doctest::Approx(before).epsilon(1e-3));
  }
}

TEST_CASE("tiny deltas and long sums keep their digits") {
  // One law alone: a fair coin of +-1 with drift, whose sum is a binomial.
  const AdaptiveLaws coin{{Ball(1) - Ball(0.5), Ball(-1) - Ball(0.5)}, {{Ball(1) / 2, Ball(1) / 2}}, Ball(-1) / 2};
  for (const int m : {40, 400, 4000}) {
    long double truth = 0;
    for (int k = 0; k <= m; ++k)
      if (const long double s = 2.0L * k - m - 0.5L * m; s > 0)
        truth +=
            std::exp(std::lgamma(m + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(m - k + 1.0L) - m * std::log(2.0L)) *
            s;
    truth /= m;
    const double bound =
        adaptive_sum(coin, {m}, static_cast<double>(-std::log(truth)), {.cell = 0.02, .block = 300})[0];
    CAPTURE(m);
    CAPTURE(static_cast<double>(truth));
    CHECK(bound >= static_cast<double>(truth) * (1 - 1e-12));
    CHECK(bound <= static_cast<double>(truth) * 1.3);
  }
}
