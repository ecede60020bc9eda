// Rounds in which some of the clients report, as slots of check-ins: small ones with every outcome written out, what is
// attained, known randomizers, the epoch of random check-ins.
#include <cmath>
#include <map>
#include <random>

#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/own_randomizer.hpp"
#include "bounds/theory/shuffle/supremum.hpp"
#include "solvers/search/bracket.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

using Rows = std::vector<std::vector<double>>;
using Law = std::map<std::vector<int>, double>;

// An eps0-LDP randomizer of three inputs: each favours some outputs by e^{eps0}, as many for all.
Rows random_rows(std::mt19937_64& random, int outputs, double eps0) {
  const int favoured = std::uniform_int_distribution<int>(1, outputs - 1)(random);
  Rows rows;
  for (int x = 0; x < 3; ++x) {
    std::vector<double> row(static_cast<std::size_t>(outputs), 1.0);
    std::fill_n(row.begin(), favoured, std::exp(eps0));
    std::shuffle(row.begin(), row.end(), random);
    double total = 0;
    for (const double v : row) total += v;
    for (double& v : row) v /= total;
    rows.push_back(std::move(row));
  }
  return rows;
}

// The histogram of these records' reports, and how many there are.
void add_reports(Law& law, double weight, const Rows& rows, const std::vector<int>& records) {
  std::vector<int> none(rows.front().size() + 1, 0);
  none.back() = static_cast<int>(records.size());
  Law sums{{none, weight}};
  for (const int record : records) {
    Law next;
    for (const auto& [shown, mass] : sums)
      for (std::size_t y = 0; y + 1 < shown.size(); ++y) {
        std::vector<int> more = shown;
        ++more[y];
        next[more] += mass * rows[static_cast<std::size_t>(record)][y];
      }
    sums = std::move(next);
  }
  for (const auto& [shown, mass] : sums) law[shown] += mass;
}

// Every set of those who report, with its weight by their number.
Law round_of(const Rows& rows, const std::vector<int>& clients, const std::vector<double>& weight_of_a_set) {
  Law law;
  for (unsigned set = 0; set < 1u << clients.size(); ++set) {
    std::vector<int> reporting;
    for (std::size_t i = 0; i < clients.size(); ++i)
      if (set >> i & 1) reporting.push_back(clients[i]);
    if (const double weight = weight_of_a_set[reporting.size()]; weight > 0) add_reports(law, weight, rows, reporting);
  }
  return law;
}

double excess(const Law& p, const Law& q, double eps) {
  double sum = 0;
  for (const auto& [shown, mass] : p) {
    const auto other = q.find(shown);
    sum += std::max(0.0, mass - std::exp(eps) * (other == q.end() ? 0 : other->second));
  }
  return sum;
}

double choose(int n, int k) {
  return std::round(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)));
}

}  // namespace

TEST_CASE("small rounds of some clients leak no more than their slots' worst case, nor than the blanket's") {
  const Ball::Precision bits(128);
  std::mt19937_64 random(3);
  double closest = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double eps0 = std::uniform_real_distribution<double>(0.3, 3)(random);
    const int n = 2 + trial % 4, k = 1 + static_cast<int>(random() % static_cast<unsigned>(n - 1));
    const Rows rows = random_rows(random, 2 + trial % 3, eps0);
    std::vector<int> clients{0};
    const bool alike = random() % 2;
    const int third = static_cast<int>(random() % 3);
    for (int i = 1; i < n; ++i) clients.push_back(alike ? third : static_cast<int>(random() % 3));
    std::vector<double> weight(static_cast<std::size_t>(n) + 1, 0.0);
    weight[static_cast<std::size_t>(k)] = 1 / choose(n, k);
    const Law p = round_of(rows, clients, weight);
    clients[0] = 1;
    const Law q = round_of(rows, clients, weight);
    const double eps = std::uniform_real_distribution<double>(0, 0.7)(random) *
                       std::log1p(static_cast<double>(k) / n * std::expm1(eps0));
    const double delta = std::max(excess(p, q, eps), excess(q, p, eps));
    const double worst = supremum::sampled_delta(Ball(eps0), Ball(n), {{k, 1.0}}, Ball(eps), {.cell = 0.005});
    const own::Slots slots{static_cast<double>(k), Ball(k) / Ball(n)};
    const auto pair = own::blankets({.kind = Randomizer::Kind::rinf}, Ball(eps0));
    const double blanket = own::largest_delta(pair, slots, Ball(eps), {1e-3, 1e8}).upper();
    INFO("n=" << n << " k=" << k << " eps0=" << eps0 << " eps=" << eps);
    CHECK(delta <= worst * (1 + 1e-9));
    CHECK(delta <= blanket * (1 + 1e-9));
    CHECK(worst <= blanket * 1.01 + 1e-6);
    closest = std::max(closest, delta / worst);
  }
  CHECK(closest > 0.98);
}

TEST_CASE("small rounds of check-ins leak no more than the mean over their number") {
  const Ball::Precision bits(128);
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const double eps0 = std::uniform_real_distribution<double>(0.3, 3)(random), rate = 0.1 + 0.2 * (trial % 4);
    const int n = 2 + trial % 3;
    const Rows rows = random_rows(random, 2 + trial % 3, eps0);
    std::vector<int> clients{0};
    for (int i = 1; i < n; ++i) clients.push_back(static_cast<int>(random() % 3));
    std::vector<double> weight;
    for (int k = 0; k <= n; ++k) weight.push_back(std::pow(rate, k) * std::pow(1 - rate, n - k));
    const Law p = round_of(rows, clients, weight);
    clients[0] = 1;
    const Law q = round_of(rows, clients, weight);
    const double eps = std::uniform_real_distribution<double>(0, 0.5)(random) * rate * eps0;
    const own::Slots slots{static_cast<double>(n), Ball(1), Ball(rate), 1 - Ball(rate)};
    const auto pair = own::blankets({.kind = Randomizer::Kind::rinf}, Ball(eps0));
    INFO("n=" << n << " rate=" << rate << " eps0=" << eps0 << " eps=" << eps);
    CHECK(std::max(excess(p, q, eps), excess(q, p, eps)) <=
          own::largest_delta(pair, slots, Ball(eps), {1e-3, 1e8}).upper() * (1 + 1e-9));
  }
}

TEST_CASE("shuffled check-in and CLDP-SGD at their papers' settings are within a percent of what is attained") {
  struct Setting {
    const char *best, *blanket, *lower, *where;
  };
  for (const auto& [best, blanket, lower, where] :
       {Setting{"epsilary-shuffled-checkin-best-pld", "epsilary-shuffled-checkin-blanket-pld",
                "epsilary-lower-shuffled-checkin-ternary", "eps0=1 n=100000 gamma=0.001 T=1000 delta=1e-5"},
        {"epsilary-cldp-sgd-best-pld", "epsilary-cldp-sgd-blanket-pld", "epsilary-lower-cldp-sgd-ternary",
         "eps0=1 clients=60000 per_round=10000 T=100 delta=1e-5"}}) {
    INFO(where);
    const Ball mine = at::proved(best, where, 6), attained = at::proved(lower, where, 6);
    CHECK(mine.upper() >= attained.lower());
    CHECK(mine.upper() <= 1.01 * attained.lower());
    CHECK(mine.upper() < at::proved(blanket, where, 6).lower());
  }
}

TEST_CASE("two small rounds of a known randomizer leak at least what is said, every outcome written out") {
  for (const auto& [name, rows] : {std::pair<std::string, int>{"krr:3", 3}, {"krr:2", 2}, {"krr:5", 5}}) {
    const double eps0 = 1.5, e = std::exp(eps0);
    Rows matrix(3, std::vector<double>(static_cast<std::size_t>(rows), 1 / (e + rows - 1)));
    for (std::size_t x = 0; x < 3; ++x) matrix[x][std::min<std::size_t>(x, static_cast<std::size_t>(rows) - 1)] *= e;
    const std::string where = "randomizer=" + name + " eps0=1.5 clients=6 per_round=4 T=2 delta=0.02";
    const Ball below = at::proved("epsilary-lower-cldp-sgd-randomizer", where, 6),
               above = at::proved("epsilary-cldp-sgd-randomizer", where, 6);
    INFO(where);
    CHECK(below.lower() <= above.upper());
    // The worst of all equal data at the epsilon found still leaks delta.
    double most = 0;
    for (int a = 0; a < std::min(rows, 3); ++a)
      for (int b = 0; b < std::min(rows, 3); ++b)
        for (int third = 0; third < std::min(rows, 3) && a != b; ++third) {
          std::vector<int> clients(6, third);
          const std::vector<double> weight{0, 0, 0, 0, 1 / choose(6, 4), 0, 0};
          clients[0] = a;
          const Law p = round_of(matrix, clients, weight);
          clients[0] = b;
          const Law q = round_of(matrix, clients, weight);
          double sum = 0;
          for (const auto& [s, mass_s] : p)
            for (const auto& [t, mass_t] : p)
              sum += std::max(0.0, mass_s * mass_t - std::exp(below.lower()) * q.at(s) * q.at(t));
          most = std::max(most, sum);
        }
    CHECK(most >= 0.02 * (1 - 1e-9));
    CHECK(most <= 0.02 * 1.1);
  }
}

TEST_CASE("a known randomizer under sampling is between its lower bound and what holds for every one") {
  const std::string cldp = " eps0=1 clients=6000 per_round=1000 T=50 delta=1e-5";
  for (const std::string name : {"krr:16", "laplace"}) {
    const Ball above = at::proved("epsilary-cldp-sgd-randomizer", "randomizer=" + name + cldp, 6),
               below = at::proved("epsilary-lower-cldp-sgd-randomizer", "randomizer=" + name + cldp, 6);
    INFO(name);
    CHECK(below.lower() <= above.upper());
    CHECK(above.upper() < at::proved("epsilary-cldp-sgd-blanket-pld", cldp.substr(1), 6).upper());
  }
  // Its own blanket in the slots, for every randomizer, against the blanket's pair thinned by subsampling.
  CHECK(at::proved("epsilary-cldp-sgd-randomizer", "randomizer=rinf" + cldp, 6).upper() <
        at::proved("epsilary-cldp-sgd-blanket-pld", cldp.substr(1), 6).lower() * 1.001);
  CHECK(at::refusal("epsilary-lower-cldp-sgd-randomizer", "randomizer=krr:4 records=3" + cldp) ==
        "one record a client");
}

TEST_CASE("an epoch of check-ins: lower <= supremum <= blanket <= Corollary 3.3, and one repetition is one window") {
  const std::string epoch = "eps0=1 n=10000 m=100 delta=1e-6";
  const Ball lower = at::proved("epsilary-lower-epoch", epoch, 6),
             worst = at::proved("epsilary-epoch-supremum-pld", epoch, 6),
             blanket = at::proved("epsilary-epoch-blanket-pld", epoch, 6);
  CHECK(lower.lower() < worst.upper());
  CHECK(worst.upper() < 0.9 * blanket.lower());
  CHECK(blanket.upper() < 0.05 * at::number("balle2020-cor3.3", epoch));
  const Ball once = at::proved("epsilary-epoch-supremum-pld", "eps0=1 n=200 m=200 delta=1e-6", 6),
             window = at::proved("epsilary-checkin-supremum", "eps0=1 m=200 p0=1 delta=1e-6", 6);
  CHECK(once.upper() >= window.lower());
  CHECK(once.upper() <= 1.02 * window.upper());
  const Ball least = at::proved("epsilary-lower-epoch", "eps0=1 n=200 m=200 delta=1e-6", 6);
  const double exact = std::max(at::number("epsilary-lower-rr-fixed", "eps0=1 m=200 n=200 p0=1 delta=1e-6"),
                                at::number("epsilary-lower-rr3-fixed", "eps0=1 m=200 n=200 p0=1 delta=1e-6"));
  CHECK(least.lower() <= exact);
  CHECK(least.lower() >= 0.99 * exact);
}

TEST_CASE("rounds of a shuffle cost at least what is attained, within a percent of what is proved") {
  const std::string where = "eps0=1 n=300 T=30 delta=1e-6";
  const Ball lower = at::proved("epsilary-lower-shuffle-rounds", where, 6),
             best = at::proved("epsilary-shuffle-best-pld", where, 6);
  CHECK(lower.lower() <= best.upper());
  CHECK(best.upper() <= 1.03 * lower.lower());
}

TEST_CASE("rounds of the blanket's pair hold what every outcome written out gives") {
  for (const auto& [id, params, value, digits] : reference::brackets("blanket_rounds.csv")) {
    INFO(params);
    const Ball found = at::proved(id, params, 6);
    const Ball::Precision bits(128);
    const Ball exact{Decimal(value).exact()};
    CHECK(found.overlaps(Ball::hull(exact * (1 - Ball(1e-20)), exact * (1 + Ball(1e-20)))));
    CHECK(is_narrow(found, 0.01));
  }
}

TEST_CASE("divergences of the blanket's pair: one report is randomised response, and never above the clones'") {
  for (const char* const lambda : {"1.5", "2", "7"}) {
    const double e = std::exp(1.0), l = std::stod(lambda), p = e / (e + 1), q = 1 / (e + 1);
    const double alone = std::log(std::pow(p, l) * std::pow(q, 1 - l) + std::pow(q, l) * std::pow(p, 1 - l)) / (l - 1);
    CHECK(at::number("epsilary-subsampled-blanket", "eps0=1 n=1 per_round=1 lambda=" + std::string(lambda)) ==
          doctest::Approx(alone).epsilon(1e-12));
    for (const char* const where : {"eps0=1 n=1000 per_round=100 lambda=", "eps0=3 n=100 per_round=100 lambda="})
      CHECK(at::number("epsilary-subsampled-blanket", where + std::string(lambda)) <
            at::number("epsilary-subsampled-clones", where + std::string(lambda)));
    const std::string checkin = "eps0=1 n=10000 gamma=0.01 lambda=" + std::string(lambda);
    CHECK(at::proved("epsilary-shuffled-checkin-blanket-rdp", checkin, 6).upper() <
          at::proved("epsilary-shuffled-checkin-rdp", checkin, 6).lower());
  }
  const std::string rounds = "eps0=1 n=10000 gamma=0.01 T=100 delta=1e-6";
  CHECK(at::proved("epsilary-shuffled-checkin-blanket-pld", rounds, 6).upper() <
        at::proved("epsilary-shuffled-checkin-blanket-rdp", rounds, 6).lower());
}

TEST_CASE("where delta is below doubles the pivot is answered by the blanket") {
  const Ball pivot = at::evaluated("epsilary-shuffle-pivot", "eps0=1 n=100000 delta=1e-400", 6).answer().value,
             blanket = at::proved("epsilary-shuffle-blanket", "eps0=1 n=100000 delta=1e-400", 8);
  CHECK(pivot.upper() < 1.02 * blanket.upper());
  CHECK(pivot.upper() > at::number("epsilary-lower-rr3", "eps0=1 n=100000 delta=1e-400"));
  const Ball delta = at::evaluated("epsilary-shuffle-pivot", "eps0=1 n=10000 eps=0.6", 6).answer().value;
  CHECK(certainly(delta.upper_end() < Ball(1e-300)));
  CHECK(certainly(delta.upper_end() > at::proved("epsilary-lower-rr3", "eps0=1 n=10000 eps=0.6", 8)));
}
