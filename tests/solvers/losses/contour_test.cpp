#include "solvers/losses/contour/contour.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "solvers/numbers/functions.hpp"
#include "solvers/sums/integrate.hpp"
#include "tests/solvers/losses/oracles.hpp"

using namespace epsilary::solvers;

namespace {

// Laws that need no cutting.
MomentLaws always(std::vector<MomentLaw> laws) {
  return [laws](double) { return laws; };
}

Ball density(const Ball& t) { return exp(-t * t / 2) / sqrt(2 * Ball::pi()); }

// N(mu, 1) against N(0, 1): X is N(mu^2/2, mu^2) under P. Tilted by c it is Gaussian again, and the sum over a lattice
// of its density is wrong by the Fourier transform at the multiples of 2 pi/step, which Poisson's formula adds.
MomentLaw gaussian(double mu, double times) {
  MomentLaw law;
  law.times = times;
  law.tilted = [mu](double c, double reach) {
    const Ball m(mu), all = exp(Ball(c) * (Ball(c) + 1) * m * m / 2);
    const double step = 2 * M_PI / (14 + reach * mu), ends = 14;
    Tilted out;
    for (double k = -std::ceil(ends / step); k <= ends / step + 1; ++k) {
      const Ball t = Ball(step) * Ball(k);
      out.nodes.push_back({m * m / 2 + Ball(c) * m * m + m * t, all * Ball(step) * density(t), Ball(0)});
    }
    const Ball first = 2 * Ball::pi() / Ball(step) - Ball(reach) * m;
    out.error = all * (Ball(2.1) * exp(-first * first / 2) + Ball(2.1) * normal_cdf(-Ball(ends)));
    return out;
  };
  law.density_steps = [mu](double c) {
    const Ball m(mu), all = exp(Ball(c) * (Ball(c) + 1) * m * m / 2), middle = m * m / 2 + Ball(c) * m * m;
    std::vector<DensityStep> out;
    for (double t = -5; t < 5; t += 0.125) {
      const Ball a(t), b = a + Ball(0.125);
      out.push_back({middle + m * a, middle + m * b, all * min(density(a), density(b)) / m});
    }
    return out;
  };
  for (double t = -12; t < 40; t += 0.05) {
    law.loss.push_back(mu * mu / 2 + mu * t);
    law.log_mass.push_back(std::log(0.05 * density(Ball(t)).midpoint()));
  }
  return law;
}

// Randomised response: the loss is +-eps0. Its moments do not fall along the line, so the tail is cut where 1/y^2
// allows.
MomentLaw randomised_response(double eps0, double times) {
  MomentLaw law;
  law.times = times;
  law.tilted = [eps0](double c, double) {
    const Ball truth = 1 / (1 + exp(-Ball(eps0))), tilt = exp(Ball(c) * Ball(eps0));
    return Tilted{{{Ball(eps0), truth * tilt, (1 - truth) / tilt}}, Ball(0)};
  };
  law.density_steps = [](double) { return std::vector<DensityStep>{}; };
  law.loss = {eps0, -eps0};
  law.log_mass = {-std::log1p(std::exp(-eps0)), -std::log1p(std::exp(eps0))};
  return law;
}

}  // namespace

TEST_CASE("Gauss's rule is as close as its ellipse says") {
  const Ball::Precision bits(128);
  for (const int n : {3, 6, 12}) {
    const auto known = gauss_rule(n);
    const GaussRule& rule = *known;
    Ball sum;
    for (std::size_t k = 0; k < rule.node.size(); ++k) sum += rule.weight[k] * exp(rule.node[k]);
    const Ball exact = exp(Ball(1)) - exp(Ball(-1)), wrong = abs(sum - exact);
    CHECK(certainly(wrong > 0));
    for (const double r : {2.0, 4.0, 8.0})
      CHECK(certainly(wrong < gauss_error(n, Ball(r)) * exp((Ball(r) + 1 / Ball(r)) / 2)));
  }
}

TEST_CASE("the contour integral of Gaussian losses encloses their closed form, to nine digits and down to 1e-30") {
  const Ball::Precision bits(128);
  std::mt19937 random(23);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 12; ++i) {
    const double mu = std::exp(-4 + 4 * unit(random)), T = std::floor(25 + std::exp(8 * unit(random)));
    const double small = std::pow(10, -2 - 28 * unit(random));
    const Ball total = Ball(mu) * sqrt(Ball(T)), delta(small);
    INFO("mu " << mu << " T " << T << " delta " << delta.midpoint());
    const Ball eps = contour_epsilon(always({gaussian(mu, T)}), delta, {.width = 1e-9});
    REQUIRE(eps.finite());
    CHECK(eps.upper() - eps.lower() <= 1e-9 * eps.upper());
    CHECK(certainly(gaussian_delta(total, eps.upper_end()) <= delta));
    CHECK((eps.lower() <= 0 || certainly(gaussian_delta(total, eps.lower_end()) >= delta)));
    const double middle = eps.midpoint();
    const Ball there = contour_delta(always({gaussian(mu, T)}), Ball(middle), {.width = 1e-9});
    CHECK(there.contains(gaussian_delta(total, Ball(middle))));
    CHECK(there.upper() - there.lower() <= 1e-8 * there.upper());
  }
}

TEST_CASE("different laws on one contour compose to the root of the sum of squares") {
  const Ball::Precision bits(128);
  const Ball mu = sqrt(Ball(0.625) + Ball(40) * Ball(0.2) * Ball(0.2));
  for (const double eps : {0.5, 3.0, 12.0}) {
    const Ball delta = contour_delta(always({gaussian(0.125, 40), gaussian(0.2, 40)}), Ball(eps));
    REQUIRE(delta.finite());
    CHECK(delta.contains(gaussian_delta(mu, Ball(eps))));
    CHECK(delta.upper() - delta.lower() <= 1e-6 * delta.upper());
  }
}

TEST_CASE("where moments do not fall along the line the sum is cut with what 1/y^2 leaves") {
  const Ball::Precision bits(256);
  for (const int T : {1, 7, 40}) {
    const Ball eps = Ball(0.3) * T * Ball(0.4), exact = randomised_response_delta(0.4, T, eps);
    const Ball delta = contour_delta(always({randomised_response(0.4, T)}), eps, {.width = 1e-2});
    INFO(T << " " << delta.lower() << " " << delta.upper() << " " << exact.midpoint());
    CHECK(delta.lower() <= exact.upper());
    CHECK(exact.lower() <= delta.upper());
    CHECK(delta.upper() - delta.lower() <= 1e-2 * delta.upper());
    // Too many terms: what Chernoff's bound leaves.
    const Ball wide = contour_delta(always({randomised_response(0.4, T)}), eps, {.width = 1e-12});
    CHECK(wide.upper() >= exact.lower());
    CHECK(wide.lower() <= exact.upper());
    CHECK(wide.upper() <= 8 * exact.upper());
    CHECK(wide.upper() - wide.lower() > 1e-3 * exact.upper());
  }
}
