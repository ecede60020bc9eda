// The contour integral against compositions that are known in closed form or can be counted.
#include "solvers/losses/softened.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace epsilary::solvers;

namespace {

// mu-GDP: the loss is N(mu^2/2, mu^2), delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
LossMoments gaussian(double mu) {
  return {[mu](const ComplexBall& z) { return exp(z * (z + ComplexBall(1)) * (Ball(mu) * Ball(mu) / 2)); },
          [mu](double y) { return 0.499 * mu * mu * y * y; }};
}
double gaussian_delta(double mu, double eps) {
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  return phi(mu / 2 - eps / mu) - std::exp(eps) * phi(-mu / 2 - eps / mu);
}

// T randomised responses of eps0: losses (T - 2 l) eps0.
LossMoments responses(double eps0, int T) {
  return {[=](const ComplexBall& z) {
            const Ball e(eps0);
            const ComplexBall one = (exp((ComplexBall(1) + z) * e) + exp(-z * e)) * (1 / (1 + exp(e)));
            ComplexBall all(1);
            for (int i = 0; i < T; ++i) all *= one;
            return all;
          },
          [](double) { return 0.0; }};
}
double responses_delta(double eps0, int T, double eps) {
  double sum = 0;
  for (int l = 0; l <= T; ++l) {
    const double log_choose = std::lgamma(T + 1) - std::lgamma(l + 1) - std::lgamma(T - l + 1);
    const double loss = (T - 2 * l) * eps0;
    if (loss > eps)
      sum += std::exp(log_choose + (T - l) * eps0 - T * std::log1p(std::exp(eps0))) * -std::expm1(eps - loss);
  }
  return sum;
}

}  // namespace

TEST_CASE("the Gaussian mechanism lies inside, at every abscissa and width") {
  for (const double mu : {0.1, 1.0, 3.0})
    for (const double eps : {0.2 * mu, 2 * mu, 6 * mu}) {
      const double exact = gaussian_delta(mu, eps), saddle = eps / (mu * mu) + 0.5;
      for (const double share : {0.7, 1.0, 1.4})
        for (const double width : {1e-3, 1e-5}) {
          const SoftenedContour c(gaussian(mu), {share * saddle, eps, width}, Ball(exact));
          INFO(mu << " " << eps << " " << share << " " << width);
          CHECK(c.lower(Ball(eps)).lower() <= exact * (1 + 1e-10));
          CHECK(c.upper(Ball(eps)).upper() >= exact * (1 - 1e-10));
          if (share == 1 && eps > mu) {
            CHECK(c.upper(Ball(eps)).upper() <= exact * (1 + 4 * width * share * saddle * eps + 1e-4));
            CHECK(c.lower(Ball(eps)).lower() >= exact * (1 - 4 * width * share * saddle * eps - 1e-4));
          }
        }
    }
}

TEST_CASE("randomised responses, whose losses lie on a lattice the integral does not know") {
  for (const int T : {1, 3, 12}) {
    const double eps0 = 0.4;
    for (const double delta : {0.05, 1e-4, 1e-9}) {
      if (responses_delta(eps0, T, 0) <= delta) continue;
      // A rough abscissa: any will do.
      double c = 0, least = HUGE_VAL, at = 0;
      for (double t = -3; t < 25; t += 0.05) {
        const double theta = std::exp(t);
        const double log_moment =
            T * (std::log1p(std::exp((1 + 2 * theta) * eps0)) - theta * eps0 - std::log1p(std::exp(eps0)));
        const double eps = (log_moment - std::log(delta) - std::log(theta * (1 + theta) + 1)) / theta;
        if (std::isfinite(eps) && eps < least) least = eps, c = theta, at = eps;
      }
      const Bracket b = softened_epsilon(responses(eps0, T), {c, std::max(at, 1e-3), 1e-4}, Ball(delta));
      INFO(T << " " << delta << " " << b.lower << " " << b.upper);
      REQUIRE(std::isfinite(b.upper));
      CHECK(responses_delta(eps0, T, b.upper) <= delta * (1 + 1e-12));
      CHECK(responses_delta(eps0, T, b.lower) >= delta * (1 - 1e-12));
      CHECK(b.upper - b.lower <= 1e-2 * b.upper);  // as far as a rough abscissa goes
    }
  }
}

TEST_CASE("nothing is to be paid where delta is larger than the profile at 0") {
  const Bracket b = softened_epsilon(gaussian(0.5), {2, 1e-3, 1}, Ball(0.3));
  CHECK(b.upper == 0);
}
