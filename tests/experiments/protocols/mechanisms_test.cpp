// What leaves a client: clipped as it should be, and the right bits. The laws of R_infinity and of the Hadamard rows
// are tested beside Theorem 4, in tests/bounds/papers/girgis2021/mean_estimation_test.cpp.
#include "experiments/protocols/mechanisms.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace epsilary::experiments;

TEST_CASE("clipping by scaling keeps the direction and meets the limit; by coordinate it cuts each alone") {
  std::vector<double> x{3, -4, 0.5};
  clip_by_scaling(std::span(x), max_norm(std::span<const double>(x)), 2.0);
  CHECK(x == std::vector<double>{1.5, -2, 0.25});
  clip_by_scaling(std::span(x), 2.0, 2.0);  // at the limit nothing changes
  CHECK(x == std::vector<double>{1.5, -2, 0.25});
  std::vector<double> y{3, -4, 0};
  clip_by_scaling(std::span(y), two_norm(std::span<const double>(y)), 1.0);
  CHECK(y[0] == doctest::Approx(0.6));
  CHECK(two_norm(std::span<const double>(y)) == doctest::Approx(1));
  std::vector<float> z{3, -4, 0.5};
  clip_by_coordinate(std::span(z), 2.0f);
  CHECK(z == std::vector<float>{2, -2, 0.5});
}

TEST_CASE("scaling never leaves a coordinate beyond the limit, where rounding would") {
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    std::vector<float> x{static_cast<float>(random.normal()), static_cast<float>(random.normal())};
    clip_by_scaling(std::span(x), max_norm(std::span<const float>(x)), 0.01f);
    CHECK(max_norm(std::span<const float>(x)) <= 0.01f);
  }
}

TEST_CASE("a message of R_infinity is the coordinate and a sign, in ceil(log2 d) + 1 bits, and comes back whole") {
  for (const std::size_t d : {1u, 2u, 3u, 4u, 5u, 1024u, 1025u, 13170u, 26010u}) {
    const MaxNormMechanism mechanism{0.01, d, 2};
    CHECK(mechanism.bits() == static_cast<int>(std::ceil(std::log2(static_cast<double>(d)))) + 1);
    for (const std::size_t j : {std::size_t{0}, d / 2, d - 1})
      for (const bool plus : {false, true}) {
        const auto wire = MaxNormMechanism::encode({j, plus});
        CHECK(wire < (std::uint64_t{1} << mechanism.bits()));
        CHECK(MaxNormMechanism::decode(wire) == MaxNormMechanism::Message{j, plus});
        CHECK((wire & 1) == (plus ? 1 : 0));
        CHECK((wire >> 1) == j);
      }
  }
  CHECK(MaxNormMechanism{0.01, 13170, 2}.bits() == 15);  // the paper's Section 6
}

TEST_CASE("every message of every mechanism has words of its own") {
  const OneNormMechanism mechanism{1, 5, 1};
  CHECK(mechanism.bits() == 4);
  std::set<std::uint64_t> wires;
  for (std::size_t row = 0; row < mechanism.rows(); ++row)
    for (const bool plus : {false, true}) {
      const auto wire = OneNormMechanism::encode({row, plus});
      CHECK(wire < 16);
      CHECK(OneNormMechanism::decode(wire) == OneNormMechanism::Message{row, plus});
      wires.insert(wire);
    }
  CHECK(wires.size() == 16);
}

TEST_CASE("randomised response tells the truth e^eps0 times as often as each lie") {
  for (const std::uint32_t k : {2u, 3u, 10u}) {
    const RandomisedResponse response{k, 1.5};
    CHECK(response.truth / response.lie == doctest::Approx(std::exp(1.5)));
    CHECK(response.truth + (k - 1) * response.lie == doctest::Approx(1));
    Random random(6, k);
    std::vector<int> counts(k);
    const int samples = 100000;
    for (int i = 0; i < samples; ++i) ++counts[response.sample(1, random)];
    for (std::uint32_t v = 0; v < k; ++v) {
      const double p = v == 1 ? response.truth : response.lie;
      CHECK(std::abs(counts[v] - samples * p) <= 5 * std::sqrt(samples * p * (1 - p)));
    }
  }
}
