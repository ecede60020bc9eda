// Protocols small enough to be written out: every outcome, with randomizers that may depend on what was seen before.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <random>

#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/steps.hpp"
#include "tests/solvers/losses/exact_delta.hpp"

using namespace epsilary::bounds;
using clones::LabelledSlots;

namespace {

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
double exact_delta(Kernels& randomizer, const std::vector<Assignment>& p, const std::vector<Assignment>& q,
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

namespace {

// A randomizer made worse by local search: two outputs of one record after one prefix change places, and the change is
// kept while the divergence grows. Rows keep their sums, so every step stays eps0-LDP.
double made_worse(Kernels& randomizer, const std::vector<Assignment>& p, const std::vector<Assignment>& q, double eps,
                  int tries) {
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

void check_above(double exact, double eps, const LabelledSlots<double>& clones,
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

}  // namespace

namespace {

// The shuffle bound by the pivot, with the exact supremum of check-ins: the others are told up to the first of them
// who draws from the record's own law.
double pivot(double eps0, int n, double eps) {
  const double head = std::exp(-eps0), tail = -std::expm1(-eps0);
  double sum = std::pow(tail, n - 1) * (std::exp(eps0) - std::exp(eps)) / (std::exp(eps0) + 1);
  for (int j = 0; j + 1 < n; ++j) sum += head * std::pow(tail, j) * Supremum(eps0, n - 1 - j, 1, eps).value();
  return sum;
}

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
        const double claimed = k == 2 ? std::max(lower::Binary<double>{md, eps0, w, false}(eps).delta.value(),
                                                 lower::Binary<double>{md, eps0, w, true}(eps).delta.value())
                                      : lower::Ternary<double>{md, eps0, w}(eps).delta.value();
        CHECK(exact == doctest::Approx(claimed).epsilon(1e-12));
      }
    }
}

TEST_CASE("randomizers made worse by local search stay below every bound, of check-ins and of shuffles") {
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
      CHECK(lower::Binary<double>{md, eps0, w, reverse}(eps).delta.value() <= most * (1 + 1e-10) + 1e-15);
    CHECK(lower::Ternary<double>{md, eps0, w}(eps).delta.value() <= most * (1 + 1e-10) + 1e-15);
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
        CHECK(lower::Mixed<double>{double(n), eps0, double(ones), reverse}(eps).delta.value() ==
              doctest::Approx(exact).epsilon(1e-12));
      }
}
