// Protocols small enough to be written out: every outcome, with randomizers that may depend on what was seen before.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "bounds/theory/renyi.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/steps.hpp"

namespace small_protocols {

using namespace epsilary::bounds;
using clones::LabelledSlots;

// eps0-LDP randomizers with k outputs: each record favours a set of outputs of the same size by e^{eps0}; mixed with a
// milder one at random. One for every prefix of outputs.
struct Kernels {
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
inline double exact_delta(Kernels& randomizer, const std::vector<Assignment>& p, const std::vector<Assignment>& q,
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
inline std::vector<Assignment> replacement(const std::vector<double>& w, int mine) {
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

inline std::vector<Assignment> permutations(std::vector<int> records) {
  std::vector<Assignment> law;
  std::sort(records.begin(), records.end());
  do law.push_back({1, records});
  while (std::next_permutation(records.begin(), records.end()));
  for (Assignment& a : law) a.weight = 1 / static_cast<double>(law.size());
  return law;
}

// A randomizer made worse by local search: two outputs of one record after one prefix change places, and the change is
// kept while the divergence grows. Rows keep their sums, so every step stays eps0-LDP.
inline double made_worse(Kernels& randomizer, const std::vector<Assignment>& p, const std::vector<Assignment>& q,
                         double eps, int tries) {
  double best = exact_delta(randomizer, p, q, eps);
  std::vector<std::vector<int>> prefixes;
  for (const auto& [prefix, table] : randomizer.tables) prefixes.push_back(prefix);
  for (int i = 0; i < tries; ++i) {
    auto& table = randomizer.tables[prefixes[randomizer.random() % prefixes.size()]];
    auto& row = table[randomizer.random() % table.size()];
    const std::size_t a = randomizer.random() % row.size(), b = randomizer.random() % row.size();
    if (row[a] == row[b]) continue;
    std::swap(row[a], row[b]);
    const double now = exact_delta(randomizer, p, q, eps);
    if (now < best)
      std::swap(row[a], row[b]);
    else
      best = now;
  }
  return best;
}

inline void check_above(double exact, double eps, const LabelledSlots<double>& clones,
                        const steps::Sequence<double>& sequence) {
  const double blanket = clones::BlanketSlots<double>{clones.m, clones.eps0, clones.w}(eps).delta.value();
  CHECK(exact <= blanket + 1e-13);
  CHECK(blanket <= clones(eps).delta.value() + 1e-13);
  for (const double theta : {0.5, 3.0, 20.0})
    for (const auto response : {steps::StepResponse::lazy, steps::StepResponse::full}) {
      const double rdp = steps::log_moments(response, sequence, theta) / theta;
      CHECK(std::log(exact) <= renyi::to_log_delta(rdp, 1 + theta, eps) + 1e-9);
    }
}

// The supremum over all adaptive eps0-LDP randomizers of random replacement with weight w in m slots: the ratios of the
// two calls on the record to the call they replace lie in {e^-eps0 <= r, r', r/r' <= e^eps0} with mean (1, 1), and the
// value of what is still to come is convex in them, so laws on three of the six vertices suffice. Backwards from
// ((1 - w)(1 - e^eps) + sum r - e^eps sum r')_+, by how often each vertex was met.
class Supremum {
 public:
  Supremum(double eps0, int m, double w, double eps) : m_(m), eps_(eps), w_(w) {
    const double E = std::exp(eps0);
    vertices_ = {{{1 / E, 1 / E}, {1, 1 / E}, {1 / E, 1}, {E, 1}, {1, E}, {E, E}}};
  }
  double value() { return after({}); }

 private:
  using Met = std::array<int, 6>;
  double after(const Met& met) {
    if (const auto known = values_.find(met); known != values_.end()) return known->second;
    int slots = 0;
    for (const int times : met) slots += times;
    double best = 0;
    if (slots == m_) {
      double r = 0, other = 0;
      for (std::size_t v = 0; v < 6; ++v) r += met[v] * vertices_[v][0], other += met[v] * vertices_[v][1];
      best = std::max(0.0, (1 - w_) * (1 - std::exp(eps_)) + w_ / m_ * (r - std::exp(eps_) * other));
    } else {
      std::array<double, 6> next{};
      for (std::size_t v = 0; v < 6; ++v) {
        Met with = met;
        ++with[v];
        next[v] = after(with);
      }
      for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = a + 1; b < 6; ++b)
          for (std::size_t c = b + 1; c < 6; ++c) best = std::max(best, mean(next, a, b, c));
    }
    return values_[met] = best;
  }
  // Of the law on three vertices that has mean (1, 1), if there is one.
  double mean(const std::array<double, 6>& value, std::size_t a, std::size_t b, std::size_t c) const {
    const auto [ax, ay] = vertices_[a];
    const auto [bx, by] = vertices_[b];
    const auto [cx, cy] = vertices_[c];
    const double area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (std::abs(area) < 1e-14) return 0;
    const double at_b = ((1 - ax) * (cy - ay) - (cx - ax) * (1 - ay)) / area,
                 at_c = ((bx - ax) * (1 - ay) - (1 - ax) * (by - ay)) / area, at_a = 1 - at_b - at_c;
    if (std::min({at_a, at_b, at_c}) < -1e-14) return 0;
    return at_a * value[a] + at_b * value[b] + at_c * value[c];
  }

  int m_;
  double eps_, w_;
  std::array<std::array<double, 2>, 6> vertices_;
  std::map<Met, double> values_;
};

// The shuffle bound by the pivot, with the exact supremum of check-ins: the others are told up to the first of them
// who draws from the record's own law.
inline double pivot(double eps0, int n, double eps) {
  const double head = std::exp(-eps0), tail = -std::expm1(-eps0);
  double sum = std::pow(tail, n - 1) * (std::exp(eps0) - std::exp(eps)) / (std::exp(eps0) + 1);
  for (int j = 0; j + 1 < n; ++j) sum += head * std::pow(tail, j) * Supremum(eps0, n - 1 - j, 1, eps).value();
  return sum;
}

}  // namespace small_protocols
