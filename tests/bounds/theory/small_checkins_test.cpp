// Check-ins in a few slots, written out, against every bound.
#include <doctest/doctest.h>

#include <random>

#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "tests/bounds/theory/small_protocols.hpp"

using namespace small_protocols;

TEST_CASE("small check-ins written out, with adaptive randomizers and unequal weights, are below every bound") {
  std::mt19937_64 random(75);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 400; ++i) {
    const int m = 1 + static_cast<int>(random() % 4);
    const double eps0 = 0.1 + 3 * unit(random), w = unit(random), eps = unit(random) * std::log1p(w * std::expm1(eps0));
    Kernels randomizer{m + 2, 2 + static_cast<int>(random() % 2), eps0, random, {}};
    std::vector<double> weights;
    for (int j = 0; j < m; ++j) weights.push_back(j == 0 || random() % 2 ? w : w * unit(random));
    const double exact = exact_delta(randomizer, replacement(weights, 0), replacement(weights, 1), eps);
    INFO("m=" << m << " eps0=" << eps0 << " w=" << w << " eps=" << eps);
    check_above(exact, eps, {double(m), eps0, w}, steps::fixed_window(eps0, double(m), w));
  }
}

TEST_CASE("the lower bounds are attained: binary and ternary response written out") {
  for (const int m : {1, 3, 5})
    for (const double w : {1.0, 0.4}) {
      const double eps0 = 1.3, eps = 0.2, truth = std::exp(eps0);
      std::mt19937_64 random(1);
      for (const int k : {2, 3}) {
        Kernels response{3, k, eps0, random, {}};
        // Record 0 and 1 are the two answers in question; all others answer 1 (binary) or 2 (ternary).
        std::vector<std::vector<double>> table(3,
                                               std::vector<double>(static_cast<std::size_t>(k), 1 / (truth + k - 1)));
        table[0][0] = table[1][1] = table[2][k == 2 ? 1 : 2] = truth / (truth + k - 1);
        const std::vector<double> weights(static_cast<std::size_t>(m), w);
        auto p = replacement(weights, 0), q = replacement(weights, 1);
        for (auto* law : {&p, &q})
          for (Assignment& a : *law)
            for (int& record : a.records) record = std::min(record, 2);
        const auto fill = [&](const auto& self, std::vector<int> prefix) -> void {
          response.tables[prefix] = table;
          if (static_cast<int>(prefix.size()) == m) return;
          for (int y = 0; y < k; ++y) {
            prefix.push_back(y);
            self(self, prefix);
            prefix.pop_back();
          }
        };
        fill(fill, {});
        const double exact = exact_delta(response, p, q, eps);
        const double md = m;
        const double claimed = k == 2 ? std::max(responses::Binary<double>{md, eps0, w, false}(eps).delta.value(),
                                                 responses::Binary<double>{md, eps0, w, true}(eps).delta.value())
                                      : responses::Ternary<double>{md, eps0, w}(eps).delta.value();
        CHECK(exact == doctest::Approx(claimed).epsilon(1e-12));
      }
    }
}

TEST_CASE("randomizers made worse by local search stay below every bound of check-ins") {
  std::mt19937_64 random(77);
  std::uniform_real_distribution<double> unit;
  double closest = 0;
  for (int i = 0; i < 200; ++i) {
    const int slots = 2 + i % 2;
    const double eps0 = 0.2 + 2.5 * unit(random), w = i % 3 ? unit(random) : 1;
    Kernels randomizer{slots + 2, 2 + i % 2, eps0, random, {}};
    const std::vector<double> weights(static_cast<std::size_t>(slots), w);
    const double eps = 0.5 * unit(random) * std::log1p(w * std::expm1(eps0));
    const auto p = replacement(weights, 0), q = replacement(weights, 1);
    const double start = exact_delta(randomizer, p, q, eps), worse = made_worse(randomizer, p, q, eps, 150);
    INFO("m=" << slots << " eps0=" << eps0 << " w=" << w << " eps=" << eps << " from " << start << " to " << worse);
    CHECK(worse >= start);
    check_above(worse, eps, {double(slots), eps0, w}, steps::fixed_window(eps0, double(slots), w));
    const double most = Supremum(eps0, slots, w, eps).value();
    CHECK(worse <= most + 1e-13);
    if (most > 1e-6) closest = std::max(closest, worse / most);
  }
  CHECK(closest > 0.6);  // the search does find bad ones
}

TEST_CASE("the exact supremum of check-ins lies between every lower and every upper bound") {
  std::mt19937_64 random(78);
  std::uniform_real_distribution<double> unit;
  int compared = 0;
  for (int i = 0; i < 240; ++i) {
    const int m = 1 + i % 8;
    const double eps0 = 0.05 + 4 * unit(random), w = i % 4 ? unit(random) : 1;
    const double eps = unit(random) * std::log1p(w * std::expm1(eps0)), md = m;
    const double most = Supremum(eps0, m, w, eps).value();
    INFO("m=" << m << " eps0=" << eps0 << " w=" << w << " eps=" << eps << " supremum " << most);
    for (const bool reverse : {false, true})
      CHECK(responses::Binary<double>{md, eps0, w, reverse}(eps).delta.value() <= most * (1 + 1e-10) + 1e-15);
    CHECK(responses::Ternary<double>{md, eps0, w}(eps).delta.value() <= most * (1 + 1e-10) + 1e-15);
    if (most < 1e-12) continue;
    check_above(most, eps, {md, eps0, w}, steps::fixed_window(eps0, md, w));
    // Bounds that give epsilon: at the delta that is reached they may not be below the eps it is reached at.
    const auto s = steps::sums(steps::fixed_window(eps0, md, w));
    for (const double bound : {std::min(s.epsilons, composition_sharp(s, most)), kov_advanced(s, most),
                               kov_advanced_e(s, most), checkin::random_replacement(eps0, md, w, most),
                               checkin::random_replacement_posterior(eps0, md, w, most), subsampled(eps0, w)})
      CHECK(eps <= bound * (1 + 1e-10));
    ++compared;
  }
  CHECK(compared > 200);
}
