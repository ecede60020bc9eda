// The one door to compositions: against closed forms and enumeration, with much work, little and none.
#include "solvers/losses/compose.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/losses/discrete_side.hpp"
#include "solvers/numbers/functions.hpp"
#include "tests/solvers/losses/oracles.hpp"

using namespace epsilary::solvers;

namespace {

// N(mu,1) against N(0,1), as a law; its moments are left to the other tools' tests.
LossLaw gaussian(double mu) {
  const Side side{[mu](const Ball& x) -> Tail {
                    const Ball t = x / Ball(mu) + Ball(mu) / 2;
                    return {normal_cdf(Ball(mu) - t), normal_cdf(-t)};
                  },
                  [mu](double fineness, double log_neglected) {
                    std::vector<double> out;
                    const double last = mu * (std::sqrt(-2 * log_neglected) + 1 + mu);
                    for (double x = mu * fineness; x < last; x += mu * fineness) out.push_back(x);
                    return out;
                  }};
  return {side, side, true};
}

}  // namespace

TEST_CASE("rounds of the Gaussian mechanism through the door, whatever work is allowed") {
  const Ball::Precision bits(128);
  for (const double rounds : {1.0, 4.0, 900.0})
    for (const double share : {0.5, 2.0})
      for (const double work : {1e5, 1e7, 1e9}) {
        const double mu = 0.2, eps = share * mu * std::sqrt(rounds);
        const Ball total = Ball(mu) * sqrt(Ball(rounds)), exact = gaussian_delta(total, Ball(eps));
        CAPTURE(rounds);
        CAPTURE(eps);
        CAPTURE(work);
        const ComposedPair pair{.law = gaussian(mu)};
        const Ball delta = compose(pair, rounds, {.eps = Ball(eps)}, {1e-3, work});
        REQUIRE(delta.finite());
        CHECK(delta.overlaps(exact));
        if (work > 1e8) CHECK(is_narrow(delta, 1e-3));
        const Ball back = compose(pair, rounds, {.delta = exact}, {1e-3, work});
        if (work > 1e8) CHECK(is_narrow(back, 1e-3));
        if (back.finite()) CHECK(back.overlaps(Ball(eps)));
      }
}

TEST_CASE("a pair that is known between two: each end from its own") {
  // Randomised response of e^eps0 = 3 and of 4.
  const auto response = [](double ratio) { return symmetric_law({{ratio - 1}, {1 / (1 + ratio)}}); };
  const ComposedPair pair{.law = response(4), .below = response(3)};
  const auto enumerated = [](double ratio, int rounds, double eps) {
    double sum = 0, ways = 1;
    for (int k = 0; k <= rounds; ++k) {
      const double p = std::pow(ratio, rounds - k), q = std::pow(ratio, k);
      sum += ways * std::max(0.0, p - std::exp(eps) * q) / std::pow(1 + ratio, rounds);
      ways = ways * (rounds - k) / (k + 1);
    }
    return sum;
  };
  for (const int rounds : {1, 5, 40})
    for (const double eps : {0.3, 1.0}) {
      CAPTURE(rounds);
      const Ball delta = compose(pair, rounds, {.eps = Ball(eps)}, {2e-3, 1e9});
      const double low = enumerated(3, rounds, eps), high = enumerated(4, rounds, eps);
      CHECK(delta.lower() <= low * (1 + 1e-12));
      CHECK(delta.lower() >= low * 0.98);
      CHECK(delta.upper() >= high * (1 - 1e-12));
      CHECK(delta.upper() <= high * 1.02);
    }
}
