// The losses of the steps composed: against every outcome of a few steps, against a lattice, and down the tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bounds/theory/shuffle/steps.hpp"
#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using steps::Sequence;
using Played = steps::StepResponse;

namespace {

std::vector<double> epsilons(const Sequence<double>& s) {
  std::vector<double> out;
  if (s.first > 0) out.push_back(s.first);
  for (double i = 0; i < s.count; ++i) out.push_back(s.at(i));
  return out;
}

// sum over all outcomes +, -, 0 of every step of (P - e^eps Q)_+.
double written_out(Played response, double eps0, const std::vector<double>& steps, double eps) {
  double sum = 0;
  const auto visit = [&](const auto& self, std::size_t i, double p, double q) -> void {
    if (i == steps.size()) {
      sum += std::max(0.0, p - std::exp(eps) * q);
      return;
    }
    const double e = steps[i], g = 1 / (1 + std::exp(response == Played::full ? e : eps0)), up = g * std::exp(e);
    self(self, i + 1, p * up, q * g);
    self(self, i + 1, p * g, q * up);
    if (response == Played::lazy) self(self, i + 1, p * (1 - g - up), q * (1 - g - up));
  };
  visit(visit, 0, 1, 1);
  return sum;
}

// Connect the dots: an outcome of loss e and mass g under Q goes to the lattice points around e so that the means of
// e^loss and of 1 under Q stay; then products, step by step. An upper bound up to rounding.
double on_lattice(Played response, double eps0, const std::vector<double>& steps, double delta, long double h,
                  long most) {
  std::vector<long double> p(static_cast<std::size_t>(2 * most + 1)), next(p.size());
  p[static_cast<std::size_t>(most)] = 1;
  long double infinite = 0;
  for (const double step : steps) {
    const long double e = step, g = 1 / (1 + std::exp(response == Played::full ? e : static_cast<long double>(eps0)));
    std::vector<std::pair<long, long double>> atoms{{0, 1 - g - g * std::exp(e)}};
    for (const auto& [loss, mass] : {std::pair{e, g}, std::pair{-e, g * std::exp(e)}}) {
      const long k = std::lround(std::floor(loss / h));
      const long double low = std::exp(static_cast<long double>(k) * h), high = low * std::exp(h);
      const long double t = (std::exp(loss) - low) / (high - low);
      atoms.emplace_back(k, mass * (1 - t) * low);
      atoms.emplace_back(k + 1, mass * t * high);
    }
    std::fill(next.begin(), next.end(), 0.0L);
    for (long i = -most; i <= most; ++i) {
      const long double here = p[static_cast<std::size_t>(i + most)];
      if (here == 0) continue;
      for (const auto& [k, mass] : atoms) {
        if (i + k > most)
          infinite += here * mass;
        else
          next[static_cast<std::size_t>(std::max(i + k, -most) + most)] += here * mass;
      }
    }
    p.swap(next);
  }
  long double above = infinite, ratio = 0, eps = 0;  // P and Q beyond the point
  for (long k = most; k > -most; --k) {
    const long double mass = p[static_cast<std::size_t>(k + most)], x = static_cast<long double>(k) * h;
    above += mass;
    ratio += mass * std::exp(-x);
    if (above <= delta) continue;
    eps = std::log((above - delta) / ratio);
    if (eps >= x - h) break;
  }
  return static_cast<double>(std::max(0.0L, eps));
}

Ball bracket(const std::string& id, const std::string& where) { return at::proved(id, where, 6); }

}  // namespace

TEST_CASE("a few steps: both ends of the bracket are right about the sum over all outcomes") {
  for (const double eps0 : {0.3, 4.0})
    for (const int slots : {1, 2, 5, 8})
      for (const char* delta : {"1e-3", "1e-12"}) {
        const std::string where =
            "eps0=" + Decimal::nearest(eps0, 6).text() + " m=" + std::to_string(slots) + " p0=0.7 delta=" + delta;
        const double d = std::stod(delta);
        const auto all = epsilons(steps::fixed_window(eps0, double(slots), 0.7));
        for (const auto& [id, response] : {std::pair{"epsilary-checkin-lazy-pld", Played::lazy},
                                           std::pair{"epsilary-checkin-response-pld", Played::full}}) {
          INFO(id << " " << where);
          const Ball b = bracket(id, where);
          CHECK(written_out(response, eps0, all, b.upper()) <= d * (1 + 1e-9));
          if (b.upper() > 0) CHECK(written_out(response, eps0, all, b.lower()) >= d * (1 - 1e-9));
          CHECK(b.upper() - b.lower() <= 5e-4 * b.upper());
        }
      }
}

TEST_CASE("connect the dots on the stated lattices, and on finer ones towards the bracket") {
  int lattices = 0;
  for (const reference::Part& l : reference::parts("tightness.csv")) {
    if (!l.name.starts_with("lattice")) continue;
    ++lattices;
    const Played response = l.name == "lattice-lazy" ? Played::lazy : Played::full;
    const double eps0 = std::stod(l.at("eps0")), delta = std::stod(l.at("delta")), value = std::stod(l.value);
    const bool swaps = !l.at("n").empty();
    const Sequence<double> sequence = swaps ? steps::shuffle(eps0, std::stod(l.at("n")))
                                            : steps::fixed_window(eps0, std::stod(l.at("m")), std::stod(l.at("p0")));
    const long double h = std::stold(l.at("h"));
    const long most = std::stol(l.at("kmax"));
    const std::string id = std::string(swaps ? "epsilary-shuffle" : "epsilary-checkin") +
                           (response == Played::lazy ? "-lazy-pld" : "-response-pld"),
                      where = l.words.substr(0, l.words.find(" h="));
    INFO(id << " " << where);
    const auto all = epsilons(sequence);
    const double coarse = on_lattice(response, eps0, all, delta, h, most),
                 fine = on_lattice(response, eps0, all, delta, h / 8, 8 * most);
    CHECK(coarse == doctest::Approx(value).epsilon(1e-12));
    const Ball b = bracket(id, where);
    CHECK(b.lower() <= fine);
    CHECK(fine <= coarse);
    // Second order: an eighth of the step leaves about a 64th of the excess.
    CHECK(fine <= b.upper() + (coarse - b.lower()) / 20);
  }
  CHECK(lattices == 8);
}

namespace {

// As tabulated from lattices in double, and a unit of the last digit printed. Where eps_i spans decades those lattices
// are coarse, and the whole bracket lies below the table.
struct Tabulated {
  const char *where, *full, *lazy;  // upper ends rounded up
  double table_full, table_lazy, full_unit, lazy_unit;
  bool coarse = false;
};

void check_line(const std::string& protocol, const Tabulated& l) {
  INFO(l.where);
  const Ball full = bracket("epsilary-" + protocol + "-response-pld", l.where),
             lazy = bracket("epsilary-" + protocol + "-lazy-pld", l.where);
  CHECK(decimal(full, 4, Rounding::up) == l.full);
  CHECK(decimal(lazy, 4, Rounding::up) == l.lazy);
  for (const auto& [b, table, unit] :
       {std::tuple{full, l.table_full, l.full_unit}, std::tuple{lazy, l.table_lazy, l.lazy_unit}}) {
    CHECK(b.upper() - b.lower() <= 5e-4 * b.upper());
    CHECK(b.upper() <= table + 0.55 * unit);
    CHECK(b.lower() >= (l.coarse ? 0.98 * table : table - 1.001 * unit));
  }
  CHECK(lazy.upper() <= full.upper());
}

}  // namespace

TEST_CASE("shuffling at delta = 1e-6: optimal composition of full and of mostly silent responses") {
  for (const Tabulated& l : {Tabulated{"eps0=0.1 n=1000 delta=1e-6", "0.01201", "0.01168", .01200, .01168, 1e-5, 1e-5},
                             Tabulated{"eps0=0.5 n=1000 delta=1e-6", "0.1622", "0.1396", .1621, .1396, 1e-4, 1e-4},
                             Tabulated{"eps0=1 n=10000 delta=1e-6", "0.2999", "0.2154", .3000, .2154, 1e-4, 1e-4, true},
                             Tabulated{"eps0=2 n=100000 delta=1e-6", "1.792", "0.8252", 1.795, .826, 1e-3, 1e-3, true},
                             Tabulated{"eps0=3 n=1000000 delta=1e-6", "9.141", "2.396", 9.29, 2.407, 1e-2, 1e-3, true}})
    check_line("shuffle", l);
}

TEST_CASE("check-ins at delta = 1e-6: optimal composition of full and of mostly silent responses") {
  for (const Tabulated& l :
       {Tabulated{"eps0=0.5 m=1000 p0=1 delta=1e-6", "0.09515", "0.08189", .0951, .0819, 1e-4, 1e-4},
        Tabulated{"eps0=0.5 m=1000 p0=0.1 delta=1e-6", "0.006144", "0.005265", .00614, .00526, 1e-5, 1e-5},
        Tabulated{"eps0=1 m=10000 p0=1 delta=1e-6", "0.1031", "0.07391", .1031, .0739, 1e-4, 1e-4},
        Tabulated{"eps0=1 m=10000 p0=0.1 delta=1e-6", "0.005130", "0.003643", .00513, .00364, 1e-5, 1e-5},
        Tabulated{"eps0=2 m=10000 p0=1 delta=1e-6", "0.7154", "0.3326", .7162, .3329, 1e-4, 1e-4, true},
        Tabulated{"eps0=2 m=10000 p0=0.1 delta=1e-6", "0.02180", "0.01000", .02179, .01000, 1e-5, 1e-5},
        Tabulated{"eps0=4 m=10000 p0=0.1 delta=1e-6", "0.2153", "0.03628", .2153, .0363, 1e-4, 1e-4},
        Tabulated{"eps0=4 m=100000 p0=0.01 delta=1e-6", "0.004901", "0.0007616", .00491, .000762, 1e-5, 1e-6}})
    check_line("checkin", l);
}

TEST_CASE("sliding and averaged check-ins have the steps of a full window and of a shuffle") {
  for (const auto& [sliding, fixed] : {std::pair{"epsilary-sliding-lazy-pld", "epsilary-checkin-lazy-pld"},
                                       {"epsilary-sliding-response-pld", "epsilary-checkin-response-pld"}})
    CHECK(bracket(sliding, "eps0=1 m=300 delta=1e-6").overlaps(bracket(fixed, "eps0=1 m=300 p0=1 delta=1e-6")));
  for (const auto& [averaged, shuffled] : {std::pair{"epsilary-averaged-lazy-pld", "epsilary-shuffle-lazy-pld"},
                                           {"epsilary-averaged-response-pld", "epsilary-shuffle-response-pld"}})
    CHECK(bracket(averaged, "eps0=1 n=300 delta=1e-6").overlaps(bracket(shuffled, "eps0=1 n=300 delta=1e-6")));
}

TEST_CASE("losses composed never exceed their divergence converted, at any size and delta") {
  for (const char* where : {"eps0=0.01 n=50 delta=0.001", "eps0=8 n=40 delta=1e-30",
                            "eps0=2 n=1000000000000 delta=1e-100", "eps0=1 n=1 delta=1e-6"})
    for (const std::string kind : {"lazy", "response"}) {
      INFO(kind << " " << where);
      const Evaluation e = at::evaluated("epsilary-shuffle-" + kind + "-pld", where, 6);
      REQUIRE(e.certified);
      CHECK(e.answer().value.upper() <= at::in_double("epsilary-shuffle-" + kind, where) * (1 + 1e-9));
    }
}

TEST_CASE("where there is nothing to lose, and where the count ends") {
  for (const std::string kind : {"lazy", "response"}) {
    CHECK(at::evaluated("epsilary-checkin-" + kind + "-pld", "eps0=1 m=100 p0=0 delta=1e-6").answer().value.is_zero());
    CHECK(at::proved("epsilary-checkin-" + kind + "-pld", "eps0=0.01 m=1000 p0=0.1 delta=0.1", 6).is_zero());
    CHECK(at::refusal("epsilary-shuffle-" + kind + "-pld", "eps0=1 n=1e13 delta=1e-6") ==
          "n <= 10^12; for more use epsilary-shuffle-" + kind);
  }
}
