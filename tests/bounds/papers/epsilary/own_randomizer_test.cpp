// A known randomizer in a shuffle and in random check-ins: against its whole matrix, against small protocols written
// out, against the literature, and against what holds for every randomizer.
#include <cmath>
#include <map>
#include <random>

#include "bounds/core/randomizer.hpp"
#include "solvers/search/bracket.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

using Rows = std::vector<std::vector<double>>;

// The histogram of the reports of these users.
std::map<std::vector<int>, double> reports_of(const Rows& rows, const std::vector<std::size_t>& users) {
  std::map<std::vector<int>, double> law{{std::vector<int>(rows.front().size(), 0), 1.0}};
  for (const std::size_t user : users) {
    std::map<std::vector<int>, double> next;
    for (const auto& [counts, mass] : law)
      for (std::size_t y = 0; y < counts.size(); ++y) {
        std::vector<int> more = counts;
        ++more[y];
        next[more] += mass * rows[user][y];
      }
    law = std::move(next);
  }
  return law;
}

// delta of a shuffle in which the first user holds one of two records.
double exact_delta(const Rows& rows, std::size_t first, std::size_t second, std::vector<std::size_t> others,
                   double eps) {
  others.push_back(first);
  const auto p = reports_of(rows, others);
  others.back() = second;
  const auto q = reports_of(rows, others);
  double delta = 0;
  for (const auto& [counts, mass] : p) {
    const auto at = q.find(counts);
    delta += std::max(0.0, mass - std::exp(eps) * (at == q.end() ? 0.0 : at->second));
  }
  return delta;
}

std::string text_of(const std::vector<std::vector<int>>& weights) {
  std::string out;
  for (const auto& row : weights) {
    int total = 0;
    for (const int w : row) total += w;
    if (!out.empty()) out += ";";
    for (std::size_t y = 0; y < row.size(); ++y)
      out += (y ? "|" : "") + std::to_string(row[y]) + "/" + std::to_string(total);
  }
  return out;
}

Ball bracket(const std::string& id, const std::string& params) { return at::proved(id, params, 6); }

}  // namespace

TEST_CASE("brackets hold what whole matrices give, every pair, way and record of the others tried") {
  for (const auto& [id, params, value, digits] : reference::brackets("own_randomizer.csv")) {
    INFO(id << " " << params);
    const Ball found = bracket(id, params), exact{Decimal(value).exact()};
    const Ball low = exact * (1 - Ball(1e-18)), high = exact * (1 + Ball(1e-18));
    CHECK(found.overlaps(Ball::hull(low, high)));
    CHECK(is_narrow(found, 1e-3));
  }
}

TEST_CASE(
    "small shuffles of random matrices leak no more than the upper bound, whatever the others hold, and the lower "
    "one") {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> weight(0, 6);
  double closest = 0;
  int reached = 0;  // the choices that leak most in many reports are mostly those in few
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<std::vector<int>> weights(3, std::vector<int>(3));
    for (auto& row : weights)
      for (int& w : row) w = trial % 4 ? weight(random) + 1 : weight(random);
    for (auto& row : weights) row[static_cast<std::size_t>(trial % 3)] += 1;
    Rows rows;
    for (const auto& row : weights) {
      double total = 0;
      for (const int w : row) total += w;
      rows.emplace_back();
      for (const int w : row) rows.back().push_back(w / total);
    }
    const int n = 2 + trial % 3;
    const double eps = 0.1 * (trial % 5);
    double worst = 0, equal = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        if (a == b) continue;
        std::vector<std::size_t> others(static_cast<std::size_t>(n - 1), 0);
        for (;;) {
          const double delta = exact_delta(rows, a, b, others, eps);
          worst = std::max(worst, delta);
          if (std::ranges::count(others, others.front()) == n - 1) equal = std::max(equal, delta);
          std::size_t i = 0;
          while (i < others.size() && ++others[i] == 3) others[i++] = 0;
          if (i == others.size()) break;
        }
      }
    const std::string params =
        "randomizer=" + text_of(weights) + " n=" + std::to_string(n) + " eps=" + Decimal::nearest(eps, 3).text();
    INFO(params);
    const Ball upper = bracket("epsilary-shuffle-randomizer", params),
               lower = bracket("epsilary-lower-shuffle-randomizer", params);
    CHECK(worst <= upper.upper() * (1 + 1e-12));
    CHECK(lower.lower() <= equal * (1 + 1e-12));
    reached += lower.upper() >= equal * (1 - 1e-12);
    closest = std::max(closest, upper.upper() > 0 ? worst / upper.upper() : 0);
  }
  CHECK(closest > 0.99);
  CHECK(reached >= 30);
}

TEST_CASE("a matrix and its name give the same, and two ways to write one matrix") {
  // e^eps0 = 3: k-RR in fractions. log 3 as eps0 of the name, rounded.
  const char* const matrix = "1/2|1/6|1/6|1/6;1/6|1/2|1/6|1/6;1/6|1/6|1/2|1/6;1/6|1/6|1/6|1/2";
  const char* const split = "0.25|0.25|1/6|1/6|1/6;1/12|1/12|1/2|1/6|1/6;1/12|1/12|1/6|1/2|1/6;1/12|1/12|1/6|1/6|1/2";
  for (const char* const where : {" n=1000 eps=0.1", " n=1000000 delta=1e-6", " n=7 eps=0.3"})
    for (const char* const id : {"epsilary-shuffle-randomizer", "epsilary-lower-shuffle-randomizer"}) {
      const Ball by_name = bracket(id, std::string("randomizer=krr:4 eps0=1.098612288668109691395245236923") + where);
      for (const char* const rows : {matrix, split}) {
        const Ball by_rows = bracket(id, std::string("randomizer=") + rows + where);
        CHECK(by_rows.upper() <= by_name.upper() * (1 + 1e-9));
        CHECK(by_rows.lower() >= by_name.lower() * (1 - 1e-9));
      }
    }
  CHECK(at::proved("epsilary-randomizer", std::string("randomizer=") + matrix).overlaps(log(Ball(3))));
}

TEST_CASE("a known randomizer is between its lower bound and what holds for every one") {
  for (const char* const name :
       {"krr:2", "krr:3", "krr:16", "subset:16|4", "hadamard:16", "rappor:8", "oue:8", "hash:4", "rinf", "laplace"})
    for (const char* const where : {" eps0=1 n=10000 delta=1e-6", " eps0=3 n=100000 delta=1e-6"}) {
      INFO(name << where);
      const std::string params = "randomizer=" + std::string(name) + where;
      const Ball upper = bracket("epsilary-shuffle-randomizer", params),
                 lower = bracket("epsilary-lower-shuffle-randomizer", params);
      CHECK(lower.lower() <= upper.upper());
      CHECK(upper.lower() <= at::in_double("epsilary-shuffle-blanket", std::string(where).substr(1)) * (1 + 1e-6));
    }
  // R_infinity is the worst for the blanket: its pair itself.
  for (const char* const where : {"eps0=1 n=10000 delta=1e-6", "eps0=3 n=1000000 delta=1e-6",
                                  "eps0=5 n=1000000 eps=0.1", "eps0=8 n=1000000000 eps=0.01"})
    CHECK(bracket("epsilary-shuffle-randomizer", std::string("randomizer=rinf ") + where)
              .overlaps(at::proved("epsilary-shuffle-blanket", where, 10)));
}

TEST_CASE("k-RR and Laplace noise by their blankets, exactly, are below the inequalities of Balle et al. 2019") {
  for (const char* const where : {" eps0=1 n=10000 delta=1e-6", " eps0=0.5 n=1000000 delta=1e-8"}) {
    for (const char* const k : {"2", "16"}) {
      const Ball own = bracket("epsilary-shuffle-randomizer", "randomizer=krr:" + std::string(k) + where);
      for (const char* const id : {"balle2019-bennett-rr", "balle2019-hoeffding-rr"})
        CHECK(own.upper() < at::number(id, "k=" + std::string(k) + where));
    }
    const Ball noise = bracket("epsilary-shuffle-randomizer", std::string("randomizer=laplace") + where);
    CHECK(noise.upper() < at::number("balle2019-bennett-laplace", std::string(where).substr(1)));
  }
}

TEST_CASE("three numbers: with those of all eps0-LDP randomizers they are the blanket's pair") {
  // P = Q = e, B = (e-1)/(e+1) at e = 3.
  const Ball numbers = bracket("epsilary-shuffle-variation", "randomizer=variation:3|3|0.5 n=10000 delta=1e-6");
  CHECK(numbers.overlaps(bracket("epsilary-shuffle-randomizer", "randomizer=3/4|1/4;1/4|3/4 n=10000 delta=1e-6")));
  const Ball nearer = bracket("epsilary-shuffle-variation", "randomizer=variation:3|3|0.4 n=10000 delta=1e-6");
  const Ball thinner = bracket("epsilary-shuffle-variation", "randomizer=variation:3|4|0.5 n=10000 delta=1e-6");
  CHECK(nearer.upper() < numbers.lower());
  CHECK(thinner.lower() > numbers.upper());
}

TEST_CASE("T rounds: small ones exactly, and many by another way") {
  // tests of the blanket's pair, enumerated: delta of T rounds at eps, turned round. The chords are above by little.
  const struct {
    const char *where, *delta;
    double eps;
  } exact[] = {{"eps0=1 n=3 T=2 delta=", "0.26352355783208669890", 0.5},
               {"eps0=1 n=3 T=3 delta=", "0.34953676651514275829", 0.5},
               {"eps0=0.5 n=6 T=3 delta=", "0.08739614164658512968", 0.2}};
  for (const auto& [where, delta, eps] : exact) {
    const Ball found = bracket("epsilary-shuffle-randomizer", "randomizer=rinf " + std::string(where) + delta);
    CHECK(found.upper() >= eps);
    CHECK(found.upper() <= eps * 1.002);
  }
  const Ball many = bracket("epsilary-shuffle-randomizer", "randomizer=rinf eps0=1 n=10000 T=100 delta=1e-6");
  const Ball other = bracket("epsilary-cldp-sgd-blanket-pld", "eps0=1 clients=10000 per_round=10000 T=100 delta=1e-6");
  CHECK(many.upper() >= other.lower());
  CHECK(many.upper() <= other.upper() * 1.003);
}

TEST_CASE("a randomizer brings its eps0, and delta0 where an output gives an input away") {
  const Point pure = reference::parse_point("randomizer=1/2|1/2;1/4|3/4"),
              leaks = reference::parse_point("randomizer=1/2|1/2|0;1/4|1/2|1/4");
  CHECK(pure[Param::eps0].text() == "0.69314718055994531");
  CHECK_FALSE(pure.has(Param::delta0));
  CHECK(leaks[Param::delta0].exact() == Rational(1) / Rational(4));
  CHECK_THROWS_WITH(reference::parse_point("eps0=1 randomizer=1/2|1/2;1/4|3/4"),
                    "eps0 is given, and the randomizer 1/2,1/2;1/4,3/4 brings its own");
  // No epsilon is enough for a delta below what is given away.
  CHECK(at::refusal("epsilary-shuffle-randomizer", "randomizer=1/2|1/2|0;1/4|1/2|1/4 n=100 delta=1e-6")
            .starts_with("a delta above"));
  CHECK(bracket("epsilary-shuffle-randomizer", "randomizer=999/1000|1/1000|0;1/2|499/1000|1/1000 n=1000 delta=0.01")
            .upper() < 1);
  // What holds for every eps0-LDP randomizer from below says nothing of this one.
  CHECK(at::refusal("epsilary-lower-rr", "randomizer=krr:16 eps0=1 n=10000 delta=1e-6") ==
        "a randomizer of its own choice");
}

TEST_CASE("what is no randomizer is refused with the place and the rule") {
  const auto refusal = [](const char* text) -> std::string {
    try {
      parse_randomizer(text);
    } catch (const BadRandomizer& bad) {
      return bad.what();
    }
    return "";
  };
  CHECK(refusal("1/2,1/2;1/2,1/3") ==
        "row 2 adds up to 0.83333333333333333, not to 1; write exact decimals or fractions such as 1/3");
  CHECK(refusal("1/2,1/2;3/2,-1/2") == "row 2, entry 2 is negative");
  CHECK(refusal("1/2,1/2;1") == "row 2 has 1 entries, the first has 2");
  CHECK(refusal("1/2,,1/2;1/2,1/4,1/4") == "an entry is missing");
  CHECK(refusal("1/2,1/0;1/2,1/2") == "'1/0' divides by zero");
  CHECK(refusal("krr:1") == "'krr:1' is not krr:K, K an integer, 2 <= K <= 10^9");
  CHECK(refusal("subset:4") == "'subset:4' is not subset:K,D, integers K >= 2 and 1 <= D < K, K <= 100000");
  CHECK(refusal("hadamard:12") == "'hadamard:12' is not hadamard:K, K a power of two, 4 <= K <= 10^9");
  CHECK(refusal("variation:2,1,0.5") ==
        "'variation:2,1,0.5' is not variation:P,Q,B, P > 1, 0 < B <= (P-1)/(P+1), and Q >= 1 + B");
  CHECK(refusal("nosuch.csv") == "'nosuch.csv' is not a randomizer, and no such file can be read");
}

TEST_CASE("hundreds of outputs of two kinds are as good as those kinds") {
  std::string text;
  for (const int first : {3, 1}) {
    if (!text.empty()) text += ";";
    for (int y = 0; y < 200; ++y) text += (y ? "|" : "") + std::to_string(y % 2 ? 4 - first : first) + "/400";
  }
  CHECK(bracket("epsilary-shuffle-randomizer", "randomizer=" + text + " n=10000 delta=1e-6")
            .overlaps(bracket("epsilary-shuffle-randomizer", "randomizer=3/4|1/4;1/4|3/4 n=10000 delta=1e-6")));
}

TEST_CASE("rounds of the sharpest bound lie between what is attained and the blanket's rounds") {
  const char* const sampled = "eps0=1 clients=60000 per_round=10000 T=100 delta=1e-5";
  const Ball some = bracket("epsilary-cldp-sgd-best-pld", sampled);
  CHECK(some.upper() < 0.92 * bracket("epsilary-cldp-sgd-blanket-pld", sampled).lower());
  CHECK(some.upper() > bracket("epsilary-lower-cldp-sgd-ternary", sampled).lower());
  CHECK(some.upper() < 1.03 * bracket("epsilary-lower-cldp-sgd-ternary", sampled).lower());
  // All clients in every round: no less than the Gaussian mechanism of many reports, and not much more.
  const Ball all = bracket("epsilary-shuffle-best-pld", "eps0=1 n=1000 T=100 delta=1e-6");
  const double limit = at::in_double("vandijk2022-gdp-epsilon", "mu=0.35376710 delta=1e-6");
  CHECK(all.upper() > limit);
  CHECK(all.upper() < 1.03 * limit);
  // One report, one round: randomised response itself.
  const Ball alone = bracket("epsilary-shuffle-best-pld", "eps0=1 n=1 T=1 delta=0.001");
  CHECK(alone.upper() >= 0.99863118415772);
  CHECK(alone.upper() <= 1.0001);
}

TEST_CASE("the limit is what the lower bounds come to, and the sharpest bound too") {
  for (const char* const eps0 : {"0.5", "1", "3"}) {
    const std::string where = "eps0=" + std::string(eps0) + " n=1000000 delta=1e-6";
    const double limit = at::in_double("epsilary-shuffle-limit", where);
    const double lower =
        std::max(at::in_double("epsilary-lower-rr", where), at::in_double("epsilary-lower-rr3", where));
    CHECK(limit == doctest::Approx(lower).epsilon(0.01));
  }
}
