// Shuffles of a few reports, written out, against every bound.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

#include "bounds/theory/shuffle/responses.hpp"
#include "tests/bounds/theory/small_protocols.hpp"

using namespace small_protocols;

namespace {

// delta, the larger of both directions, of a shuffle of reports with these laws; the first of them belongs to the
// record under P and is replaced by `other` under Q. Every multiset of reports.
using Law = std::vector<double>;
double shuffled_delta(const Law& mine, const Law& other, const std::vector<Law>& others, double eps) {
  const auto add = [](const std::map<std::vector<int>, double>& counts, const Law& law) {
    std::map<std::vector<int>, double> out;
    for (const auto& [count, mass] : counts)
      for (std::size_t y = 0; y < law.size(); ++y) {
        std::vector<int> next = count;
        ++next[y];
        out[next] += mass * law[y];
      }
    return out;
  };
  std::map<std::vector<int>, double> rest{{std::vector<int>(mine.size()), 1.0}};
  for (const Law& law : others) rest = add(rest, law);
  const auto p = add(rest, mine), q = add(rest, other);
  double forward = 0, backward = 0;
  for (const auto& [count, mass] : p) {
    forward += std::max(0.0, mass - std::exp(eps) * q.at(count));
    backward += std::max(0.0, q.at(count) - std::exp(eps) * mass);
  }
  return std::max(forward, backward);
}

}  // namespace

TEST_CASE(
    "shuffles of up to seven reports whose others hold anything, made worse by local search, stay below the "
    "pivot and the blanket") {
  std::mt19937_64 random(79);
  std::uniform_real_distribution<double> unit;
  double closest = 0;
  for (int i = 0; i < 90; ++i) {
    const int n = 2 + i % 6;
    const std::size_t outputs = 3 + random() % 3, favoured = 1 + random() % (outputs - 1);
    const double eps0 = 0.2 + 2.5 * unit(random), eps = 0.7 * unit(random) * eps0;
    std::vector<Law> rows(2 + static_cast<std::size_t>(n - 1));
    for (Law& row : rows) {  // eps0-LDP: every row favours as many outputs
      for (std::size_t y = 0; y < outputs; ++y) row.push_back(y < favoured ? std::exp(eps0) : 1);
      std::shuffle(row.begin(), row.end(), random);
      const double total = static_cast<double>(favoured) * std::exp(eps0) + static_cast<double>(outputs - favoured);
      for (double& p : row) p /= total;
    }
    const auto leaked = [&] {
      return shuffled_delta(rows[0], rows[1], std::vector<Law>(rows.begin() + 2, rows.end()), eps);
    };
    double worst = leaked();
    for (int step = 0; step < 80; ++step) {
      Law& row = rows[random() % rows.size()];
      const std::size_t a = random() % outputs, b = random() % outputs;
      std::swap(row[a], row[b]);
      if (const double now = leaked(); now >= worst)
        worst = now;
      else
        std::swap(row[a], row[b]);
    }
    INFO("n=" << n << " outputs=" << outputs << " eps0=" << eps0 << " eps=" << eps);
    const double above = pivot(eps0, n, eps);
    CHECK(worst <= above + 1e-12);
    const double users = n;
    const double blanket = clones::BlanketSlots<double>{users, eps0, 1}(eps).delta.value();
    CHECK(worst <= blanket + 1e-12);
    closest = std::max(closest, worst / std::min(above, blanket));
  }
  CHECK(closest > 0.9);  // the search does find bad ones
}

TEST_CASE("shuffles of approximate randomizers written out stay below the blanket with its leak") {
  std::mt19937_64 random(80);
  std::uniform_real_distribution<double> unit;
  int leaking = 0;
  for (int i = 0; i < 300; ++i) {
    const int n = 2 + i % 4;
    const std::size_t outputs = 2 + random() % 3;
    const double eps0 = 0.3 + 2 * unit(random);
    std::vector<Law> rows(2 + static_cast<std::size_t>(n - 1));
    for (Law& row : rows) {
      double total = 0;
      for (std::size_t y = 0; y < outputs; ++y) row.push_back(std::exp(1.3 * eps0 * unit(random)));
      for (const double p : row) total += p;
      for (double& p : row) p /= total;
    }
    double delta0 = 0;  // the least with which the rows are (eps0, delta0)-LDP
    for (const Law& p : rows)
      for (const Law& q : rows) {
        double beyond = 0;
        for (std::size_t y = 0; y < outputs; ++y) beyond += std::max(0.0, p[y] - std::exp(eps0) * q[y]);
        delta0 = std::max(delta0, beyond);
      }
    leaking += delta0 > 1e-6;
    const double eps = unit(random) * eps0, users = n;
    const double pair = clones::BlanketSlots<double>{users, eps0, 1, delta0}(eps).delta.value();
    const double bound = pair + delta0 * (1 - pair + 2 * (1 + std::exp(eps)) * (users - 1) * std::exp(-eps0));
    INFO("n=" << n << " eps0=" << eps0 << " delta0=" << delta0 << " eps=" << eps);
    CHECK(shuffled_delta(rows[0], rows[1], std::vector<Law>(rows.begin() + 2, rows.end()), eps) <= bound + 1e-12);
  }
  CHECK(leaking > 50);
}

TEST_CASE("small shuffles written out, with adaptive randomizers and distinct records, are below every bound") {
  std::mt19937_64 random(76);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 150; ++i) {
    const int n = 1 + static_cast<int>(random() % 4);
    const double eps0 = 0.1 + 3 * unit(random), eps = unit(random) * eps0;
    Kernels randomizer{n + 1, 2 + static_cast<int>(random() % 2), eps0, random, {}};
    std::vector<int> with{0}, against{1};
    for (int j = 2; j <= n; ++j) with.push_back(j), against.push_back(j);
    const double exact = exact_delta(randomizer, permutations(with), permutations(against), eps);
    INFO("n=" << n << " eps0=" << eps0 << " eps=" << eps);
    CHECK(exact <= pivot(eps0, n, eps) + 1e-13);
    check_above(exact, eps, {double(n), eps0, 1}, steps::shuffle(eps0, double(n)));
  }
}

TEST_CASE("randomizers made worse by local search stay below every bound of shuffles") {
  std::mt19937_64 random(81);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < 40; ++i) {
    const int n = 2 + i % 3;
    const double eps0 = 0.2 + 2.5 * unit(random), eps = 0.6 * unit(random) * eps0;
    Kernels randomizer{n + 1, n < 4 ? 2 + i % 2 : 2, eps0, random, {}};
    std::vector<int> with{0}, against{1};
    for (int j = 2; j <= n; ++j) with.push_back(j), against.push_back(j);
    const double worse = made_worse(randomizer, permutations(with), permutations(against), eps, 120);
    INFO("n=" << n << " eps0=" << eps0 << " eps=" << eps);
    CHECK(worse <= pivot(eps0, n, eps) + 1e-13);
    check_above(worse, eps, {double(n), eps0, 1}, steps::shuffle(eps0, double(n)));
  }
}

TEST_CASE("a shuffle among ones and zeros written out") {
  for (const int n : {2, 4})
    for (int ones = 0; ones < n; ++ones)
      for (const bool reverse : {false, true}) {
        const double eps0 = 0.9, eps = 0.15, truth = 1 / (1 + std::exp(-eps0));
        double exact = 0;
        std::vector<double> p(static_cast<std::size_t>(n + 1)), q(p.size());
        for (unsigned answers = 0; answers < 1u << n; ++answers) {  // the record answers first
          double mass = 1;
          int shown = 0;
          for (int j = 1; j < n; ++j) {
            const int answer = answers >> j & 1, record = j <= ones;
            mass *= answer == record ? truth : 1 - truth;
            shown += answer;
          }
          const int own = answers & 1;
          p[static_cast<std::size_t>(shown + own)] += mass * (own ? truth : 1 - truth);
          q[static_cast<std::size_t>(shown + own)] += mass * (own ? 1 - truth : truth);
        }
        for (std::size_t k = 0; k < p.size(); ++k)
          exact += std::max(0.0, reverse ? q[k] - std::exp(eps) * p[k] : p[k] - std::exp(eps) * q[k]);
        CHECK(responses::Mixed<double>{double(n), eps0, double(ones), reverse}(eps).delta.value() ==
              doctest::Approx(exact).epsilon(1e-12));
      }
}
