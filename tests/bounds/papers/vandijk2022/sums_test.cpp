// What adds up over rounds, segments and groups, against small cases written out.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "bounds/core/evaluate.hpp"
#include "bounds/theory/dpsgd/composed.hpp"
#include "bounds/theory/gaussian.hpp"
#include "bounds/theory/gaussian_tradeoff.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

using Law = std::vector<double>;

double divergence(const Law& p, const Law& q, double order) {
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += q[k] * std::pow(p[k] / q[k], order);
  return std::log(sum) / (order - 1);
}

// delta of one step C_q(G_mu) at any eps: the pair is symmetric.
double step_delta(double eps, double q, double mu) {
  if (eps >= 0) return q * gdp_delta(std::log1p(std::expm1(eps) / q), mu);
  return 1 - std::exp(eps) * (1 - step_delta(-eps, q, mu));
}

// delta of C_q(G_mu) and of another step after it: the losses of the first, log r with r = 1 + q (U - 1) on U > 1, by
// the trapezoidal rule.
double two_steps(double eps, double q, double mu, double q2, double mu2) {
  const double width = 1e-3;
  double sum = 0, rest = 1;
  for (int i = 0; i <= 12000; ++i) {
    const double x = mu / 2 + i * width,
                 weight = (i == 0 ? width / 2 : width) * std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
    const double loss = std::log1p(q * std::expm1(mu * x - mu * mu / 2));
    sum += weight * (std::exp(loss) * step_delta(eps - loss, q2, mu2) + step_delta(eps + loss, q2, mu2));
    rest -= weight * (1 + std::exp(loss));
  }
  return sum + rest * step_delta(eps, q2, mu2);
}

}  // namespace

TEST_CASE("segments of DP-SGD with noise and rate of their own cost what two integrals say") {
  const auto kinds = [](double q, double sigma, double q2, double sigma2) {
    return std::vector<dpsgd::SampledSteps>{{Ball(sigma), Ball(q), 1}, {Ball(sigma2), Ball(q2), 1}};
  };
  for (const auto& [q, sigma, q2, sigma2, eps] : std::initializer_list<std::array<double, 5>>{
           {0.25, 0.5, 0.5, 1, 0.5}, {0.125, 1, 0.75, 2, 0.25}, {0.5, 2, 1, 1, 1}}) {
    const double truth = two_steps(eps, q, 1 / sigma, q2, 1 / sigma2);
    const Ball found = dpsgd::composed_kinds(kinds(q, sigma, q2, sigma2), dpsgd::Sampling::fixed_size,
                                             {.eps = Ball(eps)}, {.width = 1e-3, .work = 1e8});
    INFO(q << " " << sigma << " " << q2 << " " << sigma2 << " " << eps << " " << found.lower() << " " << found.upper());
    CHECK(found.lower() <= truth * (1 + 1e-5));
    CHECK(found.upper() >= truth * (1 - 1e-5));
    CHECK(found.upper() <= found.lower() * 1.01);
  }
}

TEST_CASE("segments of one kind are one segment") {
  const Request request{.width = 1e-3, .work = 1e8};
  const std::vector<dpsgd::SampledSteps> parts{{Ball(1), Ball(0.015625), 60}, {Ball(1), Ball(0.015625), 40}};
  const Ball found = dpsgd::composed_kinds(parts, dpsgd::Sampling::fixed_size, {.delta = Ball(1e-6)}, request);
  Values<Ball> x(reference::parse_point("q=0.015625 sigma=1 T=100 delta=1e-6"));
  CHECK(found.overlaps(dpsgd::composed_fixed_size(x, request)));
}

TEST_CASE("tCDP of a group: a chain of neighbours with rho below omega has g^2 rho below omega/g") {
  std::mt19937_64 random(18);
  std::uniform_real_distribution<double> uniform(0.02, 1);
  double closest = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Law> chain(4, Law(3));
    for (Law& law : chain) {
      double sum = 0;
      for (double& x : law) sum += x = trial % 2 ? uniform(random) : 1 + 0.1 * uniform(random);
      for (double& x : law) x /= sum;
    }
    const double omega = 2 + 10 * uniform(random);
    double rho = 0;
    for (double order = 1.001; order < omega; order += 0.01)
      for (std::size_t i = 0; i + 1 < chain.size(); ++i)
        rho = std::max({rho, divergence(chain[i], chain[i + 1], order) / order,
                        divergence(chain[i + 1], chain[i], order) / order});
    for (const std::size_t g : {2U, 3U})
      for (double order = 1.01; order < omega / double(g); order += 0.1) {
        const double share = divergence(chain[0], chain[g], order) / (double(g * g) * rho * order);
        CHECK(share <= 1.02);  // the orders of rho are a grid
        closest = std::max(closest, share);
      }
  }
  CHECK(closest > 0.3);
  CHECK(at::number("vandijk2022-tcdp-compose", "rho=0.1 omega=20 T=10 group=3") == doctest::Approx(9));
  for (const char* rounds : {"T=10", "T=10 group=2"}) {
    const bool alone = rounds == std::string("T=10");
    CHECK(at::proved("vandijk2022-tcdp-compose", std::string("rho=0.01 omega=20 delta=1e-6 ") + rounds)
              .overlaps(at::proved("vandijk2022-tcdp",
                                   alone ? "rho=0.1 omega=20 delta=1e-6" : "rho=0.4 omega=10 delta=1e-6")));
    CHECK(at::proved("vandijk2022-zcdp-compose", std::string("rho=0.01 delta=1e-6 ") + rounds)
              .overlaps(at::proved("vandijk2022-zcdp", alone ? "rho=0.1 delta=1e-6" : "rho=0.4 delta=1e-6")));
  }
  CHECK(at::refusal("vandijk2022-tcdp-compose", "rho=0.1 omega=2 T=1 group=2").starts_with("omega > group"));
}

TEST_CASE("a group under batch clipping is met as often as counting subsets says") {
  // n = 6, batches of 2, a group of 2: C(4, 2) of C(6, 2) batches meet nobody.
  const double missed = 6.0 / 15;
  for (const double eps : {0.1, 1.0}) {
    double truth = 0;
    for (const auto& [c, weight] : {std::pair{1, 2 * missed * (1 - missed)}, {2, (1 - missed) * (1 - missed)}})
      truth += weight * gdp_delta(eps, std::sqrt(double(c)) / 2);
    const std::string where = "n=6 batch=2 sigma=2 T=2 eps=" + std::to_string(eps);
    CHECK(at::number("vandijk2022-a1-group", where + " group=2") == doctest::Approx(truth).epsilon(1e-9));
    CHECK(at::proved("vandijk2022-a1-group", where + " group=1").overlaps(at::proved("vandijk2022-a1", where)));
  }
}

TEST_CASE("two records share a batch of a partition as often as counting partitions says") {
  // Four records in two batches of two: one of three partitions has both.
  const double met = 1.0 / 3;
  for (const double eps : {0.5, 2.0}) {
    const double truth = (1 - met) * (1 - met) * gdp_delta(eps, 2.0 / 3) +
                         2 * met * (1 - met) * gdp_delta(eps, std::sqrt(6) / 3) +
                         met * met * gdp_delta(eps, std::sqrt(8) / 3);
    const std::string where = " sigma=3 epochs=2 eps=" + std::to_string(eps);
    CHECK(at::number("vandijk2022-group-two", "n=4 batch=2" + where) == doctest::Approx(truth).epsilon(1e-9));
    // Always together, and never.
    CHECK(at::number("vandijk2022-group-two", "n=4 batch=4" + where) ==
          doctest::Approx(gdp_delta(eps, std::sqrt(8) / 3)));
    CHECK(at::number("vandijk2022-group-two", "n=4 batch=1" + where) == doctest::Approx(gdp_delta(eps, 2.0 / 3)));
  }
}

TEST_CASE("the composed trade-off function of a group lies below G_{g mu}, near it") {
  for (const char* alpha : {"0.01", "0.1", "0.4"}) {
    const std::string at_alpha = std::string(" alpha=") + alpha;
    const Evaluation e = at::evaluated("vandijk2022-composed-tradeoff", "q=1 sigma=20 T=25 group=3" + at_alpha, 6);
    REQUIRE(e.certified);
    const double line = e.answer().value.lower(), exact = at::number("vandijk2022-gdp-tradeoff", "mu=0.75" + at_alpha);
    CHECK(line <= exact);
    CHECK(line >= exact - 0.02);
  }
}

TEST_CASE("C_q of (eps, delta) is the hull of min{f_q, its inverse}") {
  const double eps = 1.2, delta = 0.05;
  for (const double q : {0.1, 0.5, 1.0}) {
    const int points = 4000;
    const auto f = [&](double a) { return q * approximate_tradeoff(a, eps, delta) + (1 - q) * (1 - a); };
    std::vector<std::pair<double, double>> hull;
    const auto add = [&](std::pair<double, double> p) {  // the lower hull, from left to right
      while (hull.size() > 1) {
        const auto& [x1, y1] = hull[hull.size() - 2];
        const auto& [x2, y2] = hull.back();
        if ((x2 - x1) * (p.second - y1) > (y2 - y1) * (p.first - x1)) break;
        hull.pop_back();
      }
      hull.push_back(p);
    };
    for (int i = 0; i <= points; ++i) {
      const double a = double(i) / points;
      double low = 0, high = 1;  // the least b with f(b) <= a
      for (int k = 0; k < 60; ++k) (f((low + high) / 2) <= a ? high : low) = (low + high) / 2;
      add({a, std::min(f(a), high)});
    }
    for (const auto& [a, b] : hull)
      CHECK(subsampled_approximate_tradeoff(a, q, eps, delta) == doctest::Approx(b).epsilon(1e-3));
    CHECK(subsampled_approximate_tradeoff(0.3, 1.0, eps, delta) ==
          doctest::Approx(approximate_tradeoff(0.3, eps, delta)).epsilon(1e-12));
  }
}

TEST_CASE("the posterior at every slot is the printed one, and the steps add up to no more than the whole run") {
  const double eps0 = 0.7, m = 9;
  for (int i = 1; i <= 9; ++i) {
    const std::string slot = " T=" + std::to_string(i);
    const double q = std::exp(eps0) / (m * std::exp(eps0) - std::expm1(eps0) * (i - 1));
    CHECK(at::number("balle2020-posterior", "eps0=0.7 m=9" + slot) == doctest::Approx(q).epsilon(1e-12));
    CHECK(at::number("balle2020-step", "eps0=0.7 m=9 p0=0.5" + slot) ==
          doctest::Approx(std::log1p(0.5 * q * std::expm1(eps0))).epsilon(1e-12));
    const double e = std::exp(-eps0), swap = i == 1 ? 1 / m : 1 / (1 + (i - 2) * e * e + (m - i + 1) * e);
    CHECK(at::number("balle2020-swap-posterior", "eps0=0.7 n=9" + slot) == doctest::Approx(swap).epsilon(1e-12));
  }
  CHECK(at::proved("balle2020-posterior", "eps0=0.7 m=9 T=9")
            .overlaps(at::proved("balle2020-posterior", "eps0=0.7 m=9")));
  CHECK(at::refusal("balle2020-posterior", "eps0=1 m=9 T=10").starts_with("T is one of the slots"));
}
