// The source of chance: its bits are the published ones, its laws are counted against exact ones.
#include "experiments/protocols/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "tests/experiments/protocols/counts.hpp"

using epsilary::experiments::Random;

namespace {

// Pearson's statistic of counts against equal or given probabilities.
double chi_square(const std::vector<int>& counts, const std::vector<double>& law) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * law[i];
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}
double far(std::size_t cells) { return protocols_test::far_in_the_tail(static_cast<double>(cells) - 1); }

std::vector<double> binomial(int n, double p) {
  std::vector<double> law;
  for (int k = 0; k <= n; ++k)
    law.push_back(std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0)) * std::pow(p, k) *
                  std::pow(1 - p, n - k));
  return law;
}

}  // namespace

TEST_CASE("Philox4x32-10 gives the words that its authors published") {
  using Block = Random::Block;
  CHECK(Random::philox({0, 0, 0, 0}, 0, 0) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(Random::philox({ones, ones, ones, ones}, ones, ones) == Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(Random::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("the same seed and stream give the same words; another stream or seed gives others") {
  Random a(7, 3), b(7, 3), other_stream(7, 4), other_seed(8, 3);
  int same = 0;
  for (int i = 0; i < 100; ++i) {
    const auto drawn = a();
    CHECK(drawn == b());
    same += (drawn == other_stream()) + (drawn == other_seed());
  }
  CHECK(same == 0);
}

TEST_CASE("a coin shows with its probability, also one far below the last bit of a uniform number") {
  Random random(1);
  for (const double p : {0.5, 0.2689414213699951, 1e-3}) {
    const int throws = 200000;
    int shown = 0;
    for (int i = 0; i < throws; ++i) shown += random.coin(p);
    CHECK(std::abs(shown - throws * p) <= 5 * std::sqrt(throws * p * (1 - p)));
  }
  CHECK(random.coin(1));
  CHECK(!random.coin(0));
  CHECK(!random.coin(5e-324));
  CHECK(random.coin(2));
  CHECK(!random.coin(-1));
}

TEST_CASE("many coins at once have the binomial law: 100000 throws of 40, Pearson's statistic") {
  Random random(2);
  for (const double p : {0.5, 0.3, 0.0625}) {
    std::vector<int> counts(41);
    for (int i = 0; i < 100000; ++i) ++counts[random.coins(40, p)];
    // Rare ends are one cell each.
    std::vector<double> law = binomial(40, p), cells;
    std::vector<int> seen;
    double share = 0;
    int count = 0;
    for (std::size_t k = 0; k < law.size(); ++k) {
      share += law[k];
      count += counts[k];
      if (share > 1e-3) {
        cells.push_back(share);
        seen.push_back(count);
        share = 0, count = 0;
      }
    }
    cells.back() += share;
    seen.back() += count;
    CHECK(chi_square(seen, cells) < far(cells.size()));
  }
  CHECK(random.coins(17, 1) == 17);
  CHECK(random.coins(17, 0) == 0);
  CHECK(random.coins(0, 0.5) == 0);
}

TEST_CASE("whole numbers below n are equally likely, also where n divides no power of two") {
  Random random(3);
  for (const std::uint32_t n : {1u, 3u, 7u, 100u}) {
    std::vector<int> counts(n);
    for (int i = 0; i < 70000; ++i) ++counts[random.below(n)];
    if (n > 1) CHECK(chi_square(counts, std::vector<double>(n, 1.0 / n)) < far(n));
  }
  // Three quarters of 2^32: without rejection every third value would come twice as often.
  std::vector<int> thirds(3);
  for (int i = 0; i < 60000; ++i) ++thirds[random.below(3u << 30) % 3];
  CHECK(chi_square(thirds, std::vector<double>(3, 1.0 / 3)) < far(3));
}

TEST_CASE("all orders of four are equally likely, and all choices of two in order") {
  Random random(4);
  std::map<std::vector<int>, int> orders, choices;
  std::vector<int> pool{0, 1, 2, 3};
  for (int i = 0; i < 48000; ++i) {
    std::vector<int> all{0, 1, 2, 3};
    random.shuffle(std::span(all));
    ++orders[all];
    random.choose(std::span(pool), 2);  // in the order in which it was left
    ++choices[{pool[0], pool[1]}];
  }
  const auto counts = [](const auto& map) {
    std::vector<int> out;
    for (const auto& [key, count] : map) out.push_back(count);
    return out;
  };
  REQUIRE(orders.size() == 24);
  REQUIRE(choices.size() == 12);
  CHECK(chi_square(counts(orders), std::vector<double>(24, 1.0 / 24)) < far(24));
  CHECK(chi_square(counts(choices), std::vector<double>(12, 1.0 / 12)) < far(12));
}

TEST_CASE("normal numbers fall into the cells of the normal law") {
  Random random(5);
  const std::vector<double> borders{-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3};
  std::vector<int> counts(borders.size() + 1);
  std::vector<double> law;
  double below = 0;
  for (const double b : borders) {
    const double up_to = std::erfc(-b / std::numbers::sqrt2) / 2;
    law.push_back(up_to - below);
    below = up_to;
  }
  law.push_back(1 - below);
  for (int i = 0; i < 200000; ++i)
    ++counts[static_cast<std::size_t>(std::ranges::upper_bound(borders, random.normal()) - borders.begin())];
  CHECK(chi_square(counts, law) < far(law.size()));
}
