// One step of DP-SGD composed by lattice, by contour and by plain integration.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <tuple>

#include "bounds/theory/dpsgd/laws.hpp"
#include "bounds/theory/dpsgd/moments.hpp"
#include "solvers/losses/pair.hpp"
#include "solvers/numbers/decimal.hpp"

using namespace epsilary::solvers;
using namespace epsilary::bounds::dpsgd;

namespace {

// The same integral in plain double: Simpson's rule over t, the trapezoidal rule along the line. No lattice, no proof.
double integral(double p, double mu, double T, double eps, double c) {
  using Complex = std::complex<double>;
  const double atom = (1 - p) * std::erf(mu / std::sqrt(8.0)), h = 0.04 * c, step = 0.004;
  double sum = 0;
  for (int k = 0; k < 4000; ++k) {
    const Complex z(c, h * k);
    Complex moment = atom;
    for (int i = 0; i <= 3000; ++i) {
      const double t = mu / 2 + i * step, l = std::log1p(p * std::expm1(mu * t - mu * mu / 2));
      const double weight = (i == 0 || i == 3000 ? 1 : i % 2 ? 4 : 2) * step / 3 / std::sqrt(2 * M_PI);
      moment += weight * std::exp(-t * t / 2) * (std::exp((1.0 + z) * l) + std::exp(-z * l));
    }
    const Complex term = std::exp(T * std::log(moment) - z * eps) / (z * (z + 1.0));
    sum += (k ? 1 : 0.5) * term.real();
    if (std::abs(term) < 1e-12 * std::abs(sum)) break;
  }
  return sum * h / M_PI;
}

}  // namespace

TEST_CASE("lattice, contour and a plain double integral agree") {
  for (const auto& [p, sigma, T, eps, c] :
       {std::tuple{0.01, 1.0, 1000.0, 1.0, 5.0}, {0.02, 2.0, 3000.0, 2.0, 6.0}, {0.2, 1.5, 100.0, 6.0, 1.2}}) {
    const Ball rate(p), mu = 1 / Ball(sigma);
    const Bracket lattice = composed_delta({{subsampled_gaussian(rate, mu), T}}, Ball(eps), {.width = 1e-4});
    const Ball contour = contour_delta(subsampled_gaussian_moments(rate, mu, T), Ball(eps), {.width = 1e-9});
    INFO(p << " " << sigma << " " << T << " " << lattice.lower << " " << lattice.upper << " " << contour.midpoint());
    REQUIRE(contour.finite());
    CHECK(contour.lower() <= lattice.upper);
    CHECK(lattice.lower <= contour.upper());
    CHECK(contour.upper() - contour.lower() <= 1e-9 * contour.upper());
    CHECK(std::abs(integral(p, 1 / sigma, T, eps, c) / contour.midpoint() - 1) < 1e-8);
  }
}

TEST_CASE("the tilt of a long composition is not rounded: thirteen digits at 10^5 steps") {
  // tests/reference/brackets/dpsgd.csv has the value in twenty digits. The order 1 + c rounded to a double, taken to
  // the power 10^5, moves it by 1e-12.
  const Ball::Precision bits(256);
  const Ball exact(Decimal("0.000001000000204335735606619").exact());
  const Ball found = contour_delta(subsampled_gaussian_moments(Ball(Decimal("0.1").exact()), Ball(2), 1e5),
                                   Ball(Decimal("9090.5781").exact()), {.width = 1e-13});
  CHECK(found.contains(exact));
  CHECK(certainly((found.upper_end() - found.lower_end()) / found < Ball(1e-12)));
}

TEST_CASE("few rare losses beside many small ones: a millionth by the divided contour, inside what the lattice gave") {
  // brackets of the lattice alone, which takes some seconds for each
  for (const auto& [p, sigma, T, delta, lower, upper] : {std::tuple{1e-4, 1.0, 10.0, 1e-12, 0.0468055, 0.0468300},
                                                         {1e-4, 1.0, 30.0, 1e-12, 0.0558957, 0.0559253},
                                                         {1e-4, 1.0, 100.0, 1e-12, 0.0675041, 0.0675421},
                                                         {1e-4, 1.0, 30.0, 1e-30, 2.13738, 2.13865},
                                                         {1e-4, 0.5, 30.0, 1e-30, 14.5332, 14.5358},
                                                         {1e-4, 0.7, 2.0, 1e-30, 6.81260, 6.81522}}) {
    INFO(p << " " << sigma << " " << T << " " << delta);
    const Ball::Precision bits(128);
    const Ball eps =
        contour_epsilon(subsampled_gaussian_moments(Ball(p), 1 / Ball(sigma), T), Ball(delta), {.width = 0.9e-6});
    REQUIRE(eps.finite());
    CHECK(eps.upper() - eps.lower() <= 1e-6 * eps.upper());
    CHECK(lower <= eps.lower());
    CHECK(eps.upper() <= upper);
  }
  // The two directions of Poisson sampling are divided at other places.
  for (const auto& [law, moments] :
       {std::pair{&poisson_removed, &poisson_removed_moments}, std::pair{&poisson_added, &poisson_added_moments}}) {
    const Bracket lattice = composed_epsilon({{law(Ball(1e-3), Ball(1)), 20}}, Ball(1e-8), {.width = 3e-3});
    const Ball contour = contour_epsilon(moments(Ball(1e-3), Ball(1), 20), Ball(1e-8), {.width = 1e-5});
    INFO(lattice.lower << " " << lattice.upper << " " << contour.midpoint());
    REQUIRE(contour.finite());
    CHECK(contour.lower() <= lattice.upper);
    CHECK(lattice.lower <= contour.upper());
  }
}

TEST_CASE("two and three steps by plain integration over the last one, and by the contour") {
  // E delta_1(eps - X) over the losses X of one step more, in double
  const double p = 0.01, mu = 1, atom = (1 - p) * std::erf(mu / std::sqrt(8.0));
  const auto any_sign = [](const auto& right, double eps) {  // by the symmetry of the pair
    return eps >= 0 ? right(eps) : -std::expm1(eps) + std::exp(eps) * right(-eps);
  };
  const auto above = [](double x) { return std::erfc(x / std::sqrt(2.0)) / 2; };
  const auto one = [&](double eps) {
    const auto right = [&](double e) {
      const double t = std::log1p(std::expm1(e) / p) / mu + mu / 2;
      return (1 - p) * above(t) + p * above(t - mu) - std::exp(e) * above(t);
    };
    return any_sign(right, eps);
  };
  const auto step = [&](const auto& delta, double eps) {
    const auto right = [&](double e) {
      double sum = atom * delta(e);
      const int n = 200;
      const auto part = [&](double from, double to) {  // Simpson's rule, broken where X = eps
        const double h = (to - from) / n;
        for (int i = 0; i <= n; ++i) {
          const double s = from + i * h, t = mu / 2 + s, l = std::log1p(p * std::expm1(mu * s));
          const double weight = (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * h / 3;
          sum += weight * std::exp(-t * t / 2) / std::sqrt(2 * M_PI) * (std::exp(l) * delta(e - l) + delta(e + l));
        }
      };
      const double turn = std::log1p(std::expm1(e) / p) / mu;
      part(0, turn / 2);
      part(turn / 2, turn);
      part(turn, 14);
      return sum;
    };
    return any_sign(right, eps);
  };
  const auto two = [&](double eps) { return step(one, eps); };
  const auto found = [&](double T, double eps) {
    const Ball::Precision bits(128);
    const Ball delta = contour_delta(subsampled_gaussian_moments(Ball(p), Ball(mu), T), Ball(eps), {.width = 1e-4});
    REQUIRE(delta.finite());
    CHECK(delta.upper() - delta.lower() <= 1e-4 * delta.upper());
    return delta.midpoint();
  };
  CHECK(found(2, 0.3) == doctest::Approx(two(0.3)).epsilon(1e-4));
  CHECK(found(3, 0.3) == doctest::Approx(step(two, 0.3)).epsilon(1e-4));
}

TEST_CASE("delta by the lattice and by the contour agree along a curve") {
  const std::vector<Repeated> laws{{subsampled_gaussian(Ball(0.01), Ball(1)), 1000}};
  double before = 1;
  for (const double eps : {1.0, 1.7, 2.4, 2.9}) {
    INFO(eps);
    const Bracket lattice = composed_delta(laws, Ball(eps));
    const Ball contour = contour_delta(subsampled_gaussian_moments(Ball(0.01), Ball(1), 1000), Ball(eps));
    CHECK(lattice.lower <= lattice.upper);
    CHECK(lattice.lower <= before);
    REQUIRE(contour.finite());
    CHECK(contour.lower() <= lattice.upper);
    CHECK(lattice.lower <= contour.upper());
    CHECK(contour.upper() - contour.lower() <= 1e-5 * contour.upper());
    before = lattice.upper;
  }
}
