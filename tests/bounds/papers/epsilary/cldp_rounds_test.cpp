// CLDP-SGD over T rounds by its own privacy losses: the protocol written out, client by client and record by record,
// against the brackets; and what ties the statements to each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

// What the formula encloses when asked for a rough bracket.
Ball enclosure(const std::string& id, const std::string& params) {
  const Bound& b = at::form(id, params);
  return bracket_at(b, reference::parse_point(params), rough_request(b)).value;
}
std::string text(double x) { return Decimal::nearest(x, 12).text(); }

using Mass = long double;
using Outcomes = std::vector<std::pair<Mass, Mass>>;  // masses under P and under Q

Outcomes power(const Outcomes& round, int T) {
  Outcomes all{{1, 1}};
  for (int t = 0; t < T; ++t) {
    Outcomes next;
    for (const auto& [p, q] : all)
      for (const auto& [r, s] : round) next.push_back({p * r, q * s});
    all = std::move(next);
  }
  return all;
}
double hockey_stick(const Outcomes& pair, double eps) {
  Mass sum = 0;
  for (const auto& [p, q] : pair) sum += std::max<Mass>(0, p - std::exp(Mass(eps)) * q);
  return static_cast<double>(sum);
}
double larger_direction(const Outcomes& pair, double eps) {
  Outcomes back;
  for (const auto& [p, q] : pair) back.push_back({q, p});
  return std::max(hockey_stick(pair, eps), hockey_stick(back, eps));
}

// C_q of the clones' pair of k messages, from its definition: every message but one is a clone with probability
// e^-eps0, a clone shows either look with probability 1/2, the one in question its own with probability alpha.
Outcomes clones_round(double eps0, int k, Mass rate) {
  const Mass alpha = 1 / (1 + std::exp(-Mass(eps0))), clone = std::exp(-Mass(eps0));
  std::map<std::pair<int, int>, Mass> looks{{{0, 0}, 1}};
  for (int i = 1; i < k; ++i) {
    std::map<std::pair<int, int>, Mass> next;
    for (const auto& [seen, mass] : looks) {
      next[seen] += mass * (1 - clone);
      next[{seen.first + 1, seen.second}] += mass * clone / 2;
      next[{seen.first, seen.second + 1}] += mass * clone / 2;
    }
    looks = std::move(next);
  }
  std::map<std::pair<int, int>, std::pair<Mass, Mass>> pair;
  for (const auto& [seen, mass] : looks) {
    auto& [p0, q0] = pair[{seen.first + 1, seen.second}];
    p0 += alpha * mass, q0 += (1 - alpha) * mass;
    auto& [p1, q1] = pair[{seen.first, seen.second + 1}];
    p1 += (1 - alpha) * mass, q1 += alpha * mass;
  }
  Outcomes out;
  Mass rest = 1;
  for (const auto& [seen, masses] : pair) {
    const auto& [p, q] = masses;
    if (p <= q) continue;
    const Mass heavy = q + rate * (p - q);
    out.push_back({heavy, q});
    out.push_back({q, heavy});
    rest -= q + heavy;
  }
  out.push_back({rest, rest});
  return out;
}

// The counts of letters among the messages of a round: every choice of k clients and of a record of each. Records are
// inputs of the letter laws; the first of the first client is `mine`.
using Letters = std::vector<std::vector<Mass>>;
std::map<std::vector<int>, Mass> messages(const Letters& letters, std::vector<std::vector<int>> data, int mine, int k) {
  data[0][0] = mine;
  const int m = static_cast<int>(data.size());
  std::map<std::vector<int>, Mass> law;
  Mass choices = 0;
  for (unsigned chosen = 0; chosen < 1u << m; ++chosen) {
    if (__builtin_popcount(chosen) != k) continue;
    ++choices;
    std::map<std::vector<int>, Mass> counts{{std::vector<int>(letters[0].size()), 1}};
    for (std::size_t client = 0; client < data.size(); ++client) {
      if (!(chosen >> client & 1)) continue;
      std::map<std::vector<int>, Mass> next;
      for (const auto& [seen, mass] : counts)
        for (const int record : data[client])
          for (std::size_t y = 0; y < seen.size(); ++y) {
            std::vector<int> more = seen;
            ++more[y];
            next[more] += mass / static_cast<Mass>(data[client].size()) * letters[static_cast<std::size_t>(record)][y];
          }
      counts = std::move(next);
    }
    for (const auto& [seen, mass] : counts) law[seen] += mass;
  }
  for (auto& [seen, mass] : law) mass /= choices;
  return law;
}
Outcomes round_of(const Letters& letters, const std::vector<std::vector<int>>& data, int k) {
  const auto p = messages(letters, data, 1, k), q = messages(letters, data, 0, k);
  Outcomes out;
  for (const auto& [seen, mass] : q) out.push_back({p.at(seen), mass});
  return out;
}
Letters response(double eps0) {
  const Mass flip = 1 / (1 + std::exp(Mass(eps0)));
  return {{1 - flip, flip}, {flip, 1 - flip}};
}

std::string point(double eps0, int m, int r, int k) {
  return "eps0=" + text(eps0) + " clients=" + std::to_string(m) + (r > 1 ? " records=" + std::to_string(r) : "") +
         " per_round=" + std::to_string(k);
}
bool holds(const Ball& bracket, double exact) {
  return bracket.lower() <= exact * (1 + 1e-12) && bracket.upper() >= exact * (1 - 1e-12);
}

}  // namespace

TEST_CASE("CLDP-SGD of two to five messages, one to three rounds: the bracket holds the enumerated delta") {
  for (const auto& [m, r, k] : {std::array{2, 1, 2}, {4, 1, 3}, {5, 3, 4}, {8, 1, 5}})
    for (const double eps0 : {0.4, 2.5})
      for (int T = 1; T <= 3; ++T) {
        const double eps = eps0 / 4;
        const double exact = hockey_stick(power(clones_round(eps0, k, Mass(k) / (m * r)), T), eps);
        const std::string where = point(eps0, m, r, k) + " T=" + std::to_string(T) + " eps=" + text(eps);
        INFO(where);
        const Ball found = enclosure("epsilary-cldp-sgd-pld", where);
        CHECK(holds(found, exact));
        CHECK(found.upper() - found.lower() <= 0.03 * exact);
      }
}

TEST_CASE("CLDP-SGD of randomised response, every choice of clients and records written out, is the lower bound") {
  for (const auto& [m, r, k] : {std::array{2, 1, 2}, {4, 1, 3}, {6, 1, 5}, {5, 2, 4}})
    for (int T = 1; T <= 3; ++T)
      for (const double eps0 : {m == 5 ? 0.4 : 2.5}) {
        const std::vector<std::vector<int>> zeros(static_cast<std::size_t>(m),
                                                  std::vector<int>(static_cast<std::size_t>(r)));
        const double eps = eps0 / 8;
        const double exact = larger_direction(power(round_of(response(eps0), zeros, k), T), eps);
        const std::string where = point(eps0, m, r, k) + " T=" + std::to_string(T) + " eps=" + text(eps);
        INFO(where);
        const Ball found = enclosure("epsilary-lower-cldp-sgd", where);
        CHECK(holds(found, exact));
        CHECK(found.upper() - found.lower() <= 0.03 * exact);
      }
}

TEST_CASE("where every client reports, a record that is missed tells more than one that is found") {
  const Outcomes two = power(round_of(response(3), std::vector(5, std::vector(1, 0)), 5), 2);
  const double forth = hockey_stick(two, 4), exact = larger_direction(two, 4);
  CHECK(exact > 2 * forth);
  CHECK(holds(at::proved("epsilary-lower-cldp-sgd", "eps0=3 clients=5 per_round=5 T=2 eps=4", 6), exact));
}

TEST_CASE("no randomizer on three letters leaks more in CLDP-SGD than the clones allow, whatever the records") {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> unit;
  double closest = 0;
  for (int i = 0; i < 16; ++i) {
    const double wanted = 0.2 + 2 * unit(random);
    Letters letters(4, std::vector<Mass>(3));
    for (std::size_t y = 0; y < 3; ++y) {
      const double base = unit(random) + 0.05;
      for (auto& law : letters) law[y] = base * (unit(random) < 0.5 ? 1 : std::exp(wanted));
    }
    for (auto& law : letters) {
      const Mass sum = law[0] + law[1] + law[2];
      for (Mass& x : law) x /= sum;
    }
    Mass widest = 0;
    for (const auto& a : letters)
      for (const auto& b : letters)
        for (std::size_t y = 0; y < 3; ++y) widest = std::max(widest, std::log(a[y] / b[y]));
    const double eps0 = std::ceil(static_cast<double>(widest) * 1e6) / 1e6;
    if (eps0 < 0.05) continue;
    const int m = 1 + i % 4, r = 1 + i % 3, k = 1 + static_cast<int>(random() % static_cast<unsigned>(m));
    std::vector<std::vector<int>> data(static_cast<std::size_t>(m), std::vector<int>(static_cast<std::size_t>(r)));
    for (auto& client : data)
      for (int& record : client) record = static_cast<int>(random() % 4);
    const Outcomes round = round_of(letters, data, k);
    for (const int T : {1, 2}) {
      const double eps = std::stod(text(0.3 * unit(random) * T * eps0)),
                   leaked = larger_direction(power(round, T), eps);
      const std::string where = point(eps0, m, r, k) + " T=" + std::to_string(T) + " eps=" + text(eps);
      INFO(where);
      const double allowed = enclosure("epsilary-cldp-sgd-pld", where).upper();
      CHECK(leaked <= allowed * (1 + 1e-12));
      if (allowed > 1e-9) closest = std::max(closest, leaked / allowed);
    }
  }
  CHECK(closest > 0.3);  // some come near
}

TEST_CASE("a round of shuffled check-in is CLDP-SGD with as many messages as clients checked in") {
  double sum = 0, lower = 0, upper = 0;
  const int n = 12;
  for (int k = 1; k <= n; ++k) {
    const double weight = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) *
                          std::pow(0.3, k) * std::pow(0.7, n - k);
    const Ball given = enclosure("epsilary-cldp-sgd-pld", point(1, n, 1, k) + " T=1 eps=0.1");
    lower += weight * given.lower(), upper += weight * given.upper(), sum += weight;
  }
  const double exact = at::number("epsilary-shuffled-checkin-pld", "eps0=1 n=12 gamma=0.3 eps=0.1");
  CHECK(sum == doctest::Approx(1 - std::pow(0.7, n)).epsilon(1e-12));
  CHECK(lower <= exact);
  CHECK(upper >= exact);
  CHECK(upper - lower < 0.03 * exact);
}

TEST_CASE("CLDP-SGD in which everybody reports is shuffled check-in with gamma = 1, above and below") {
  const std::string rest = "eps0=1 T=20 delta=1e-6 ";
  CHECK(at::proved("epsilary-cldp-sgd-pld", rest + "clients=500 per_round=500", 6)
            .overlaps(at::proved("epsilary-shuffled-checkin-pld", rest + "n=500 gamma=1", 6)));
  CHECK(at::proved("epsilary-lower-cldp-sgd", rest + "clients=500 per_round=500", 6)
            .overlaps(at::proved("epsilary-lower-shuffled-checkin", rest + "n=500 gamma=1", 6)));
  // One round of all is the shuffle itself.
  CHECK(at::proved("epsilary-cldp-sgd-pld", "eps0=1 clients=500 per_round=500 T=1 delta=1e-6", 6)
            .overlaps(at::proved("feldman2021-clones", "eps0=1 n=500 delta=1e-6")));
  CHECK(at::proved("epsilary-lower-cldp-sgd", "eps0=1 clients=500 per_round=500 T=1 delta=1e-6", 6)
            .overlaps(at::proved("epsilary-lower-rr", "eps0=1 n=500 delta=1e-6")));
}

TEST_CASE("CLDP-SGD rises and falls as it says") {
  for (const std::string id : {"epsilary-cldp-sgd-pld", "epsilary-lower-cldp-sgd"})
    for (const std::string given : {" delta=1e-4", " eps=0.05"}) {
      const std::string where = "eps0=1 clients=2000 per_round=500 records=2 T=200" + given;
      const Bound& b = at::form(id, where);
      const Point here = reference::parse_point(where);
      const auto found = [&](const Point& x) { return bracket_at(b, x, rough_request(b)).value; };
      const Ball before = found(here);
      for (const auto* list : {&b.rises, &b.falls})
        for (const Param p : *list) {
          Point moved = here;
          moved.set(p, Decimal::nearest(2 * from_rational<double>(here[p].exact()), 9));
          INFO(id << given << " in " << key(p));
          CHECK(certainly((list == &b.rises ? before < found(moved) : found(moved) < before)));
        }
    }
}

TEST_CASE("CLDP-SGD without rounds loses nothing, and what is out of reach is refused with the reason") {
  for (const std::string id : {"epsilary-cldp-sgd-pld", "epsilary-lower-cldp-sgd"}) {
    CHECK(at::proved(id, "eps0=1 clients=10 per_round=5 T=0 delta=1e-6").is_zero());
    CHECK(at::proved(id, "eps0=1 clients=10 per_round=5 T=0 eps=0.1").is_zero());
    // Used with a smaller probability than delta, a record loses nothing either.
    CHECK(at::proved(id, "eps0=1 clients=1e9 per_round=5 T=10 delta=1e-6").is_zero());
    CHECK(at::refusal(id, "eps0=1 clients=10 per_round=11 T=5 delta=1e-6").starts_with("per_round <= clients"));
    CHECK(at::refusal(id, "eps0=15 clients=10 per_round=5 T=5 delta=1e-6") == "eps0 <= 14");
    CHECK(at::refusal(id, "eps0=1 clients=1e9 records=1e4 per_round=5 T=5 delta=1e-6") ==
          "clients times records <= 10^12");
    CHECK(at::refusal(id, "eps0=1 clients=10 per_round=5 T=5 delta=1e-201") == "delta >= 1e-200");
    CHECK(at::refusal(id, "eps0=1 clients=10 per_round=5 T=1e10 delta=1e-6") == "T <= 10^9");
  }
}
