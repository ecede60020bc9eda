// Distributed check-in with Gaussian noise.
#include "bounds/theory/checkin/distributed.hpp"

#include <doctest/doctest.h>

#include <random>

#include "bounds/theory/shuffle/gaussian_reports.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

std::string random_point(std::mt19937& engine) {
  const auto draw = [&](double a, double b) {
    return Decimal::nearest(std::exp(std::uniform_real_distribution<>(std::log(a), std::log(b))(engine)), 2).text();
  };
  return "n=" + std::to_string(std::uniform_int_distribution<>(2, 300)(engine)) + " gamma=" + draw(0.05, 1) +
         " multiplier=" + draw(0.5, 20) + " lambda=" + std::to_string(std::uniform_int_distribution<>(2, 24)(engine));
}

}  // namespace

TEST_CASE("equation (10) is not above equation (11), and a quorum of one only conditions on K > 0") {
  std::mt19937 engine(3);
  for (int i = 0; i < 60; ++i) {
    const std::string where = random_point(engine);
    INFO(where);
    const Ball sum = at::proved("checkin2022-thm4", where);
    CHECK(!certainly(sum > at::proved("checkin2022-thm4-eq11", where)));
    CHECK(!certainly(sum > at::proved("checkin2022-thm4-quorum", where + " quorum=1")));
    CHECK(!certainly(sum > at::proved("checkin2022-thm4-dropout", where + " dropout=0")));
  }
}

TEST_CASE("order 2 of the worst data set: the exact divergence is below Theorem 4") {
  // Others at -1, the client at +1 or -1: m1(2) = sum_k w_k (k/n)^2 (e^{4/(k sigma^2)} - 1).
  const double n = 20, gamma = 0.3, sigma = 0.7;
  double m1 = 0;
  for (double k = 1; k <= n; ++k)
    m1 += std::exp(log_binomial_weight(n, k, gamma, 1 - gamma)) * k * k / (n * n) * std::expm1(4 / (k * sigma * sigma));
  CHECK(std::log1p(m1) < at::in_double("checkin2022-thm4", "n=20 gamma=0.3 multiplier=0.7 lambda=2"));
}

TEST_CASE("for a noisy sum the rate before dropout is not the safe one") {
  const std::string at_ = "n=20 multiplier=0.7 lambda=2 gamma=";
  CHECK(certainly(at::proved("checkin2022-thm4", at_ + "0.1") > at::proved("checkin2022-thm4", at_ + "1")));
  CHECK(certainly(at::proved("checkin2022-thm4-dropout", at_ + "1 dropout=0.9") >
                  at::proved("checkin2022-thm4", at_ + "0.1")));
}

TEST_CASE("removal with ideal noise at rate 1 is the Gaussian, lambda/(2 k sigma^2)") {
  CHECK(at::proved("epsilary-removal-gaussian", "per_round=50 gamma=1 multiplier=2 lambda=6").midpoint() ==
        doctest::Approx(6.0 / (2 * 50 * 4)).epsilon(1e-13));
}

TEST_CASE("the client's own noise costs more, and with many dimensions far more") {
  const std::string at_ = "per_round=600 gamma=0.1 multiplier=1 lambda=8";
  const Ball ideal = at::proved("epsilary-removal-gaussian", at_);
  CHECK(certainly(ideal < at::proved("epsilary-removal-client", at_ + " dim=1")));
  CHECK(certainly(ideal * 1000 < at::proved("epsilary-removal-client", at_ + " dim=1000000")));
}

TEST_CASE("between integer orders the chord of Theorem 4 lies between its ends") {
  const std::string at_ = "n=1000 gamma=0.05 multiplier=3 lambda=";
  const Ball chord = at::proved("checkin2022-thm4-real", at_ + "3.5");
  CHECK(certainly(chord > at::proved("checkin2022-thm4", at_ + "3")));
  CHECK(certainly(chord < at::proved("checkin2022-thm4", at_ + "4")));
}

TEST_CASE("removal is below replacement at the same quorum") {
  const std::string at_ = "n=2000 gamma=0.05 multiplier=1 quorum=50 lambda=";
  for (const char* lambda : {"2", "4", "16"})
    CHECK(certainly(at::proved("checkin2022-thm4-removal", at_ + lambda) <
                    at::proved("checkin2022-thm4-quorum", at_ + lambda)));
}

TEST_CASE("extremes of the noise and of the order give digits") {
  for (const char* where :
       {"n=300 gamma=0.1 multiplier=0.01 lambda=64", "n=300 gamma=0.1 multiplier=1000 lambda=512",
        "n=1000000000000 gamma=1e-11 multiplier=1 lambda=16", "n=200 gamma=0.5 multiplier=1 T=1000000000 delta=1e-300"})
    for (const char* id : {"checkin2022-thm4", "checkin2022-thm4-eq11"}) {
      INFO(id << " " << where);
      CHECK(at::evaluated(id, where).certified);
    }
  CHECK(at::refusal("checkin2022-thm4", "n=10 gamma=0.1 multiplier=0 lambda=2") ==
        "multiplier must satisfy multiplier > 0 (got 0)");
  CHECK(at::evaluated("checkin2022-thm4", "n=10 gamma=0.1 multiplier=1 lambda=2.5").status == Status::outside);
  CHECK(at::refusal("checkin2022-thm4-removal-client", "n=99 gamma=0.1 multiplier=1 quorum=5 dim=1 lambda=8") ==
        "lambda <= quorum");
}

TEST_CASE("the shuffled Gaussian of one report is the Gaussian, and a second report hides") {
  const double one = at::in_double("epsilary-shuffled-gaussian", "sigma=2 n=1 lambda=7");
  CHECK(one == doctest::Approx(7.0 / 8).epsilon(1e-13));
  double before = one;
  for (const char* n : {"2", "3", "5", "20", "1000"}) {
    const double now = at::in_double("epsilary-shuffled-gaussian", std::string("sigma=2 lambda=7 n=") + n);
    CHECK(now < before);
    before = now;
  }
}

TEST_CASE("order 2 of the shuffled Gaussian is (e^{1/sigma^2} - 1)/n, also where 1 + it is 1 in double") {
  CHECK(at::in_double("epsilary-shuffled-gaussian", "sigma=1000 n=1000000000000 lambda=2") ==
        doctest::Approx(std::expm1(1e-6) * 1e-12).epsilon(1e-13));
  CHECK(1 + std::expm1(1e-6) * 1e-12 == 1);
}

TEST_CASE("both ways to the power of the series agree where they meet") {
  using shuffled_gaussian::Shuffled;
  // At lambda = 12 the recurrence is used from k = 5 on, multiplication below; compare with order-by-order growth in k.
  const Ball::Precision bits(200);
  const Shuffled<Ball> low(Ball(1), Ball(12)), high(Ball(1), Ball(13));
  const Ball by_recurrence = low(5, Ball(1)), by_product = high(5, Ball(1));
  CHECK(certainly(by_recurrence < by_product));
  CHECK(certainly(low(4, Ball(1)) > by_recurrence));
}
