#include "tests/bounds/theory/tradeoff.hpp"

#include <doctest/doctest.h>

#include <random>

#include "bounds/theory/gaussian_tradeoff.hpp"
#include "tests/bounds/theory/reflected.hpp"

using namespace epsilary::bounds;

namespace {

// G_mu through its profile at many eps: below it, and by little.
Tradeoff gaussian(double mu, int lines = 60) {
  std::vector<double> eps;
  for (int i = 0; i < lines; ++i) eps.push_back(i * (mu * mu / 2 + 5 * mu) / lines);
  return from_profile([mu](const Ball& e) { return gdp_delta(e, Ball(mu)); }, eps);
}

const Ball slack(1e-13);  // slopes are found in double

}  // namespace

TEST_CASE("lines of (eps, delta) guarantees lie below the function and come close to it") {
  const Ball::Precision bits(160);
  for (const double mu : {0.3, 1.0, 2.5}) {
    const Tradeoff f = gaussian(mu);
    for (double a = 0; a <= 1; a += 0.04) {
      INFO(mu << " " << a);
      const Ball exact = gdp_tradeoff(Ball(a), Ball(mu)), lines = f(Ball(a));
      CHECK(certainly(lines.lower_end() <= exact.upper_end()));
      CHECK(certainly(exact - lines < Ball(2e-3)));
    }
  }
  // a chord between two samples of G_1 lies above it, so it certifies nothing
  const Ball chord = (gdp_tradeoff(Ball(0), Ball(1)) + gdp_tradeoff(Ball(0.05), Ball(1))) / 2;
  CHECK(certainly(chord > gdp_tradeoff(Ball(0.025), Ball(1)) + Ball(0.03)));
  CHECK(certainly(gaussian(1)(Ball(0.025)) <= gdp_tradeoff(Ball(0.025), Ball(1))));
}

TEST_CASE("from a profile to the function and back, at the guarantees exactly and between them from above") {
  const Ball::Precision bits(160);
  const Tradeoff f = gaussian(1.2);
  for (int i = 0; i < 200; ++i) {
    const Ball eps = i * Ball(0.03), lines = profile(f, eps), exact = gdp_delta(eps, Ball(1.2));
    CHECK(certainly(lines.upper_end() >= exact.lower_end()));
    CHECK(certainly(lines - exact < Ball(1e-3)));
  }
  const double known = 12 * (1.2 * 1.2 / 2 + 6) / 60;
  CHECK(certainly(abs(profile(f, Ball(known)) - gdp_delta(Ball(known), Ball(1.2))) < Ball(1e-30)));
  // below zero by reflection: delta(-e) = 1 - e^-e + e^-e delta(e)
  CHECK(certainly(abs(profile(f, -Ball(known)) - gdp_delta_reflected(-Ball(known), Ball(1.2))) < Ball(1e-30)));
  CHECK(certainly(profile(identity(), Ball(0.5)) <= Ball(1e-40)));
}

TEST_CASE("an inverse undoes, and a symmetric function is its own") {
  const Ball::Precision bits(160);
  const Tradeoff f = gaussian(0.8), g = inverse(f), skew{{{Ball(3), Ball(0.9)}, {Ball(0.25), Ball(0.5)}}};
  for (double a = 0.05; a < 1; a += 0.05) {
    CHECK(certainly(abs(f(Ball(a)) - g(Ball(a))) < Ball(1e-40)));
    CHECK(certainly(abs(inverse(inverse(skew))(Ball(a)) - skew(Ball(a))) < Ball(1e-40)));
    const Ball t = inverse(skew)(Ball(a));  // the least t with skew(t) <= a
    CHECK(certainly(skew(t) <= Ball(a) + Ball(1e-40)));
    if (certainly(t > Ball(1e-3))) CHECK(certainly(skew(t - Ball(1e-3)) > Ball(a)));
  }
}

TEST_CASE("C_p of lines: f at p = 1, the identity at p = 0, between them, rising as p falls, symmetric and convex") {
  const Ball::Precision bits(160);
  std::mt19937 random(31);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 12; ++i) {
    const double mu = 0.2 + 2.5 * unit(random), p = unit(random);
    const Tradeoff f = gaussian(mu, 30), c = subsampled(f, Ball(p)), less = subsampled(f, Ball(0.8) * Ball(p)),
                   all = subsampled(f, Ball(1)), none = subsampled(f, Ball(0));
    for (int j = 0; j < 8; ++j) {
      const double a = unit(random), h = 0.4 * std::min(a, 1 - a) * unit(random);
      INFO(mu << " " << p << " " << a);
      const Ball here = c(Ball(a));
      CHECK(certainly(abs(all(Ball(a)) - f(Ball(a))) < slack));
      CHECK(certainly(abs(none(Ball(a)) - (1 - Ball(a))) < slack));
      CHECK(certainly(here > f(Ball(a)) - slack));
      CHECK(certainly(here < 1 - Ball(a) + slack));
      CHECK(certainly(less(Ball(a)) > here - slack));
      CHECK(certainly(c(Ball(a) - Ball(h)) + c(Ball(a) + Ball(h)) > 2 * here - slack));
      if (certainly(here > 0) && a < 0.99) CHECK(certainly(abs(c(here) - Ball(a)) < Ball(1e-10)));
      // never above the exact C_p(G_mu), and closer than the chords
      const Ball exact = subsampled_tradeoff(Ball(a), Ball(p), Ball(mu));
      CHECK(certainly(here.lower_end() <= exact.upper_end()));
      CHECK(certainly(exact - here < Ball(0.01)));
    }
  }
}

TEST_CASE("C_p maps each guarantee to p delta at log(1 + p (e^eps - 1))") {
  const Ball::Precision bits(160);
  for (const double p : {0.05, 0.4, 0.9}) {
    const std::vector<Guarantee> given{{Ball(0), Ball(0.3)}, {Ball(0.5), Ball(0.12)}, {Ball(1.5), Ball(0.01)}};
    std::vector<Guarantee> mapped;
    for (const auto& [eps, delta] : given) mapped.push_back({log1p(Ball(p) * expm1(eps)), Ball(p) * delta});
    const Tradeoff c = subsampled(from_guarantees(given), Ball(p)), direct = from_guarantees(mapped);
    for (double a = 0; a <= 1; a += 0.02) {
      INFO(p << " " << a);
      CHECK(certainly(abs(c(Ball(a)) - direct(Ball(a))) < slack));
    }
    for (const auto& [eps, delta] : mapped) CHECK(certainly(abs(profile(c, eps) - delta) < slack));
  }
}

TEST_CASE("the double conjugate of a minimum is the largest convex function below both") {
  const Ball::Precision bits(160);
  const Tradeoff f{{{Ball(4), Ball(1)}, {Ball(0.5), Ball(0.4)}}}, g{{{Ball(1.5), Ball(0.8)}, {Ball(0.2), Ball(0.15)}}};
  const Tradeoff both = convex_minimum(f, g);
  double highest_gap = 1;
  for (double a = 0; a <= 1; a += 0.005) {
    const Ball least = min(f(Ball(a)), g(Ball(a))), here = both(Ball(a));
    CHECK(certainly(here.lower_end() <= least.upper_end()));
    highest_gap = std::min(highest_gap, (least - here).midpoint());
  }
  CHECK(highest_gap < 1e-3);  // it touches
  // by conjugates: the profile of the minimum is the larger of the two profiles
  for (double eps = -3; eps < 3; eps += 0.1)
    CHECK(certainly(abs(profile(both, Ball(eps)) - max(profile(f, Ball(eps)), profile(g, Ball(eps)))) < slack));
}

TEST_CASE("a group of lines is the iterated function, the sharp pair for one guarantee, and below G_{g mu}") {
  const Ball::Precision bits(160);
  const Ball eps(0.2), delta(0.002);
  for (const int g : {1, 2, 5}) {
    const Tradeoff one = from_guarantees({{eps, delta}}), many = group(one, g);
    CHECK(certainly(abs(profile(many, Ball(g) * eps) - group_delta_sharp(eps, delta, Ball(g))) < Ball(1e-30)));
    const Tradeoff bell = gaussian(0.4, 25), crowd = group(bell, g);
    for (double a = 0; a <= 1; a += 0.05) {
      INFO(g << " " << a);
      CHECK(certainly(abs(many(Ball(a)) - group_tradeoff(Ball(a), eps, delta, Ball(g))) < Ball(1e-30)));
      Ball x(a);
      for (int i = 0; i < g; ++i) x = 1 - bell(x);
      CHECK(certainly(abs(crowd(Ball(a)) - (1 - x)) < Ball(1e-12)));
      CHECK(certainly(crowd(Ball(a)).lower_end() <= gdp_tradeoff(Ball(a), Ball(0.4) * g).upper_end()));
    }
  }
}
