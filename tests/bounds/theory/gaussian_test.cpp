#include "bounds/theory/gaussian.hpp"

#include <doctest/doctest.h>

#include <random>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/theory/concentrated.hpp"
#include "tests/bounds/theory/reflected.hpp"
#include "tests/reference/reference.hpp"

using namespace epsilary::bounds;

namespace {

Evaluation at(const std::string& id, const std::string& params) {
  const Point point = reference::parse_point(params);
  const Bound* form = form_for(named(id), point);
  REQUIRE_MESSAGE(form != nullptr, id << " " << params);
  return evaluate(*form, point);
}

double value(const std::string& id, const std::string& params) {
  const Evaluation e = at(id, params);
  REQUIRE_MESSAGE(e.certified, e.reason);
  return e.answer().value.midpoint();
}

std::string refusal(const std::string& id, const std::string& params) {
  const Evaluation e = at(id, params);
  return e.status == Status::outside ? e.reason : "";
}

}  // namespace

TEST_CASE("equation (6) term by term, and its reflection at negative epsilon") {
  const Ball::Precision bits(200);
  const Ball mu(2), eps(1);
  const Ball printed = normal_cdf(Ball(-0.5) + 1) - exp(eps) * normal_cdf(Ball(-0.5) - 1);
  CHECK(gdp_delta(eps, mu).overlaps(printed));
  CHECK(gdp_delta_reflected(-eps, mu).overlaps(Ball(Decimal("0.8196881814042136304498677828674560475852").exact())) ==
        false);  // a rounded decimal is not the number itself
  CHECK(certainly(abs(gdp_delta_reflected(-eps, mu) -
                      Ball(Decimal("0.8196881814042136304498677828674560475852").exact())) < Ball(1e-39)));
}

TEST_CASE("the Mills ratio keeps the digits that subtracting two probabilities loses") {
  const double eps = 3e-7, mu = 1e-7;
  const double naive = 0.5 * std::erfc((eps / mu - mu / 2) / std::sqrt(2.0)) -
                       std::exp(eps) * 0.5 * std::erfc((eps / mu + mu / 2) / std::sqrt(2.0));
  const Ball::Precision bits(200);
  const double exact = gdp_delta(Ball(eps), Ball(mu)).midpoint();
  CHECK(std::abs(gdp_delta(eps, mu) / exact - 1) < 1e-13);
  CHECK(std::abs(naive / exact - 1) > 1e-10);
}

TEST_CASE("delta, epsilon and mu of Gaussian privacy invert one another") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 60; ++i) {
    const double mu = std::exp(-6 + 9 * unit(random)), delta = std::pow(10, -1 - 40 * unit(random));
    const double eps = gdp_epsilon(delta, mu);
    if (eps <= 0) continue;
    INFO(mu << " " << delta << " " << eps);
    CHECK(std::abs(gdp_log_delta(eps, mu) / std::log(delta) - 1) < 1e-10);
    CHECK(std::abs(gdp_mu(eps, delta) / mu - 1) < 1e-9);
    const Ball::Precision bits(128);
    CHECK(gdp_epsilon(Ball(delta), Ball(mu)).contains(Ball(eps)) == false);
    CHECK(std::abs(gdp_epsilon(Ball(delta), Ball(mu)).midpoint() / eps - 1) < 1e-11);
  }
}

TEST_CASE("the profile is the conjugate of the trade-off function") {
  for (const double mu : {0.3, 1.0, 4.0})
    for (const double eps : {0.0, 0.5, 2.0}) {
      double best = 0;
      for (double t = -12; t < 12; t += 1e-3) {
        const double alpha = normal_cdf(t);
        best = std::max(best, normal_cdf(t + mu) - std::exp(eps) * alpha);  // 1 - G_mu(alpha) - e^eps alpha
      }
      CHECK(best <= gdp_delta(eps, mu) * (1 + 1e-12));
      CHECK(best > gdp_delta(eps, mu) * (1 - 1e-5));
    }
}

TEST_CASE("G_mu is its own inverse, falls with mu, and a group of g is G_{g mu} exactly") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit;
  const Ball::Precision bits(256);
  for (int i = 0; i < 30; ++i) {
    const double mu = 3 * unit(random), alpha = unit(random);
    const Ball once = gdp_tradeoff(Ball(alpha), Ball(mu));
    CHECK(gdp_tradeoff(once, Ball(mu)).overlaps(Ball(alpha)));
    CHECK(certainly(gdp_tradeoff(Ball(alpha), Ball(1.1) * Ball(mu) + Ball(0.01)) < once));
    Ball x(alpha);  // 1 - (1 - G_mu)^{o 3}, iterated
    for (int g = 0; g < 3; ++g) x = 1 - gdp_tradeoff(x, Ball(mu));
    const Ball iterated = 1 - x, closed = gdp_tradeoff(Ball(alpha), Ball(3) * Ball(mu));
    CHECK(iterated.overlaps(closed));
    CHECK(certainly(abs(iterated - closed) < Ball(1e-60)));
  }
}

TEST_CASE("the group of an (epsilon, delta) mechanism starts on the sharp pair") {
  const Ball::Precision bits(200);
  const Ball eps(0.1), delta(0.001), g(4), alpha(0.02);
  const Ball line = 1 - group_delta_sharp(eps, delta, g) - exp(g * eps) * alpha;
  CHECK(group_tradeoff(alpha, eps, delta, g).overlaps(line));
  CHECK(certainly(group_delta_sharp(eps, delta, g) < group_delta(eps, delta, g)));
}

TEST_CASE("C_p is between f and the identity, monotone in p, symmetric and convex") {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 40; ++i) {
    const double mu = 0.1 + 3 * unit(random), p = unit(random), a = unit(random);
    INFO(mu << " " << p << " " << a);
    const double c = subsampled_tradeoff(a, p, mu);
    CHECK(c >= gdp_tradeoff(a, mu) - 1e-14);
    CHECK(c <= 1 - a + 1e-14);
    CHECK(subsampled_tradeoff(a, p * 0.9, mu) >= c - 1e-14);
    CHECK(std::abs(subsampled_tradeoff(c, p, mu) - a) < 1e-10);
    CHECK(std::abs(subsampled_tradeoff(a, 1.0, mu) - gdp_tradeoff(a, mu)) < 1e-12);
    CHECK(subsampled_tradeoff(a, 0.0, mu) == doctest::Approx(1 - a));
    const double h = 0.3 * std::min(a, 1 - a);
    CHECK(subsampled_tradeoff(a - h, p, mu) + subsampled_tradeoff(a + h, p, mu) >= 2 * c - 1e-13);
  }
}

TEST_CASE("C_p is the convex hull of the smaller of f_p and its inverse") {
  const double p = 0.3, mu = 1.2;
  std::vector<std::pair<double, double>> hull;
  const auto above = [](auto a, auto b, auto c) {
    return (b.second - a.second) * (c.first - a.first) >= (c.second - a.second) * (b.first - a.first);
  };
  for (int i = 0; i <= 2000; ++i) {
    const double a = i / 2000.0;
    const std::pair point{a, std::min(mixed_tradeoff(a, p, mu), mixed_tradeoff_inverse(a, p, mu))};
    while (hull.size() > 1 && above(hull[hull.size() - 2], hull.back(), point)) hull.pop_back();
    hull.push_back(point);
  }
  for (const auto& [a, b] : hull) CHECK(std::abs(b - subsampled_tradeoff(a, p, mu)) < 2e-6);
}

TEST_CASE("truncated concentration meets plain concentration at its junction, and both conversions nest") {
  const Ball::Precision bits(200);
  const Ball rho(0.01), omega(10);
  CHECK(tcdp_tail(rho, omega, 2 * rho * (omega - 1)).overlaps(exp(-rho * (omega - 1) * (omega - 1))));
  for (const double r : {1e-5, 0.1, 5.0})
    for (const double d : {1e-3, 1e-9, 1e-30}) {
      CHECK(zcdp_epsilon(r, d) <= zcdp_epsilon_simple(r, d));
      CHECK(zcdp_epsilon(r, d) <= tcdp_epsilon(r, 20.0, d) + 1e-12);
      CHECK(tcdp_epsilon(r, 20.0, d) <= tcdp_epsilon_simple(r, 20.0, d) + 1e-12);
      const double mu = std::sqrt(2 * r);  // mu-GDP is mu^2/2-zCDP
      CHECK(gdp_epsilon(d, mu) <= zcdp_epsilon(r, d));
    }
}

TEST_CASE("the central limit keeps its leading term where the printed sum cancels") {
  const double sigma = 1e6, u = 1 / sigma;
  const double printed = std::exp(u * u) * normal_cdf(1.5 * u) + 3 * normal_cdf(-0.5 * u) - 2;
  CHECK(std::abs(clt_factor(sigma) * sigma - 1) < 1e-6);
  CHECK(std::abs(std::sqrt(std::max(0.0, 2 * printed)) * sigma - 1) > 1e-6);
}

TEST_CASE("the printed h is violated by the mixture it describes") {
  const double exact = value("vandijk2022-a1", "n=10000 batch=100 epochs=10 sigma=5 eps=4");
  const double h = value("vandijk2022-a1-h", "epochs=10 sigma=5");
  CHECK(exact == doctest::Approx(7.0e-8).epsilon(0.01));
  CHECK(gdp_delta(4.0, h) == doctest::Approx(4.4e-9).epsilon(0.01));
}

TEST_CASE("the last epoch at sigma/sqrt(E + 1) doubles the budget") {
  const Ball::Precision bits(200);
  const Ball E(50), sigma(10), g(3);
  CHECK(adaptive_mu(E, sigma, Ball(sigma / sqrt(E + 1)), g).overlaps(sqrt(2 * g * E) / sigma));
}

TEST_CASE("the steps the claimed noise allows, by the central limit theorem") {
  for (const auto& [eps, factor] : {std::pair{8.0, 2.26}, {1.0, 3.04}, {0.1, 4.66}, {0.01, 7.63}}) {
    const double sigma = claimed_sigma(eps, 1e-5), mu = gdp_mu(eps, 1e-5);
    const double steps = std::pow(mu / clt_factor(sigma), 2);  // T (batch/n)^2
    CHECK(steps / (eps / 2) == doctest::Approx(factor).epsilon(0.003));
  }
}

TEST_CASE("Gaussian statements refuse what they cannot answer and say why") {
  CHECK(refusal("vandijk2022-gdp-delta", "mu=0 eps=1").find("mu > 0") != std::string::npos);
  CHECK(refusal("vandijk2022-gdp-epsilon", "mu=1 delta=1").find("delta < 1") != std::string::npos);
  CHECK(refusal("vandijk2022-gdp-tradeoff", "mu=1 alpha=1.5").find("alpha <= 1") != std::string::npos);
  CHECK(refusal("vandijk2022-a1", "n=100 batch=200 epochs=2 sigma=1 eps=1").find("batch <= n") != std::string::npos);
  CHECK(refusal("vandijk2022-a1", "n=100 batch=10 sigma=1 eps=1").find("T or epochs") != std::string::npos);
  CHECK(refusal("vandijk2022-a1", "n=100 batch=10 T=5 sigma=-1 eps=1").find("sigma > 0") != std::string::npos);
}
