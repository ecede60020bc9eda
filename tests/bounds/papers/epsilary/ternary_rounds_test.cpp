// Rounds of ternary response: small ones with every outcome written out, and against binary response and the limit.
#include <array>
#include <cmath>
#include <map>

#include "solvers/search/bracket.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

using Law = std::map<std::vector<int>, double>;  // number of reports, ones and twos

// A round: `reporting` of a population whose first member holds 1 or 2 and all others 0; the histogram of the reports.
void add_round(Law& law, double weight, int reports, bool with_record, int record, double eps0) {
  const double e = std::exp(eps0), total = e + 2;
  Law sums{{{reports, 0, 0}, weight}};
  for (int i = 0; i < reports; ++i) {
    const int holds = i == 0 && with_record ? record : 0;
    Law next;
    for (const auto& [shown, mass] : sums)
      for (int y = 0; y < 3; ++y) {
        std::vector<int> more = shown;
        if (y > 0) ++more[static_cast<std::size_t>(y)];
        next[more] += mass * (y == holds ? e : 1) / total;
      }
    sums = std::move(next);
  }
  for (const auto& [shown, mass] : sums) law[shown] += mass;
}

double binomial(int n, int k, double p) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) * std::pow(p, k) *
         std::pow(1 - p, n - k);
}

Law checkin_round(int n, double gamma, int record, double eps0) {
  Law law;
  for (int k = 0; k <= n; ++k) {
    const double r = static_cast<double>(k) / n;
    if (r > 0) add_round(law, binomial(n, k, gamma) * r, k, true, record, eps0);
    if (r < 1) add_round(law, binomial(n, k, gamma) * (1 - r), k, false, record, eps0);
  }
  return law;
}
Law chosen_round(int clients, int k, int record, double eps0) {
  Law law;
  const double r = static_cast<double>(k) / clients;
  add_round(law, r, k, true, record, eps0);
  if (r < 1) add_round(law, 1 - r, k, false, record, eps0);
  return law;
}

// Two rounds, every pair of outcomes.
double delta_of_two(const Law& p, const Law& q, double eps) {
  double sum = 0;
  for (const auto& [a, mass_a] : p)
    for (const auto& [b, mass_b] : p) sum += std::max(0.0, mass_a * mass_b - std::exp(eps) * q.at(a) * q.at(b));
  return sum;
}

}  // namespace

TEST_CASE("two small rounds of ternary response lie in the brackets, every outcome written out") {
  for (const double eps0 : {0.5, 2.0}) {
    const std::string e0 = "eps0=" + Decimal::nearest(eps0, 3).text();
    for (const double eps : {0.1}) {
      const std::string at = " T=2 eps=" + Decimal::nearest(eps, 3).text();
      const double few = delta_of_two(checkin_round(5, 0.4, 1, eps0), checkin_round(5, 0.4, 2, eps0), eps);
      const Ball checkins = at::proved("epsilary-lower-shuffled-checkin-ternary", e0 + " n=5 gamma=0.4" + at, 6);
      const double some = delta_of_two(chosen_round(7, 3, 1, eps0), chosen_round(7, 3, 2, eps0), eps);
      const Ball chosen = at::proved("epsilary-lower-cldp-sgd-ternary", e0 + " clients=7 per_round=3" + at, 6);
      INFO(e0 << at);
      CHECK(checkins.lower() <= few * (1 + 1e-9));
      CHECK(checkins.upper() >= few * (1 - 1e-9));
      CHECK(chosen.lower() <= some * (1 + 1e-9));
      CHECK(chosen.upper() >= some * (1 - 1e-9));
      CHECK(is_narrow(chosen, 0.01));
    }
  }
}

TEST_CASE("from eps0 around 1 on ternary response leaks more than binary, and no more than what is proved") {
  const char* const cldp = "eps0=1 clients=60000 per_round=10000 T=100 delta=1e-5";
  const Ball ternary = at::proved("epsilary-lower-cldp-sgd-ternary", cldp, 6);
  CHECK(ternary.lower() > 1.03 * at::proved("epsilary-lower-cldp-sgd", cldp, 6).upper());
  const char* const checkins = "eps0=1 n=100000 gamma=0.001 T=1000 delta=1e-5";
  const Ball some = at::proved("epsilary-lower-shuffled-checkin-ternary", checkins, 6);
  CHECK(some.lower() > at::proved("epsilary-lower-shuffled-checkin", checkins, 6).upper());
  CHECK(some.lower() < at::proved("epsilary-shuffled-checkin-blanket-pld", checkins, 6).upper());
}
