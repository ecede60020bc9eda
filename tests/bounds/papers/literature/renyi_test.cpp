// Renyi privacy and its conversions.
#include "bounds/theory/renyi.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

TEST_CASE("the optimal conversion is never above Lemma 2, and Lemma 2 never above Mironov's") {
  std::mt19937 engine(7);
  const auto draw = [&](double a, double b) {
    return std::exp(std::uniform_real_distribution<>(std::log(a), std::log(b))(engine));
  };
  for (int i = 0; i < 100; ++i) {
    const std::string where = "rdp=" + Decimal::nearest(draw(1e-8, 5), 3).text() +
                              " lambda=" + Decimal::nearest(1 + draw(0.05, 400), 5).text() +
                              " delta=" + Decimal::nearest(draw(1e-12, 0.2), 2).text();
    INFO(where);
    const Ball optimal = at::proved("asoodeh2021-optimal", where), lemma2 = at::proved("checkin2022-lem2", where),
               first = at::proved("mironov2017-prop3", where);
    CHECK(!certainly(optimal > lemma2));
    CHECK(!certainly(lemma2 > first));
    CHECK(at::in_double("asoodeh2021-optimal", where) == doctest::Approx(optimal.midpoint()).epsilon(1e-9));
  }
}

TEST_CASE("the gain of the optimal conversion at small orders") {
  CHECK(at::proved("asoodeh2021-optimal", "rdp=0.05 lambda=2 delta=1e-6").midpoint() ==
        doctest::Approx(9.4587).epsilon(1e-4));
  CHECK(at::proved("checkin2022-lem2", "rdp=0.05 lambda=2 delta=1e-6").midpoint() ==
        doctest::Approx(12.479).epsilon(1e-4));
}

TEST_CASE("no pair that misses (eps, delta) has less divergence than the least") {
  std::mt19937 engine(11);
  std::uniform_real_distribution<> unit(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double r = unit(engine), q = unit(engine), lambda = 1.05 + 20 * unit(engine) * unit(engine),
                 eps = 3 * unit(engine);
    const double delta = r - std::exp(eps) * q;
    if (!(delta > 1e-9)) continue;
    const double moment = q * std::pow(r / q, lambda) + (1 - q) * std::pow((1 - r) / (1 - q), lambda);
    CHECK(renyi::least_divergence(lambda, eps, delta) <= std::log(moment) / (lambda - 1) * (1 + 1e-9));
  }
}

TEST_CASE("Lemma 3 in the printed direction is below the divergence of a mechanism it should bound") {
  // Randomised response at eps0 = 1 is (0.5, delta)-DP for this delta.
  const double delta = (std::exp(1.0) - std::exp(0.5)) / (1 + std::exp(1.0));
  const std::string where = "eps=0.5 delta=" + Decimal::nearest(delta, 15).text() + " lambda=4";
  CHECK(certainly(at::proved("checkin2022-lem3", where) < at::proved("mironov2017-response", "eps0=1 lambda=4")));
  CHECK(at::form("checkin2022-lem3", where).standing == Standing::unsound);
}

TEST_CASE("where lambda delta is one or more the certain event is best") {
  CHECK(at::proved("asoodeh2021-divergence", "eps=2 delta=0.1 lambda=10").midpoint() ==
        doctest::Approx(2 - std::log(0.9)).epsilon(1e-14));
  CHECK(certainly(at::proved("asoodeh2021-divergence", "eps=2 delta=0.0999999 lambda=10") <
                  at::proved("asoodeh2021-divergence", "eps=2 delta=0.1 lambda=10")));
}

TEST_CASE("randomised response tends to eps, eps tanh(eps/2) and lambda eps^2/2") {
  CHECK(at::in_double("mironov2017-response", "eps0=2 lambda=100000") == doctest::Approx(2).epsilon(1e-4));
  CHECK(at::in_double("mironov2017-response", "eps0=2 lambda=1.000001") ==
        doctest::Approx(2 * std::tanh(1.0)).epsilon(1e-5));
  CHECK(at::in_double("mironov2017-response", "eps0=1e-7 lambda=6") == doctest::Approx(3e-14).epsilon(1e-6));
}

TEST_CASE("composition before conversion is not above conversion before composition") {
  for (const char* eps0 : {"0.01", "0.1", "1"}) {
    const std::string e = std::string("eps0=") + eps0;
    CHECK(certainly(at::proved("mironov2017-response", e + " T=100 delta=1e-6") <
                    100 * at::proved("mironov2017-response", e + " T=1 delta=1e-8")));
  }
}

TEST_CASE("epsilon after T rounds is that of the order it reports, and no other order is better") {
  const Evaluation best = at::evaluated("mironov2017-gaussian", "mu=0.1 T=50 delta=1e-6", 12);
  REQUIRE(best.answer().at.size() == 1);
  for (const char* lambda : {"2", "5", "7.5", "8", "9", "20", "100"})
    CHECK(!certainly(at::proved("mironov2017-gaussian", std::string("mu=0.1 T=50 delta=1e-6 lambda=") + lambda) <
                     best.answer().value));
  const std::string again = decimal(best.answer().at[0].value, 12, Rounding::up);
  CHECK(at::proved("mironov2017-gaussian", "mu=0.1 T=50 delta=1e-6 lambda=" + again).midpoint() ==
        doctest::Approx(best.answer().value.midpoint()).epsilon(1e-10));
}

TEST_CASE("an approximate mechanism spends its delta in every round") {
  const Evaluation e = at::evaluated("epsilary-approximate-rdp", "eps0=0.1 delta0=1e-9 T=100 delta=2e-6 share=0.5", 10);
  CHECK(delta_total(e.answer()).value().midpoint() == doctest::Approx(1.1e-6).epsilon(1e-9));
  const Evaluation whole = at::evaluated("epsilary-approximate-rdp", "eps0=0.1 delta0=1e-9 T=100 delta=1e-6", 10);
  CHECK(whole.within);
  CHECK(certainly(delta_total(whole.answer()).value() <= Ball(Decimal("1e-6").exact())));
}
