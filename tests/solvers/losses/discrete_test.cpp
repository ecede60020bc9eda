// Pairs on finitely many outcomes, composed, against counting all outcomes.
#include "solvers/losses/discrete.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/numbers/decimal.hpp"

using namespace epsilary::solvers;

namespace {

OutcomePair pair_of(const std::vector<const char*>& p, const std::vector<const char*>& q, std::uint64_t times) {
  OutcomePair out{.times = times};
  for (const char* x : p) out.p.emplace_back(Decimal(x).exact());
  for (const char* x : q) out.q.emplace_back(Decimal(x).exact());
  return out;
}

// delta(eps), every sequence of outcomes counted.
double counted(const OutcomePair& pair, double eps) {
  double sum = 0;
  const auto go = [&](auto&& self, std::uint64_t left, double p, double q) -> void {
    if (left == 0) {
      sum += std::max(0.0, p - std::exp(eps) * q);
      return;
    }
    for (std::size_t k = 0; k < pair.p.size(); ++k)
      self(self, left - 1, p * pair.p[k].midpoint(), q * pair.q[k].midpoint());
  };
  go(go, pair.times, 1, 1);
  return sum;
}

}  // namespace

TEST_CASE("pairs of few outcomes: the bracket holds what counting gives") {
  const std::vector<OutcomePair> cases{
      pair_of({"3/4", "1/4"}, {"1/4", "3/4"}, 1),
      pair_of({"3/4", "1/4"}, {"1/4", "3/4"}, 9),
      pair_of({"0.5", "0.3", "0.2"}, {"1/3", "1/3", "1/3"}, 7),
      pair_of({"0.9", "0.099", "0.001"}, {"0.9", "0.1", "0"}, 6),  // what Q never shows
      pair_of({"0.9", "0.1", "0"}, {"0.9", "0.099", "0.001"}, 6),  // what P never shows
      pair_of({"0.51", "0.49"}, {"0.49", "0.51"}, 12),
  };
  for (const OutcomePair& pair : cases)
    for (const double eps : {0.0, 0.1, 0.7, 2.5}) {
      const double exact = counted(pair, eps);
      const Ball b = compose({pair}, {.eps = Ball(eps)}, {});
      INFO(pair.times << " " << eps << " " << exact << " " << b.lower() << " " << b.upper());
      REQUIRE(b.finite());
      CHECK(b.lower() <= exact * (1 + 1e-11) + 1e-15);
      CHECK(b.upper() >= exact * (1 - 1e-11) - 1e-15);
      if (exact > 1e-6) CHECK(b.upper() - b.lower() <= 0.01 * exact);
      if (eps == 0 || exact < 1e-9) continue;
      const Ball back = compose({pair}, {.delta = Ball(exact)}, {});
      if (!back.finite()) continue;  // delta is about what Q never shows
      CHECK(back.lower() <= eps * (1 + 1e-9));
      CHECK(back.upper() >= eps * (1 - 1e-9));
    }
}

TEST_CASE("where no eps is enough nothing is enclosed") {
  CHECK_FALSE(compose({pair_of({"0.9", "0.1"}, {"1", "0"}, 3)}, {.delta = Ball(Decimal("0.01").exact())}, {}).finite());
}

TEST_CASE("outcomes in groups: merged is below, spread is above") {
  OutcomePair many{.times = 5};
  Ball total_p, total_q;
  for (int k = 0; k < 60; ++k) {
    const Ball x = Ball(k) / 10 - 3;
    many.p.push_back(exp(-(x - Ball(1)) * (x - Ball(1)) / 2));
    many.q.push_back(exp(-x * x / 2));
    total_p += many.p.back();
    total_q += many.q.back();
  }
  for (Ball& x : many.p) x = x / total_p;
  for (Ball& x : many.q) x = x / total_q;
  for (const std::size_t groups : {10, 25}) {
    const OutcomePair below = merged(many, groups), above = spread(many, groups);
    CHECK(below.p.size() <= groups + 2);
    CHECK(above.p.size() <= 2 * groups + 2);
    for (const double eps : {0.5, 2.0}) {
      const Target at{.eps = Ball(eps)};
      const Ball low = compose({below}, at, {}), exact = compose({many}, at, {}), high = compose({above}, at, {});
      CHECK(low.lower() <= exact.upper());
      CHECK(exact.lower() <= high.upper());
      CHECK(low.upper() <= exact.upper() * 1.001);
      CHECK(high.lower() >= exact.lower() * 0.999);
    }
  }
}
