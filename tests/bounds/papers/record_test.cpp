// What the papers say beside their theorems: small cases written out, and what must lie between what.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/theory/gaussian.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using epsilary::bounds::Side;

namespace {

// (1 - r) Q + r P against Q at e^eps, for a profile delta(eps) of (P, Q).
template <class Profile>
double subsampled(double rate, double eps, Profile profile) {
  return rate > 0 ? rate * profile(std::log1p(std::expm1(eps) / rate)) : 0;
}

// The safe end of a bracket at the usual digits.
double safe(const std::string& id, const std::string& params) {
  const Evaluation e = at::evaluated(id, params, 6);
  REQUIRE_MESSAGE(e.certified, id << " at " << params << ": " << e.reason);
  const Ball& x = e.answer().value;
  return at::form(id, params).side == Side::lower ? x.lower() : x.upper();
}

}  // namespace

TEST_CASE("few bits: whatever subspace is decoded into, some vector of the ball is as far from it as the width says") {
  // d = 3 and one bit: the decoded vectors span a line V. sup |Pi x| over |x|_p <= 1 is sup |y|_p' over unit y
  // orthogonal to V, a circle.
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const double p : {2.0, 2.5, 4.0, 8.0}) {
    const double dual = p / (p - 1),
                 bound = at::number("epsilary-few-bits", "radius=1 dim=3 bits=1 norm=" + std::to_string(p));
    CHECK(bound == doctest::Approx(std::pow(2, 1 - 2 / p)));
    double least = 100;
    for (int trial = 0; trial < 400; ++trial) {
      std::array<double, 3> v{normal(random), normal(random), normal(random)};
      if (trial == 0) v = {0, 0, 1};
      const double norm = std::hypot(v[0], v[1], v[2]);
      for (double& c : v) c /= norm;
      std::array<double, 3> a{-v[1], v[0], 0};
      if (std::hypot(a[0], a[1]) < 1e-9) a = {1, 0, 0};
      const double length = std::hypot(a[0], a[1], a[2]);
      for (double& c : a) c /= length;
      const std::array<double, 3> b{v[1] * a[2] - v[2] * a[1], v[2] * a[0] - v[0] * a[2], v[0] * a[1] - v[1] * a[0]};
      double most = 0;
      for (int i = 0; i < 720; ++i) {
        double sum = 0;
        for (int c = 0; c < 3; ++c) {
          const auto k = static_cast<std::size_t>(c);
          sum += std::pow(std::abs(std::cos(i * M_PI / 720) * a[k] + std::sin(i * M_PI / 720) * b[k]), dual);
        }
        most = std::max(most, std::pow(sum, 2 / dual));
      }
      least = std::min(least, most);
    }
    CHECK(least >= bound * (1 - 1e-4));
    CHECK(least <= bound * 1.001);  // a coordinate axis attains it
  }
}

TEST_CASE("several messages of a client: the sampling of Remark 1 written out") {
  // Two clients with two records, all four messages sent (s = 2) and two of them kept (k = 1); or one of each sent
  // (s = 1) and one or two kept. Binary response; the record in question is 1 or 0, the others anything.
  const double eps0 = 1, p = std::exp(eps0) / (1 + std::exp(eps0));
  for (const auto& [samples, kept] : {std::array{2, 2}, std::array{2, 4}, std::array{1, 1}, std::array{1, 2}}) {
    const std::string where = "eps0=1 clients=2 records=2 samples=" + std::to_string(samples) +
                              " per_round=" + std::to_string(kept / samples) + " T=1 eps=";
    for (const double eps : {0.05, 0.2, 0.5}) {
      double most = 0;
      for (int others = 0; others < 8; ++others) {
        std::array<std::vector<double>, 2> law;  // of the number of ones
        for (int record : {0, 1}) {
          std::vector<double>& ones = law[static_cast<std::size_t>(record)];
          ones.assign(5, 0);
          const std::array<int, 4> data{record, others & 1, (others >> 1) & 1, (others >> 2) & 1};
          double cases = 0;
          std::vector<double> sum(5, 0);
          for (int sent = 0; sent < 16; ++sent) {  // records 0, 1 of the first client, 2, 3 of the second
            if ((sent & 1) + ((sent >> 1) & 1) != samples || ((sent >> 2) & 1) + ((sent >> 3) & 1) != samples) continue;
            for (int chosen = 0; chosen < 16; ++chosen) {
              if ((chosen & ~sent) != 0 || __builtin_popcount(static_cast<unsigned>(chosen)) != kept) continue;
              std::vector<double> count{1, 0, 0, 0, 0};
              for (std::size_t i = 0; i < 4; ++i) {
                if (!((chosen >> i) & 1)) continue;
                const double one = data[i] ? p : 1 - p;
                for (std::size_t j = 4; j > 0; --j) count[j] = count[j] * (1 - one) + count[j - 1] * one;
                count[0] *= 1 - one;
              }
              for (std::size_t j = 0; j < 5; ++j) sum[j] += count[j];
              ++cases;
            }
          }
          for (std::size_t j = 0; j < 5; ++j) ones[j] = sum[j] / cases;
        }
        for (const int first : {0, 1}) {
          double excess = 0;
          for (std::size_t j = 0; j < 5; ++j)
            excess += std::max(0.0, law[static_cast<std::size_t>(first)][j] -
                                        std::exp(eps) * law[static_cast<std::size_t>(1 - first)][j]);
          most = std::max(most, excess);
        }
      }
      const std::string point = where + std::to_string(eps);
      CHECK(most <= safe("epsilary-cldp-sgd-pooled-pld", point) + 1e-12);
      CHECK(safe("epsilary-lower-cldp-sgd-pooled", point) <= most * (1 + 1e-6) + 1e-12);
    }
  }
  CHECK(at::refusal("girgis2021-remark1", "eps0=1 clients=10 records=2 per_round=2 samples=3 T=1 delta=1e-6") ==
        "samples <= records");
}

TEST_CASE("Gaussian reports of shuffled check-in: one round is its mixture over the check-ins") {
  for (const double sigma : {0.7, 1.0, 3.0})
    for (const double eps : {0.1, 0.5}) {
      const auto profile = [&](double e) { return gdp_delta(e, 1 / sigma); };
      const std::string noise = " sigma=" + std::to_string(sigma) + " T=1 eps=" + std::to_string(eps);
      // All of one client; and each of two with probability 1/2.
      const double alone = safe("epsilary-shuffled-checkin-gaussian-pld", "n=1 gamma=1" + noise);
      CHECK(alone >= profile(eps) * (1 - 1e-9));
      CHECK(alone <= profile(eps) * 1.01);
      const double two = 0.5 * subsampled(0.5, eps, profile) + 0.25 * profile(eps);
      const double found = safe("epsilary-shuffled-checkin-gaussian-pld", "n=2 gamma=0.5" + noise);
      CHECK(found >= two * (1 - 1e-9));
      CHECK(found <= two * 1.01);
    }
}

TEST_CASE(
    "an approximate randomizer of shuffled check-in costs more than a pure one, and nothing without room for it") {
  const std::string run = " n=1e4 gamma=0.1 T=10 delta=1e-6";
  CHECK(safe("epsilary-shuffled-checkin-2eps0-pld", "eps0=0.25 delta0=1e-15" + run) >
        safe("epsilary-shuffled-checkin-blanket-pld", "eps0=0.5" + run));
  CHECK(safe("epsilary-shuffled-checkin-2eps0-pld", "eps0=0.25 delta0=0" + run) <
        1.1 * safe("epsilary-shuffled-checkin-blanket-pld", "eps0=0.5" + run));
  CHECK(at::refusal("epsilary-shuffled-checkin-2eps0-pld", "eps0=0.25 delta0=1e-10" + run) ==
        "room in delta for what delta0 costs");
}

TEST_CASE("the composed trade-off function lies below what it is made of, and touches it") {
  // Full batches: T Gaussian mechanisms.
  for (const char* alpha : {"0.01", "0.1", "0.5", "0.9"}) {
    const double line = safe("vandijk2022-composed-tradeoff", std::string("q=1 sigma=5 T=25 alpha=") + alpha);
    const double exact = at::number("vandijk2022-gdp-tradeoff", std::string("mu=1 alpha=") + alpha);
    CHECK(line <= exact);
    CHECK(line >= exact - 0.02);
  }
  CHECK(safe("vandijk2022-composed-tradeoff", "q=0.1 sigma=1 T=1 alpha=0.1") <=
        at::number("vandijk2022-subsampled-tradeoff", "q=0.1 mu=1 alpha=0.1"));
}

TEST_CASE(
    "Gaussian noise as a randomizer of check-ins: no eps0 typed by hand does better, and none is worse than one "
    "report") {
  const double best = at::number("epsilary-fixed-gaussian", "sigma=2 m=1e5 p0=0.1 delta=1e-6");
  for (const double eps0 : {2.2, 2.5, 2.8, 3.2, 4.0}) {
    const double delta0 = gdp_delta(eps0, 0.5);
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "eps0=%.17g delta0=%.17g m=1e5 p0=0.1 delta=1e-6", eps0, delta0);
    const Evaluation e = at::evaluated("epsilary-fixed-clip", text.data());
    if (has_value(e.status)) CHECK(best <= e.answer().value.upper() * (1 + 1e-9));
  }
  CHECK(best < at::number("vandijk2022-gdp-epsilon", "mu=0.5 delta=1e-6"));
}

TEST_CASE("the noise for an epsilon is enough for it, and what is vacuous says so") {
  const std::string point = "eps=1 delta=1e-6 n=1e6 m=1e5 dim=100 lipschitz=1 radius=1";
  const Evaluation e = at::evaluated("epsilary-risk-fixed", point);
  REQUIRE(has_value(e.status));
  REQUIRE(e.answer().at.size() == 1);
  const double sigma = e.answer().at[0].value.midpoint() / 2;
  CHECK(at::number("epsilary-fixed-gaussian", "m=1e5 p0=0.1 delta=1e-6 sigma=" + std::to_string(sigma * 1.00001)) <= 1);
  CHECK(at::evaluated("balle2020-thm3.5", "radius=1 lipschitz=1 dim=100 noise=1 n=1e6 m=1e3 p0=1").status ==
        Status::vacuous);
  CHECK(at::evaluated("girgis2021-thm4", "radius=1 dim=1000 n=1 eps0=0.01").status == Status::vacuous);
  CHECK(at::evaluated("girgis2021-thm4", "radius=1 dim=1000 n=1e8 eps0=1").status == Status::ok);
}

TEST_CASE("optimal composition is never given a worse share of delta than one half") {
  for (const int T : {1, 3, 4, 5, 18, 100}) {
    const std::string run = "eps0=2 clients=60000 per_round=10000 delta=1e-5 T=" + std::to_string(T);
    for (const char* id : {"girgis2021-thm1-privacy-rr-optimal", "girgis2021-thm1-privacy-optimal"})
      CHECK(safe(id, run) <= safe(id, run + " share=0.5") * (1 + 1e-9));
  }
}
