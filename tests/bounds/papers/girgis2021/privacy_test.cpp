// Privacy of CLDP-SGD: the chain of bounds, its splits and compositions, and the Section 6 run.
#include "bounds/theory/cldp/privacy.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "bounds/core/units.hpp"
#include "tests/bounds/at.hpp"
#include "tests/bounds/papers/girgis2021/section6_ledger.hpp"

using namespace epsilary::bounds;

namespace {

const std::string training_run = "eps0=2 clients=60000 per_round=10000 T=480 delta=1e-5";
const std::vector<std::string> variants = {"", "-hoeffding", "-bennett", "-joint", "-tight", "-rr", "-bennett-rr"};

const std::vector<section6::LedgerRow>& ledger() {
  static const auto rows = section6::section6_ledger();
  return rows;
}

struct Reached {
  const char* variant;
  std::optional<long> five, ten;
};

}  // namespace

TEST_CASE("the explicit chain is shuffle, then subsampling, then composition, term by term") {
  // Theorem 1's split: delta~ = delta/(2 q T) for each round and delta/2 for the composition.
  const double q = 1.0 / 6, T = 480, delta = 1e-5;
  const double shuffled =
      blanket::epsilon(blanket::Stated{}, blanket::Reports<double>{2, 10000}, std::log(delta / (2 * q * T)));
  const double step = std::log(1 + q * (std::exp(shuffled) - 1));
  const double total = std::sqrt(2 * T * std::log(2 / delta)) * step + T * step * (std::exp(step) - 1);
  const Evaluation e = at::evaluated("girgis2021-thm1-privacy", training_run + " share=0.5");
  CHECK(e.answer().value.midpoint() == doctest::Approx(total).epsilon(1e-12));
  CHECK(e.answer().beside.at(0).value.midpoint() == doctest::Approx(shuffled).epsilon(1e-12));
  CHECK(e.answer().beside.at(1).value.midpoint() == doctest::Approx(step).epsilon(1e-12));
  CHECK(total == doctest::Approx(19.8765).epsilon(1e-5));
}

TEST_CASE("the best split of delta is reported and no other split is better") {
  for (const std::string& v : variants) {
    CAPTURE(v);
    const Evaluation best = at::evaluated("girgis2021-thm1-privacy" + v, training_run);
    REQUIRE(best.answer().at.size() == 1);
    CHECK(best.answer().at[0].param == Param::share);
    for (const char* share : {"0.01", "0.1", "0.3", "0.5", "0.7", "0.9", "0.99"})
      CHECK(certainly(best.answer().value <=
                      at::proved("girgis2021-thm1-privacy" + v, training_run + " share=" + share) * (1 + Ball(1e-12))));
  }
}

TEST_CASE("optimal composition is never above strong composition, at any split") {
  for (const std::string& v : variants)
    for (const char* point : {" share=0.5", " share=0.2", ""}) {
      CAPTURE(v);
      CHECK(certainly(at::proved("girgis2021-thm1-privacy" + v + "-optimal", training_run + point) <=
                      at::proved("girgis2021-thm1-privacy" + v, training_run + point)));
    }
}

TEST_CASE("a tighter shuffle bound gives a tighter run") {
  for (const char* point : {"eps0=2 clients=60000 per_round=10000 T=480 delta=1e-5 share=0.5",
                            "eps0=0.5 clients=1000 records=50 per_round=1000 T=1000 delta=1e-8 share=0.5",
                            "eps0=1 clients=1000000 per_round=100000 T=100 delta=1e-9 share=0.5"}) {
    const auto run = [&](const std::string& v) { return at::proved("girgis2021-thm1-privacy" + v, point); };
    CHECK(certainly(run("-rr") <= run("-tight")));
    CHECK(certainly(run("-tight") <= run("-joint")));
    CHECK(certainly(run("-joint") <= run("")));
    CHECK(certainly(run("-joint") <= run("-hoeffding")));
  }
}

TEST_CASE("records of one client count like more clients, and everyone every round is no subsampling") {
  const Ball one =
      at::proved("girgis2021-thm1-privacy", "eps0=1 clients=1000 records=50 per_round=1000 T=10 delta=1e-6");
  const Ball many = at::proved("girgis2021-thm1-privacy", "eps0=1 clients=50000 per_round=1000 T=10 delta=1e-6");
  CHECK(one.overlaps(many));
  const Evaluation all = at::evaluated("girgis2021-lem3-stated", "eps0=1 clients=5000 per_round=5000 delta=1e-6");
  CHECK(all.answer().value.overlaps(all.answer().beside.at(0).value));
  CHECK(all.answer().value.overlaps(at::proved("balle2019-stated", "eps0=1 n=5000 delta=1e-6")));
}

TEST_CASE("subsampling twice is subsampling once at the product of the rates") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 500; ++i) {
    const double eps = 8 * unit(random), first = unit(random), second = unit(random);
    CHECK(subsampled(subsampled(eps, first), second) ==
          doctest::Approx(subsampled(eps, first * second)).epsilon(1e-12));
    CHECK(subsampled(eps, first) <= first * std::expm1(eps) * (1 + 1e-15));
    CHECK(subsampled(eps, 1.0) == doctest::Approx(eps).epsilon(1e-14));
  }
}

TEST_CASE("a run behaves as its statement says when a parameter grows") {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const Bound* b : epsilary::bounds::all()) {
    if (!b->id.starts_with("girgis2021-thm1-privacy") && !b->id.starts_with("girgis2021-lem3")) continue;
    CAPTURE(b->id);
    for (int i = 0; i < 6; ++i) {
      Values<double> x;
      x.set(Param::eps0, 0.2 + 1.5 * unit(random));
      x.set(Param::per_round, std::floor(std::pow(10, 3 + 2 * unit(random))));
      x.set(Param::clients, std::floor(x[Param::per_round] * (1 + 20 * unit(random))));
      x.set(Param::T, std::floor(10 + 200 * unit(random)));
      x.set(Param::delta, std::pow(10, -4 - 6 * unit(random)));
      x.set(Param::share, 0.1 + 0.8 * unit(random));
      if (b->needs[0] == Param::q || b->needs[1] == Param::q) {
        x.set(Param::n, x[Param::clients]);
        x.set(Param::q, 0.05 + 0.5 * unit(random));
      }
      const auto value = [&](Param p, double factor) {
        Values<double> moved = x;
        moved.set(p, p == Param::T || p == Param::clients ? std::ceil(x[p] * factor) : x[p] * factor);
        return b->evaluate.in_double(moved).value;
      };
      for (const Param p : b->rises) CHECK(value(p, 1.2) >= value(p, 1) * (1 - 1e-12));
      for (const Param p : b->falls) CHECK(value(p, 1.2) <= value(p, 1) * (1 + 1e-12));
    }
  }
}

TEST_CASE("double and mp50 agree with the certified value of every shuffle and run bound at random points") {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto text = [](double x) { return Decimal::nearest(x, 6).text(); };
  for (const Bound* b : epsilary::bounds::all()) {
    const bool blanket = b->id.starts_with("balle2019-") || b->id.starts_with("epsilary-blanket-");
    if (!blanket && !b->id.starts_with("girgis2021-thm1-privacy")) continue;
    for (int i = 0; i < (blanket ? 12 : 3); ++i) {
      const double eps0 = 0.05 * std::pow(80, unit(random)), messages = std::floor(std::pow(10, 2 + 6 * unit(random)));
      const std::string point = "eps0=" + text(eps0) + " eps=" + text(eps0 * (0.05 + 0.9 * unit(random))) +
                                " k=" + text(std::floor(2 + 5 * unit(random))) + " n=" + text(messages) + " q=0.01" +
                                " per_round=" + text(messages) + " clients=" + text(messages * 4) +
                                " T=" + text(std::floor(1 + 300 * unit(random))) +
                                " delta=" + text(std::pow(10, -1 - 20 * unit(random))) +
                                " share=" + text(0.1 + 0.8 * unit(random));
      INFO(b->id << " " << point);
      Point p;
      const Point all_given = reference::parse_point(point);
      for (const auto& given : all_given.given())
        if (uses(*b, given.param)) p.set(given.param, given.value);
      const Evaluation e = epsilary::bounds::evaluate(*b, p, {.digits = 45});
      REQUIRE(e.certified);
      const Ball::Precision scope(256);
      const Answer<double> quick = b->evaluate.in_double(Values<double>(p));
      const Answer<mp50> second = b->evaluate.in_mp50(Values<mp50>(p));
      const bool logarithm = b->quantity == Quantity::delta;  // delta itself may underflow
      const Ball value = logarithm ? e.answer().beside.at(0).value : e.answer().value;
      const double in_double = logarithm ? quick.beside.at(0).value : quick.value;
      const mp50 in_mp50 = logarithm ? second.beside.at(0).value : second.value;
      CHECK(std::abs(in_double - value.midpoint()) <= 1e-13 * std::max(1.0, std::abs(value.midpoint())));
      CHECK(abs(in_mp50 - to_mp50(value)) <= mp50("1e-44") * max(mp50(1), mp50(abs(in_mp50))));
    }
  }
}

TEST_CASE("Section 6, epoch by epoch and bound by bound, to 15 digits") {
  std::ifstream in(EPSILARY_SOURCE "/tests/paper/girgis2021_section6.csv");
  std::string line;
  std::getline(in, line);
  std::size_t i = 0;
  const Ball::Precision scope(128);
  for (; std::getline(in, line); ++i) {
    INFO(line);
    REQUIRE(i < ledger().size());
    const section6::LedgerRow& r = ledger()[i];
    std::istringstream cells(line);
    std::string bound, epoch, T;
    std::getline(std::getline(std::getline(cells, bound, ','), epoch, ','), T, ',');
    CHECK(bound == r.variant);
    CHECK(epoch == std::to_string(r.epoch));
    CHECK(T == std::to_string(r.T));
    for (const Ball* x : {&r.shuffled, &r.step, &r.strong, &r.advanced, &r.optimal}) {
      std::string cell;
      std::getline(cells, cell, ',');
      const Ball wanted(Decimal(cell).exact());
      CHECK(certainly(abs(*x - wanted) <= wanted * Ball(power_of_ten(-16))));
      CHECK(x->accurate_bits() >= bits_for(17));
    }
  }
  CHECK(i == 7 * 80);
  CHECK(ledger().size() == 7 * 80);
}

TEST_CASE("Section 6 reaches eps = 5 and eps = 10 at epochs that depend on the bound, 10 at the end for one only") {
  using section6::epoch_reaching;
  using section6::LedgerRow;
  for (const Reached& r : {Reached{"balle2019-stated", 11, 31},
                           {"balle2019-hoeffding", 3, 6},
                           {"balle2019-bennett", 10, 28},
                           {"epsilary-blanket-joint", 27, 77},
                           {"balle2019-hoeffding-rr", {}, {}},
                           {"balle2019-bennett-rr", {}, {}}}) {
    CAPTURE(r.variant);
    CHECK(epoch_reaching(ledger(), r.variant, &LedgerRow::strong, 5) == r.five);
    CHECK(epoch_reaching(ledger(), r.variant, &LedgerRow::strong, 10) == r.ten);
  }
  // The tight range takes the same run below 10, and what R_infinity really costs is 3.25.
  CHECK(!epoch_reaching(ledger(), "epsilary-blanket-tight", &LedgerRow::strong, 10));
  CHECK(certainly(ledger()[5 * 80 + 79].strong < Ball(3.2471)));
  CHECK(ledger()[4 * 80 + 79].shuffled.midpoint() == doctest::Approx(0.321).epsilon(1e-3));
}

TEST_CASE("were one step an epoch, the run of 80 would cost less") {
  const auto rows = section6::section6_ledger({.steps_per_epoch = 1});
  const double totals[] = {5.69, 19.28, 6.12, 3.25};
  for (int v = 0; v < 4; ++v) {
    CHECK(rows[static_cast<std::size_t>(v) * 80 + 79].T == 80);
    CHECK(rows[static_cast<std::size_t>(v) * 80 + 79].strong.midpoint() == doctest::Approx(totals[v]).epsilon(2e-3));
  }
}

TEST_CASE("in every row of the ledger optimal <= advanced <= strong, and epsilon grows with the epochs") {
  for (std::size_t i = 0; i < ledger().size(); ++i) {
    const section6::LedgerRow& r = ledger()[i];
    CHECK(certainly(r.optimal <= r.advanced));
    CHECK(certainly(r.advanced <= r.strong));
    CHECK(certainly(r.step < r.shuffled));
    if (r.epoch > 1) {
      CHECK(certainly(ledger()[i - 1].strong < r.strong));
      CHECK(certainly(ledger()[i - 1].optimal < r.optimal));
    }
  }
}

TEST_CASE("the 13170 parameters of Section 6 do not follow from the layers of Table 1") {
  CHECK(!section6::table1_allows(13170));
  CHECK(section6::table1_allows(1024 + 16 + 8192 + 32 + 32 * 100 + 32 + 320 + 10));
  CHECK(section6::table1_allows(1024 + 8192 + 32 * 100 + 320));
}

TEST_CASE("Lemma 3 refuses an eps0 above its limit and says the limit") {
  const std::string run = " clients=60000 per_round=10000 delta=1e-7";
  CHECK(at::refusal("girgis2021-lem3", "eps0=3.21" + run).empty());
  CHECK(at::evaluated("girgis2021-lem3", "eps0=3.22" + run).reason ==
        "it needs eps0 <= log(q n/log(1/delta))/2, q n = per_round (got eps0 = 3.22, delta = 1e-7, per_round = 10000; "
        "the "
        "limit is 3.21519)");
  CHECK(at::number("girgis2021-lem3-limit", "per_round=10000 delta=1e-7") == doctest::Approx(3.215198888836));
  CHECK(at::refusal("girgis2021-lem3-stated", "eps0=3.22" + run).empty());  // the explicit bound needs no limit
}

TEST_CASE("bad runs are refused") {
  CHECK(at::refusal("girgis2021-thm1-privacy", "eps0=2 clients=100 per_round=101 T=1 delta=1e-5") ==
        "per_round <= clients");
  CHECK(at::refusal("girgis2021-thm1-privacy-rate", "eps0=2 q=1.5 n=100 T=1 delta=1e-5") ==
        "q must satisfy 0 <= q <= 1 (got 1.5)");
  CHECK(at::refusal("girgis2021-thm1-privacy", training_run + " share=1") ==
        "share must satisfy 0 < share < 1 (got 1)");
  CHECK(
      at::refusal("girgis2021-thm1-privacy", "eps0=2 clients=100 per_round=10 T=0.5 delta=1e-5").starts_with("T must"));
  CHECK(at::refusal("girgis2021-thm1-privacy-rate", "eps0=2 q=1e-9 n=100 T=1 delta=1e-5") == "2 q T > delta");
  CHECK(at::refusal("girgis2021-lem3-rr", "eps0=2 clients=100 per_round=10 delta=2").starts_with("delta must"));
}
