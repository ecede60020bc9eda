// Protocols small enough to be written out: every outcome, with randomizers that may depend on what was seen before.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "bounds/epsilary_lower.hpp"
#include "bounds/epsilary_steps.hpp"
#include "bounds/feldman2021_clones.hpp"

using namespace bounds;
using feldman2021::LabelledSlots;

namespace {

// eps0-LDP randomizers with k outputs: each record favours a set of outputs of the same size by e^{eps0}; mixed with a
// milder one at random. One for every prefix of outputs.
struct Randomizer {
  int records, outputs;
  double eps0;
  std::mt19937_64& random;
  std::map<std::vector<int>, std::vector<std::vector<double>>> tables;

  const std::vector<std::vector<double>>& after(const std::vector<int>& prefix) {
    auto [entry, fresh] = tables.try_emplace(prefix);
    if (fresh) {
      std::uniform_int_distribution<int> size(1, outputs - 1);
      const int favoured = size(random);
      const bool mild = random() % 4 == 0;
      for (int x = 0; x < records; ++x) {
        std::vector<double> weights(static_cast<std::size_t>(outputs), 1.0);
        std::vector<int> order(static_cast<std::size_t>(outputs));
        for (int y = 0; y < outputs; ++y) order[static_cast<std::size_t>(y)] = y;
        std::shuffle(order.begin(), order.end(), random);
        std::uniform_real_distribution<double> tilt(0, eps0 / 2);
        for (int j = 0; j < favoured; ++j)
          weights[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])] = std::exp(mild ? tilt(random) : eps0);
        double total = 0;
        for (const double w : weights) total += w;
        for (double& w : weights) w /= total;
        entry->second.push_back(std::move(weights));
      }
    }
    return entry->second;
  }
};

// The largest of P(S) - e^eps Q(S) and Q(S) - e^eps P(S) over all output sequences, for laws given as weighted
// assignments of records to the slots.
struct Assignment {
  double weight;
  std::vector<int> records;
};
double exact_delta(Randomizer& randomizer, const std::vector<Assignment>& p, const std::vector<Assignment>& q,
                   double eps) {
  double forward = 0, backward = 0;
  const std::size_t slots = p.front().records.size();
  std::vector<int> prefix;
  const auto visit = [&](const auto& self, const std::vector<double>& at_p, const std::vector<double>& at_q) -> void {
    if (prefix.size() == slots) {
      double mass_p = 0, mass_q = 0;
      for (const double w : at_p) mass_p += w;
      for (const double w : at_q) mass_q += w;
      forward += std::max(0.0, mass_p - std::exp(eps) * mass_q);
      backward += std::max(0.0, mass_q - std::exp(eps) * mass_p);
      return;
    }
    const auto table = randomizer.after(prefix);
    for (int y = 0; y < randomizer.outputs; ++y) {
      const auto step = [&](const std::vector<Assignment>& law, std::vector<double> at_law) {
        for (std::size_t i = 0; i < law.size(); ++i)
          at_law[i] *= table[static_cast<std::size_t>(law[i].records[prefix.size()])][static_cast<std::size_t>(y)];
        return at_law;
      };
      const auto next_p = step(p, at_p), next_q = step(q, at_q);
      prefix.push_back(y);
      self(self, next_p, next_q);
      prefix.pop_back();
    }
  };
  const auto weights = [](const std::vector<Assignment>& law) {
    std::vector<double> out;
    for (const Assignment& a : law) out.push_back(a.weight);
    return out;
  };
  visit(visit, weights(p), weights(q));
  return std::max(forward, backward);
}

// Random replacement: slot i holds record 0 (or 1 under Q) with probability w_i/m, else its own record.
std::vector<Assignment> replacement(const std::vector<double>& w, int mine) {
  std::vector<int> others;
  for (std::size_t i = 0; i < w.size(); ++i) others.push_back(2 + static_cast<int>(i));
  std::vector<Assignment> law;
  double rest = 1;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double weight = w[i] / static_cast<double>(w.size());
    std::vector<int> records = others;
    records[i] = mine;
    law.push_back({weight, records});
    rest -= weight;
  }
  law.push_back({rest, others});
  return law;
}

std::vector<Assignment> permutations(std::vector<int> records) {
  std::vector<Assignment> law;
  std::sort(records.begin(), records.end());
  do law.push_back({1, records});
  while (std::next_permutation(records.begin(), records.end()));
  for (Assignment& a : law) a.weight = 1 / static_cast<double>(law.size());
  return law;
}

}  // namespace

TEST_CASE("small check-ins written out, with adaptive randomizers and unequal weights, are below every bound") {
  std::mt19937_64 random(75);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 400; ++i) {
    const int m = 1 + static_cast<int>(random() % 4);
    const double eps0 = 0.1 + 3 * unit(random), w = unit(random), eps = unit(random) * std::log1p(w * std::expm1(eps0));
    Randomizer randomizer{m + 2, 2 + static_cast<int>(random() % 2), eps0, random, {}};
    std::vector<double> weights;
    for (int j = 0; j < m; ++j) weights.push_back(j == 0 || random() % 2 ? w : w * unit(random));
    const double exact = exact_delta(randomizer, replacement(weights, 0), replacement(weights, 1), eps);
    INFO("m=" << m << " eps0=" << eps0 << " w=" << w << " eps=" << eps);
    CHECK(exact <= LabelledSlots<double>{double(m), eps0, w}(eps).delta.value() + 1e-13);
    const auto sequence = steps::fixed_window(eps0, double(m), w);
    for (const double theta : {0.5, 3.0, 20.0}) {
      const double rdp = steps::lazy_log_moments(sequence, theta) / theta;
      CHECK(std::log(exact) <= renyi::to_log_delta(rdp, 1 + theta, eps) + 1e-9);
    }
  }
}

TEST_CASE("small shuffles written out, with adaptive randomizers and distinct records, are below every bound") {
  std::mt19937_64 random(76);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 150; ++i) {
    const int n = 1 + static_cast<int>(random() % 4);
    const double eps0 = 0.1 + 3 * unit(random), eps = unit(random) * eps0;
    Randomizer randomizer{n + 1, 2 + static_cast<int>(random() % 2), eps0, random, {}};
    std::vector<int> with{0}, against{1};
    for (int j = 2; j <= n; ++j) with.push_back(j), against.push_back(j);
    const double exact = exact_delta(randomizer, permutations(with), permutations(against), eps);
    INFO("n=" << n << " eps0=" << eps0 << " eps=" << eps);
    CHECK(exact <= LabelledSlots<double>{double(n), eps0, 1}(eps).delta.value() + 1e-13);
    for (const double theta : {0.5, 3.0, 20.0}) {
      const double rdp = steps::lazy_log_moments(steps::shuffle(eps0, double(n)), theta) / theta;
      CHECK(std::log(exact) <= renyi::to_log_delta(rdp, 1 + theta, eps) + 1e-9);
    }
  }
}

TEST_CASE("the lower bounds are attained: binary and ternary response written out") {
  for (const int m : {1, 3, 5})
    for (const double w : {1.0, 0.4}) {
      const double eps0 = 1.3, eps = 0.2, truth = std::exp(eps0);
      std::mt19937_64 random(1);
      for (const int k : {2, 3}) {
        Randomizer response{3, k, eps0, random, {}};
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
        const double claimed = k == 2 ? std::max(lower::Binary<double>{md, eps0, w, false}(eps).delta.value(),
                                                 lower::Binary<double>{md, eps0, w, true}(eps).delta.value())
                                      : lower::Ternary<double>{md, eps0, w}(eps).delta.value();
        CHECK(exact == doctest::Approx(claimed).epsilon(1e-12));
      }
    }
}
