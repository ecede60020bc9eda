// Private mean estimation: the mechanism R_infinity as it samples, and Theorems 2, 3 and 4 against it.
#include "bounds/theory/cldp/mean_estimation.hpp"

#include <doctest/doctest.h>

#include "bounds/theory/shuffle/blanket.hpp"
#include "experiments/protocols/mechanisms.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using epsilary::experiments::MaxNormMechanism;
using epsilary::experiments::OneNormMechanism;
using epsilary::experiments::Random;

namespace {

std::vector<double> random_record(const MaxNormMechanism& mechanism, Random& random) {
  std::vector<double> x(mechanism.dim);
  for (double& c : x) c = mechanism.radius * (2 * random.uniform() - 1);
  return x;
}

double squared_norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double c : x) sum += c * c;
  return sum;
}

double coth_half(double eps0) { return 1 / std::tanh(eps0 / 2); }

}  // namespace

TEST_CASE("R_infinity has mean x and the exact variance: 400000 samples, within 5 standard errors") {
  constexpr int samples = 400000;
  for (const double eps0 : {0.5, 2.0}) {
    const MaxNormMechanism mechanism{1.5, 5, eps0};
    Random random(20210304);
    const std::vector<double> x = random_record(mechanism, random);
    std::vector<double> sum(mechanism.dim);
    double errors = 0, squared_errors = 0;
    for (int i = 0; i < samples; ++i) {
      const auto z = mechanism.sample(x, random);
      const double value = z.plus ? mechanism.length() : -mechanism.length();
      sum[z.coordinate] += value;
      const double missed = value - x[z.coordinate];
      const double error = squared_norm(x) - x[z.coordinate] * x[z.coordinate] + missed * missed;
      errors += error;
      squared_errors += error * error;
    }
    const double exact = mechanism.length() * mechanism.length() - squared_norm(x), mean = errors / samples;
    const double deviation = std::sqrt((squared_errors / samples - mean * mean) / samples);
    CHECK(std::abs(mean - exact) <= 5 * deviation);
    CHECK(deviation < 0.01 * exact);
    for (std::size_t j = 0; j < mechanism.dim; ++j) {
      // Coordinate j of the message is +-length with probability 1/d, else 0; its mean is x_j.
      const double variance = mechanism.length() * mechanism.length() / 5 - x[j] * x[j];
      CHECK(std::abs(sum[j] / samples - x[j]) <= 5 * std::sqrt(variance / samples));
    }
  }
}

TEST_CASE("R_infinity is unbiased and has the exact variance, summed over its law") {
  Random random(7);
  for (const double eps0 : {0.01, 1.0, 6.0}) {
    const MaxNormMechanism mechanism{0.3, 4, eps0};
    const std::vector<double> x = random_record(mechanism, random);
    double total = 0, variance = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const double up = mechanism.probability(x, {j, true}), down = mechanism.probability(x, {j, false});
      CHECK((up - down) * mechanism.length() == doctest::Approx(x[j]).epsilon(1e-9));
      const double others = squared_norm(x) - x[j] * x[j];
      variance += up * (others + std::pow(mechanism.length() - x[j], 2)) +
                  down * (others + std::pow(mechanism.length() + x[j], 2));
      total += up + down;
    }
    CHECK(total == doctest::Approx(1));
    CHECK(variance == doctest::Approx(mechanism.length() * mechanism.length() - squared_norm(x)));
  }
}

TEST_CASE("log-likelihood ratios of sampled messages never exceed eps0, and reach it at opposite corners") {
  Random random(99);
  double largest = 0;
  for (int pair = 0; pair < 2000; ++pair) {
    const MaxNormMechanism mechanism{2, 3, 0.1 + 0.002 * pair};
    std::vector<double> x = random_record(mechanism, random), y = random_record(mechanism, random);
    if (pair % 4 == 0)
      for (std::size_t j = 0; j < 3; ++j) x[j] = x[j] > 0 ? 2 : -2, y[j] = -x[j];
    for (int i = 0; i < 20; ++i) {
      const auto z = mechanism.sample(x, random);
      const double ratio = std::log(mechanism.probability(x, z) / mechanism.probability(y, z));
      CHECK(std::abs(ratio) <= mechanism.eps0 * (1 + 1e-12));
      largest = std::max(largest, std::abs(ratio) / mechanism.eps0);
    }
  }
  CHECK(largest == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("frequencies of messages differ by e^eps0 at most: 500000 samples a record, 5 standard errors") {
  const MaxNormMechanism mechanism{1, 3, 1.0};
  const std::vector<double> x{1, -1, 0.5}, y{-1, 1, 0.5};
  Random random(31);
  constexpr int samples = 500000;
  int of_x[6] = {}, of_y[6] = {};
  for (int i = 0; i < samples; ++i) {
    const auto z = mechanism.sample(x, random), t = mechanism.sample(y, random);
    ++of_x[2 * z.coordinate + z.plus];
    ++of_y[2 * t.coordinate + t.plus];
  }
  double largest = 0;
  for (int m = 0; m < 6; ++m) {
    const double error = std::sqrt(1.0 / of_x[m] + 1.0 / of_y[m]);
    const double ratio = std::abs(std::log(double(of_x[m]) / of_y[m]));
    CHECK(ratio <= mechanism.eps0 + 5 * error);
    largest = std::max(largest, ratio);
  }
  CHECK(largest > 0.95);
}

TEST_CASE(
    "opposite corners of R_infinity have the privacy variable of the binary response, other pairs a smaller one") {
  const MaxNormMechanism mechanism{1, 3, 1.3};
  const double eps = 0.4, E = std::exp(eps), mass = 2 / (std::exp(mechanism.eps0) + 1);
  const auto l = blanket::RandomisedResponse{}(eps, blanket::Reports<double>{mechanism.eps0, 1});
  const auto moments = [&](const std::vector<double>& x, const std::vector<double>& y) {
    // omega is uniform over the 6 messages.
    struct {
      double mean = 0, square = 0, most = -1e9;
    } m;
    for (std::size_t j = 0; j < 3; ++j)
      for (const bool plus : {true, false}) {
        const double L = 6 * (mechanism.probability(x, {j, plus}) - E * mechanism.probability(y, {j, plus}));
        m.mean += L / 6;
        m.square += L * L / 6;
        m.most = std::max(m.most, L);
      }
    return m;
  };
  CHECK(mass == doctest::Approx(l.mass));
  const auto corner = moments({1, -1, 1}, {-1, 1, -1});
  CHECK(corner.mean == doctest::Approx(1 - E));
  CHECK(corner.square == doctest::Approx(l.mean_square));
  CHECK(corner.most == doctest::Approx(l.most));
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    const auto other = moments(random_record(mechanism, random), random_record(mechanism, random));
    CHECK(other.square <= l.mean_square);
    CHECK(other.most <= l.most * (1 + 1e-12));
  }
}

TEST_CASE("rows of a Hadamard matrix: mean x, e^eps0 at most, and the variance of Theorem 4 for p = 1, exactly") {
  Random random(2);
  for (const std::size_t d : {1u, 2u, 3u, 5u, 8u}) {
    const OneNormMechanism mechanism{1.5, d, 0.9};
    const auto in_ball = [&] {
      std::vector<double> x = random_record({1, d, 1}, random);
      double length = 0;
      for (const double c : x) length += std::abs(c);
      for (double& c : x) c *= mechanism.radius / length;
      return x;
    };
    const std::vector<double> x = in_ball(), y = in_ball();
    std::vector<double> mean(d);
    double variance = 0, total = 0;
    for (std::size_t row = 0; row < mechanism.rows(); ++row)
      for (const bool plus : {true, false}) {
        const double p = mechanism.probability(x, {row, plus});
        CHECK(std::abs(std::log(p / mechanism.probability(y, {row, plus}))) <= mechanism.eps0 * (1 + 1e-12));
        total += p;
        for (std::size_t j = 0; j < d; ++j) {
          const double value = mechanism.decoded({row, plus}, j);
          mean[j] += p * value;
          variance += p * (value - x[j]) * (value - x[j]);
        }
      }
    CHECK(total == doctest::Approx(1));
    for (std::size_t j = 0; j < d; ++j) CHECK(mean[j] == doctest::Approx(x[j]));
    const double bound = at::number("epsilary-mean-l1", "radius=1.5 n=1 eps0=0.9 norm=1 dim=" + std::to_string(d));
    CHECK(variance == doctest::Approx(bound - squared_norm(x)));
  }
}

TEST_CASE("rows of a Hadamard matrix, sampled: 300000 messages, every coordinate within 5 standard errors") {
  const OneNormMechanism mechanism{1, 3, 1.2};
  const std::vector<double> x{0.5, -0.3, 0.2};
  Random random(17);
  constexpr int samples = 300000;
  double sum[3] = {};
  for (int i = 0; i < samples; ++i) {
    const auto z = mechanism.sample(x, random);
    for (std::size_t j = 0; j < 3; ++j) sum[j] += mechanism.decoded(z, j);
  }
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(std::abs(sum[j] / samples - x[j]) <=
          5 * std::sqrt((coth_half(1.2) * coth_half(1.2) - x[j] * x[j]) / samples));
}

TEST_CASE("averaging n messages has the risk of Theorem 4, at every radius and dimension") {
  for (const char* point : {"radius=1 dim=100 n=10000 eps0=0.5", "radius=0.01 dim=13170 n=60000 eps0=2"}) {
    const Ball infinity = at::proved("girgis2021-thm4", point);
    const Ball one = at::proved("girgis2021-thm4", std::string(point) + " norm=1");
    const Ball two = at::proved("girgis2021-thm4", std::string(point) + " norm=2");
    const Ball dim(reference::parse_point(point)[Param::dim].exact());
    CHECK(infinity.overlaps(dim * one));
    CHECK(two.overlaps(6 * one));
  }
  // coth(eps0/2) is 1 for large eps0 and 2/eps0 for small.
  CHECK(at::number("girgis2021-thm4", "radius=1 dim=10 n=100 eps0=100") == doctest::Approx(1));
  CHECK(at::number("girgis2021-thm4", "radius=1 dim=10 n=100 eps0=1e-6") == doctest::Approx(4e12));
  CHECK(at::number("girgis2021-lem2-exact", "radius=1 dim=10 eps0=1 square=4") ==
        doctest::Approx(at::number("girgis2021-lem2", "radius=1 dim=10 eps0=1") - 4));
}

TEST_CASE("Theorems 2 and 4 agree up to a constant for moderate eps0, as the paper says") {
  for (const char* norm : {"", " norm=1", " norm=2"})
    for (const char* eps0 : {"0.01", "0.1", "0.5", "1"}) {
      const std::string point = "radius=1 dim=10 n=1000000000 eps0=" + std::string(eps0) + norm;
      const double ratio = at::number("girgis2021-thm4", point) / at::number("girgis2021-thm2", point);
      CHECK(ratio >= 4);
      CHECK(ratio <= 29);  // 6 coth^2(1/2) = 28.1
    }
}

TEST_CASE("Theorem 3 as printed fails: one private bit about one coordinate is better than it allows") {
  // All clients send the sign of the first coordinate by R_infinity in one dimension; the decoder answers 0
  // elsewhere. The error is at most a^2 (d - 1) and the variance of the first coordinate.
  for (const int d : {3, 10, 100})
    for (const double eps0 : {0.5, 2.0}) {
      const double n = 1000, risk = d - 1 + coth_half(eps0) * coth_half(eps0) / n;
      const std::string point = "radius=1 bits=1 dim=" + std::to_string(d);
      CHECK(at::refusal("girgis2021-thm3", point).empty());
      CHECK(risk < at::number("girgis2021-thm3", point));
      CHECK(risk >= at::number("epsilary-few-bits", point));
      CHECK(risk < at::number("epsilary-few-bits", point) + 0.02);  // and the repaired bound is nearly attained
      CHECK(!is_guarantee(at::form("girgis2021-thm3", point)));
    }
}

TEST_CASE("Theorem 3 as printed fails for p = 1 too: one private bit about the sum of the coordinates") {
  // u = (1, ..., 1)/sqrt(d) and R_infinity on <x, u>, of modulus at most a/sqrt(d) at the corners +-a e_j; the
  // error at a corner is a^2 (1 - 1/d) and the variance a^2 coth^2/(d n); the error is convex, so corners are worst.
  const double d = 3, n = 1000, eps0 = 2, risk = 1 - 1 / d + coth_half(eps0) * coth_half(eps0) / (d * n);
  CHECK(risk < at::number("girgis2021-thm3", "radius=1 dim=3 bits=1 norm=1"));
  CHECK(risk >= at::number("epsilary-few-bits", "radius=1 dim=3 bits=1 norm=1"));
}

TEST_CASE("the repaired Theorem 3 is below the printed one, equal for p = 2, and never above answering 0") {
  for (const char* norm : {"", " norm=1", " norm=1.3", " norm=2", " norm=3", " norm=50"})
    for (const char* bits : {"0.5", "1", "4", "6"}) {
      const std::string point = "radius=3 dim=100 bits=" + std::string(bits) + norm;
      // Answering 0 has exactly the printed risk, so no lower bound is above it.
      CHECK(at::number("epsilary-few-bits", point) <= at::number("girgis2021-thm3", point) * (1 + 1e-15));
    }
  CHECK(at::number("epsilary-few-bits", "radius=3 dim=100 bits=4 norm=2") == doctest::Approx(9));
}

TEST_CASE("too few bits: Theorem 4 sends the reader to Theorem 3, and Theorem 3 refuses enough bits") {
  const std::string mean = "radius=1 dim=8 n=10 eps0=1 bits=";
  CHECK(at::refusal("girgis2021-thm4", mean + "2.9").find("Theorem 3 applies") != std::string::npos);
  CHECK(at::refusal("girgis2021-thm4", mean + "3") == "bits >= log2(dim) + 1, a coordinate and a sign");
  CHECK(at::refusal("girgis2021-thm4", mean + "4").empty());  // exactly log2(8) + 1
  CHECK(at::refusal("girgis2021-thm4", mean + "2 norm=1").find("Theorem 3 applies") != std::string::npos);
  CHECK(at::refusal("girgis2021-thm3", "radius=1 dim=8 bits=3") == "bits < log2(dim)");
  CHECK(at::refusal("girgis2021-thm3", "radius=1 dim=8 bits=2.9").empty());
  CHECK(at::refusal("epsilary-few-bits", "radius=1 dim=8 bits=4") == "bits < log2(dim)");
}

TEST_CASE("norms and records outside the statement are refused") {
  CHECK(at::refusal("girgis2021-thm2", "radius=1 dim=8 n=10 eps0=1 norm=0.5") ==
        "norm must satisfy norm >= 1 (got 0.5)");
  CHECK(at::refusal("girgis2021-thm4", "radius=1 dim=8 n=10 eps0=1 norm=3").starts_with("norm is 1 or 2"));
  CHECK(at::refusal("girgis2021-lem2-exact", "radius=1 dim=4 eps0=1 square=4.1").starts_with("square <= dim radius^2"));
  CHECK(at::refusal("girgis2021-lem2-exact", "radius=1 dim=4 eps0=1 square=4").empty());
}
