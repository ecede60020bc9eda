// A few rounds, pair by pair: against enumeration, binomial sums and closed forms.
#include "solvers/losses/pairs/few_rounds.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/losses/discrete_side.hpp"
#include "solvers/numbers/functions.hpp"
#include "tests/solvers/losses/oracles.hpp"

using namespace epsilary::solvers;

namespace {

// P and Q on three outcomes; all masses are multiples of 1/8 and all ratios exact in a double.
struct Three {
  double p[3], q[3];
};
constexpr Three lopsided{{0.5, 0.25, 0.25}, {0.125, 0.25, 0.625}};
LossLaw law_of(const Three& x) {
  return dominating_law({{x.p[0] / x.q[0] - 1}, {x.q[0]}}, {{x.q[2] / x.p[2] - 1}, {x.p[2]}});
}
// Sum of (p - e^eps q)_+ over all outcomes of all rounds.
double enumerated(const Three& x, int rounds, double ratio, double p = 1, double q = 1) {
  if (rounds == 0) return std::max(0.0, p - ratio * q);
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += enumerated(x, rounds - 1, ratio, p * x.p[i], q * x.q[i]);
  return sum;
}

// N(mu,1) against N(0,1).
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

TEST_CASE("every outcome of a lopsided pair of three, up to nine rounds") {
  const LossLaw law = law_of(lopsided);
  for (const int rounds : {1, 2, 3, 5, 6, 7, 9})
    for (const double eps : {0.0, 0.3, 1.0, 2.5, 5.0}) {
      const double exact = enumerated(lopsided, rounds, std::exp(eps));
      if (exact < 1e-9) continue;
      CAPTURE(rounds);
      CAPTURE(eps);
      const Bracket b = few_rounds_delta(law, rounds, Ball(eps), {.width = 1e-3});
      CHECK(b.lower <= exact * (1 + 1e-13));
      CHECK(b.upper >= exact * (1 - 1e-13));
      CHECK(b.upper <= b.lower * (1 + 2e-3));
    }
}

TEST_CASE("the epsilon of enumerated rounds has the delta asked for at its ends") {
  const LossLaw law = law_of(lopsided);
  for (const double delta : {0.3, 0.05, 1e-3}) {
    const Bracket b = few_rounds_epsilon(law, 6, Ball(delta), {.width = 1e-3});
    CAPTURE(delta);
    CHECK(enumerated(lopsided, 6, std::exp(b.lower)) >= delta * (1 - 1e-13));
    CHECK(enumerated(lopsided, 6, std::exp(b.upper)) <= delta * (1 + 1e-13));
    CHECK(b.upper <= b.lower * (1 + 2e-3));
  }
}

TEST_CASE("rounds of the Gaussian mechanism are one of a larger mean, down to 1e-30") {
  const Ball::Precision bits(128);
  for (const int rounds : {2, 3, 10})
    for (const double eps : {0.1, 1.5, 7.0}) {
      const double mu = 0.2, total = mu * std::sqrt(static_cast<double>(rounds));
      const Ball exact = gaussian_delta(Ball(total), Ball(eps));
      if (exact.upper() < 1e-30) continue;
      CAPTURE(rounds);
      CAPTURE(eps);
      const Bracket delta = few_rounds_delta(gaussian(mu), rounds, Ball(eps), {1e-3, 2.8e9});
      CHECK(delta.lower <= exact.upper());
      CHECK(delta.upper >= exact.lower());
      CHECK(delta.upper <= delta.lower * (1 + 2e-3));
      const Bracket epsilon = few_rounds_epsilon(gaussian(mu), rounds, exact, {1e-3, 2.8e9});
      CHECK(epsilon.lower <= eps);
      CHECK(epsilon.upper >= eps);
    }
}

TEST_CASE("a delta that no epsilon is needed for, and work that is not allowed") {
  const Bracket none = few_rounds_epsilon(gaussian(0.01), 4, Ball(0.5));
  CHECK(none.lower == 0);
  CHECK(none.upper == 0);
  const Bracket wide = few_rounds_epsilon(gaussian(0.2), 4, Ball(1e-6), {.width = 1e-9, .work = 2e4});
  const Bracket narrow = few_rounds_epsilon(gaussian(0.2), 4, Ball(1e-6), {.width = 1e-3});
  CHECK(wide.lower <= narrow.upper);
  CHECK(wide.upper >= narrow.lower);
  CHECK(wide.upper > wide.lower);
}
