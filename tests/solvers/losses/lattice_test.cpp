#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "solvers/losses/pair.hpp"
#include "solvers/numbers/functions.hpp"
#include "solvers/sums/fft.hpp"
#include "tests/solvers/losses/exact_delta.hpp"
#include "tests/solvers/losses/oracles.hpp"

using namespace epsilary::solvers;

namespace {

// N(mu, 1) against N(0, 1): the loss is N(mu^2/2, mu^2) under the first.
LossLaw gaussian(double mu) {
  const Side side{[mu](const Ball& x) -> Tail {
                    const Ball m(mu);
                    return {normal_cdf(m / 2 - x / m), normal_cdf(-m / 2 - x / m)};
                  },
                  [mu](double fineness, double log_neglected) {
                    std::vector<double> out;
                    const double top = std::sqrt(-2 * log_neglected) + mu + 1;
                    for (double t = mu / 2; t < top; t += fineness / std::max(1.0, mu))
                      out.push_back(mu * (t - mu / 2) + mu * fineness / std::max(1.0, mu));
                    return out;
                  }};
  return {side, side, true};
}

// Randomised response: the loss is +-eps0.
LossLaw randomised_response(double eps0) {
  const Side side{[eps0](const Ball& x) -> Tail {
                    const Ball truth = 1 / (1 + exp(-Ball(eps0)));
                    if (certainly(x < Ball(eps0))) return {truth, 1 - truth};
                    return {Ball(0), Ball(0)};
                  },
                  [eps0](double, double) {
                    return std::vector<double>{eps0 / 4, eps0 / 2, 3 * eps0 / 4};
                  },
                  eps0};
  return {side, side, true};
}

bool holds(const Bracket& b, const Ball& x) { return certainly(Ball(b.lower) <= x && x <= Ball(b.upper)); }

}  // namespace

TEST_CASE("the Fourier transform is as close to the sum it stands for as its bound says") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit;
  const std::size_t n = 256;
  std::vector<std::complex<double>> x(n);
  for (auto& v : x) v = {unit(random), unit(random)};
  for (const bool inverse : {false, true}) {
    auto y = x;
    fourier(y, inverse);
    double wrong = 0, size = 0;
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<long double> exact = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const long double angle = (inverse ? 2 : -2) * M_PIl * static_cast<long double>(j * k % n) / n;
        exact += std::complex<long double>(x[j]) * std::polar(1.0L, angle);
      }
      wrong += static_cast<double>(std::norm(exact - std::complex<long double>(y[k])));
      size += static_cast<double>(std::norm(exact));
    }
    CHECK(std::sqrt(wrong / size) <= fourier_error(n));
    CHECK(std::sqrt(wrong / size) > 0);
  }
}

TEST_CASE("one step on the lattice lies between its lower and its upper pair") {
  const Ball::Precision bits(128);
  for (const double mu : {0.1, 1.0, 3.0})
    for (const double step : {0.3 * mu, 0.05 * mu}) {
      const Lattice lattice = discretise(gaussian(mu), step, 0.2, -60);
      Ball upper_total, lower_total;
      for (const Ball& p : lattice.upper.p) upper_total += p;
      for (const Ball& p : lattice.lower.p) lower_total += p;
      CHECK(certainly(upper_total + lattice.infinite >= Ball(1) - Ball(1e-30)));
      CHECK(certainly(lower_total <= 1));
      CHECK(certainly(lower_total > 1 - Ball(1e-15)));
      for (double eps = -3 * mu; eps < 6 * mu; eps += 0.07 * mu) {
        INFO(mu << " " << step << " " << eps);
        const Ball exact = gaussian_delta(Ball(mu), Ball(eps));
        CHECK(certainly(exact_delta(lattice.lower, step, 1, Ball(eps)) <= exact + Ball(1e-33)));
        CHECK(certainly(exact_delta(lattice.upper, step, 1, Ball(eps)) + lattice.infinite >= exact - Ball(1e-33)));
      }
    }
}

TEST_CASE("lattice pairs composed exactly stay on their sides, and the error does not grow with the length") {
  const Ball::Precision bits(128);
  const double mu = 0.5, step = 0.1;
  const Lattice lattice = discretise(gaussian(mu), step, 0.2, -60);
  for (const unsigned long T : {2UL, 8UL, 32UL}) {
    const Ball eps = Ball(1.5) * Ball(mu) * sqrt(Ball(T));
    const Ball exact = gaussian_delta(Ball(mu) * sqrt(Ball(T)), eps);
    const Ball low = exact_delta(lattice.lower, step, T, eps), high = exact_delta(lattice.upper, step, T, eps);
    CHECK(certainly(low < exact));
    CHECK(certainly(exact < high + Ball(T) * lattice.infinite));
    CHECK(certainly(high - low < Ball(0.05) * exact));
  }
}

TEST_CASE("the fast composition agrees with polynomials over balls") {
  const Ball::Precision bits(128);
  const double mu = 0.7, step = 0.02;
  const Lattice lattice = discretise(gaussian(mu), step, 0.05, -90);
  for (const unsigned long T : {1UL, 3UL, 10UL})
    for (const double eps : {0.0, 1.0, 4.0, 9.0}) {
      const Bracket fast = composed_delta({{gaussian(mu), static_cast<double>(T)}}, Ball(eps));
      const Ball low = exact_delta(lattice.lower, step, T, Ball(eps));
      const Ball high = exact_delta(lattice.upper, step, T, Ball(eps)) + Ball(T) * lattice.infinite;
      INFO(T << " " << eps << " " << fast.lower << " " << fast.upper);
      CHECK(certainly(Ball(fast.lower) <= high));
      CHECK(certainly(low <= Ball(fast.upper)));
      CHECK(fast.upper - fast.lower <= 1e-3 * fast.upper);
    }
}

TEST_CASE("Gaussian composition is inside every bracket, down to delta 1e-30") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit;
  const Ball::Precision bits(128);
  for (int i = 0; i < 25; ++i) {
    const double mu = std::exp(-4 + 5 * unit(random)), T = std::floor(std::exp(9 * unit(random)));
    const double delta = std::pow(10, -2 - 28 * unit(random));
    INFO("mu " << mu << " T " << T << " delta " << delta);
    const Bracket b = composed_epsilon({{gaussian(mu), T}}, Ball(delta));
    const Ball total = Ball(mu) * sqrt(Ball(T));
    if (b.upper > 0) CHECK(certainly(gaussian_delta(total, Ball(b.upper)) <= Ball(delta)));
    if (b.lower > 0) CHECK(certainly(gaussian_delta(total, Ball(b.lower)) >= Ball(delta)));
    CHECK(b.upper - b.lower <= 1e-3 * b.upper);
  }
}

TEST_CASE("different mechanisms compose to the root of the sum of squares") {
  const Ball::Precision bits(128);
  const std::vector<Repeated> laws{{gaussian(0.5), 10}, {gaussian(0.3), 20}, {gaussian(1.2), 1}};
  const Ball mu = sqrt(Ball(2.5) + Ball(20) * Ball(0.3) * Ball(0.3) + Ball(1.2) * Ball(1.2));
  for (const double eps : {0.5, 3.0, 10.0, 25.0}) {
    const Bracket b = composed_delta(laws, Ball(eps));
    INFO(eps << " " << b.lower << " " << b.upper);
    CHECK(holds(b, gaussian_delta(mu, Ball(eps))));
    CHECK(b.upper - b.lower <= 1e-3 * b.upper);
  }
}

TEST_CASE("randomised response, whose composition is a finite sum, is inside every bracket") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit;
  const Ball::Precision bits(256);
  for (int i = 0; i < 12; ++i) {
    const double eps0 = 0.05 + unit(random);
    const int T = 1 + static_cast<int>(40 * unit(random));
    const double drawn = unit(random) * eps0 * T * 0.7;
    const Ball eps(drawn);
    const Bracket b = composed_delta({{randomised_response(eps0), static_cast<double>(T)}}, eps,
                                     {.width = 1e-2, .most_points = 1 << 17});
    INFO(eps0 << " " << T << " " << eps.midpoint() << " " << b.lower << " " << b.upper);
    CHECK(holds(b, randomised_response_delta(eps0, T, eps)));
    CHECK(b.upper < 1);
  }
}

TEST_CASE("a plain transform loses everything below 1e-16 and the tilted one does not") {
  const Ball::Precision bits(128);
  const Ball exact = gaussian_delta(Ball(2), Ball(24));
  REQUIRE(certainly(exact < Ball(1e-28)));
  const Bracket b = composed_delta({{gaussian(0.5), 16}}, Ball(24));
  CHECK(holds(b, exact));
  CHECK(b.upper - b.lower < 1e-3 * b.upper);
}
