// The random check-in theorems: their printed forms, limits, claims, and where the naive form fails.
#include <doctest/doctest.h>

#include <boost/multiprecision/mpfr.hpp>
#include <random>

#include "bounds/core/evaluate.hpp"
#include "bounds/core/registry.hpp"
#include "bounds/theory/checkin/averaged.hpp"
#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/shuffle/swapping.hpp"
#include "experiments/tightness/solve.hpp"
#include "tests/reference/reference.hpp"

using namespace epsilary::bounds;
using namespace epsilary::bounds::checkin;

namespace {

Evaluation at(const char* id, const std::string& params, int digits = 30) {
  const Point point = reference::parse_point(params);
  const Bound* form = form_for(named(id), point);
  REQUIRE_MESSAGE(form != nullptr, id << " " << params);
  return evaluate(*form, point, {.digits = digits});
}

Ball value(const char* id, const std::string& params) {
  const Evaluation e = at(id, params);
  REQUIRE_MESSAGE((e.status == Status::ok || e.status == Status::vacuous), id << " " << params << ": " << e.reason);
  return e.answer().value;
}

double total_delta(const char* id, const std::string& params) {
  return delta_total(at(id, params).answer()).value().midpoint();
}

struct Draw {
  double eps0, m, p0, delta;
};

// Parameters over many orders of magnitude, from a fixed seed.
template <class Check>
void for_draws(int count, Check check) {
  std::mt19937_64 random(7);
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
  };
  for (int i = 0; i < count; ++i)
    check(Draw{between(1e-6, 20), std::floor(between(1, 1e12)), between(1e-6, 1), between(1e-300, 0.9)});
}

}  // namespace

TEST_CASE("a printed theorem agrees with 200 digits of MPFR, and its six printed digits are not below them") {
  using wide =
      boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<200>, boost::multiprecision::et_off>;
  for_draws(300, [](const Draw& d) {
    Point point;
    const Decimal eps0 = Decimal::nearest(d.eps0, 15), m = Decimal::nearest(d.m, 15), p0 = Decimal::nearest(d.p0, 15),
                  delta = Decimal::nearest(d.delta, 15);
    point.set(Param::eps0, eps0);
    point.set(Param::m, m);
    point.set(Param::n, m);
    point.set(Param::p0, p0);
    point.set(Param::delta, delta);
    const auto as_wide = [](const Decimal& x) { return wide(x.text()); };
    const wide e = as_wide(eps0), x0 = exp(e) - 1, k = as_wide(m), w = as_wide(p0), l = log(1 / as_wide(delta));
    const std::pair<const char*, wide> printed[] = {
        {"balle2020-thm3.2", w * x0 * sqrt(2 * exp(e) * l / k) + w * w * exp(e) * x0 * x0 / (2 * k)},
        {"balle2020-thm4.3", x0 * sqrt(2 * exp(e) * l / k) + exp(e) * x0 * x0 / (2 * k)},
        {"balle2020-thm5.1", exp(3 * e) * x0 * x0 / (2 * k) + exp(3 * e / 2) * x0 * sqrt(2 * l / k)}};
    for (const auto& [id, truth] : printed) {
      Point asked = point;
      if (std::string_view(id) != "balle2020-thm3.2") asked.set(Param::p0, Decimal(1));  // every client checks in
      const Evaluation shown = evaluate(*named(id).front(), asked, {.digits = 6});
      const wide up(decimal(shown.answer().value, 6, Rounding::up)),
          down(decimal(shown.answer().value, 6, Rounding::down));
      CHECK(up >= truth);
      CHECK(down <= truth);
      CHECK(up - down <= truth * wide("1e-4"));
    }
  });
}

TEST_CASE("plain double is below the exact value at many points; the printed bound at none") {
  int below = 0, count = 0;
  for_draws(300, [&](const Draw& d) {
    const double naive = d.p0 * std::expm1(d.eps0) * std::sqrt(2 * std::exp(d.eps0) * std::log(1 / d.delta) / d.m) +
                         d.p0 * d.p0 * std::exp(d.eps0) * std::expm1(d.eps0) * std::expm1(d.eps0) / (2 * d.m);
    const Ball::Precision bits(200);
    const Ball exact = random_replacement(Ball(d.eps0), Ball(d.m), Ball(d.p0), Ball(d.delta));
    ++count;
    below += certainly(Ball(naive) < exact);
    const double printed = exact.upper();
    CHECK(certainly(Ball(printed) >= exact));
  });
  CHECK(below > count / 5);
}

TEST_CASE("theorem 3.2 at eps0 = 1e-20 keeps its digits, and exp(eps0) - 1 would not") {
  CHECK(random_replacement(1e-20, 1e4, 0.1, 1e-6) > 0);
  CHECK(std::exp(1e-20) - 1 == 0);
}

TEST_CASE("theorem 4.3 is theorem 3.2 at p0 = 1, and theorem A.4 is theorem 3.2 with w for p0") {
  const std::string rest = "eps0=0.7 m=1234 delta=1e-7";
  CHECK(decimal(value("balle2020-thm4.3", rest), 25, Rounding::up) ==
        decimal(value("balle2020-thm3.2", rest + " p0=1"), 25, Rounding::up));
  CHECK(decimal(value("balle2020-thmA.4", rest + " w=0.3"), 25, Rounding::up) ==
        decimal(value("balle2020-thm3.2", rest + " p0=0.3"), 25, Rounding::up));
}

TEST_CASE("the theorems are lemma A.2 with their own a and b") {
  const Ball::Precision bits(200);
  const Ball eps0(0.7), x0 = expm1(eps0);
  const auto lemma = [](const Ball& a, const Ball& left, const Ball& k, const Ball& delta) {
    return two_term(a * a / (k * left), delta);
  };
  CHECK(random_replacement(eps0, Ball(1000), Ball(0.25), Ball(1e-6))
            .overlaps(lemma(Ball(0.25) * x0, exp(-eps0), Ball(1000), Ball(1e-6))));
  CHECK(shuffling::by_swapping(eps0, Ball(1000), Ball(1e-6))
            .overlaps(lemma(exp(eps0) * x0, exp(-eps0), Ball(1000), Ball(1e-6))));
}

TEST_CASE("theorem 3.2 depends on p0 and m through p0^2/m only, and is 0 at p0 = 0") {
  CHECK(value("balle2020-thm3.2", "eps0=1 m=100 p0=0.1 delta=1e-6")
            .overlaps(value("balle2020-thm3.2", "eps0=1 m=10000 p0=1 delta=1e-6")));
  CHECK(value("balle2020-thm3.2", "eps0=1 m=100 p0=0 delta=1e-6").is_zero());
  CHECK(value("epsilary-fixed-posterior", "eps0=1 m=100 p0=0 delta=1e-6").is_zero());
  CHECK(value("epsilary-fixed-clip", "eps0=1 delta0=1e-9 m=100 p0=0 delta=1e-6").is_zero());
}

TEST_CASE("limits: for large m the root remains, for small eps0 the slope is p0 sqrt(2 log(1/delta)/m)") {
  const double l = std::log(1e6);
  CHECK(random_replacement(1.0, 1e30, 0.5, 1e-6) * 1e15 ==
        doctest::Approx(0.5 * std::expm1(1.0) * std::sqrt(2 * std::exp(1.0) * l)).epsilon(1e-12));
  CHECK(random_replacement(1e-12, 100.0, 0.5, 1e-6) / 1e-12 ==
        doctest::Approx(0.5 * std::sqrt(2 * l / 100)).epsilon(1e-10));
}

TEST_CASE("the simplified form is above the theorem on its whole domain, at the worst corner by 7 against 5.876") {
  for (const char* eps0 : {"1e-6", "0.1", "0.5", "1"})
    for (const char* m : {"1", "10", "1000000"})
      for (const char* p0 : {"0.001", "0.5", "1"})
        for (const char* delta : {"0.01", "1e-6", "1e-300"}) {
          const std::string params = std::string("eps0=") + eps0 + " m=" + m + " p0=" + p0 + " delta=" + delta;
          CHECK(certainly(value("balle2020-thm3.2", params) < value("balle2020-thm3.2-simple", params)));
        }
  const Ball ratio = 7 * value("balle2020-thm3.2", "eps0=1 m=1 p0=1 delta=0.01") /
                     value("balle2020-thm3.2-simple", "eps0=1 m=1 p0=1 delta=0.01");
  CHECK(ratio.midpoint() == doctest::Approx(5.87638).epsilon(1e-6));
}

TEST_CASE("the sharper posterior equals theorem 3.2 at p0 = 1 and is never above it") {
  for_draws(100, [](const Draw& d) {
    const Ball::Precision bits(200);
    CHECK_FALSE(certainly(random_replacement_posterior(Ball(d.eps0), Ball(d.m), Ball(d.p0), Ball(d.delta)) >
                          random_replacement(Ball(d.eps0), Ball(d.m), Ball(d.p0), Ball(d.delta))));
    CHECK(random_replacement_posterior(Ball(d.eps0), Ball(d.m), Ball(1), Ball(d.delta))
              .overlaps(random_replacement(Ball(d.eps0), Ball(d.m), Ball(1), Ball(d.delta))));
  });
}

TEST_CASE("approximate randomizers: 7.37 as printed, 0.0110 when only the own calls are clipped") {
  const std::string rest = " m=1000 p0=0.1 delta=1e-6";
  CHECK(value("balle2020-thm3.2-approx", "eps0=0.5 delta0=0 delta1=1e-9" + rest).midpoint() ==
        doctest::Approx(7.37).epsilon(1e-3));
  CHECK(value("epsilary-fixed-2eps0", "eps0=0.5 delta0=1e-12" + rest).midpoint() < 0.05);
  CHECK(value("epsilary-fixed-clip", "eps0=0.5 delta0=1e-12" + rest).midpoint() ==
        doctest::Approx(0.01100).epsilon(1e-3));
  CHECK(total_delta("epsilary-fixed-clip", "eps0=0.5 delta0=1e-12 m=1000 p0=0.1 delta=2e-6 share=0.5") ==
        doctest::Approx(1.0000006e-6).epsilon(1e-7));
  CHECK(total_delta("epsilary-fixed-clip", "eps0=0.5 delta0=1e-12" + rest) == doctest::Approx(1e-6).epsilon(1e-11));
}

TEST_CASE("the printed factor m of theorem 4.1 gives a smaller delta than the n calls it makes") {
  const std::string params = "eps0=0.01 delta0=0 n=1000000 m=10000 delta=1e-8 delta2=1e-8 delta1=1e-20";
  CHECK(total_delta("balle2020-thm4.1-approx-printed", params) < total_delta("balle2020-thm4.1-approx", params));
  CHECK(named("balle2020-thm4.1-approx-printed").front()->standing == Standing::repaired);
}

TEST_CASE("theorem 4.1 is dominated by theorem 5.1 with the same n") {
  for_draws(200, [](const Draw& d) {
    const Ball::Precision bits(128);
    const Ball n(std::max(1.0, std::floor(d.m * 7))), m(d.m);
    CHECK(certainly(averaged(Ball(d.eps0), n, m, Ball(d.delta), Ball(d.delta)) >
                    shuffling::by_swapping(Ball(d.eps0), n, Ball(d.delta))));
  });
}

TEST_CASE("the best split is never worse than halves, and its parts sum to the whole") {
  for (const char* params : {"eps0=0.5 n=10000 m=1000", "eps0=1 n=100000 m=1000", "eps0=1 n=1000000 m=10000"}) {
    const Evaluation best = at("balle2020-thm4.1-split", std::string(params) + " delta=1e-6");
    CHECK(certainly(best.answer().value <= value("balle2020-thm4.1", std::string(params) + " delta=5e-7 delta2=5e-7")));
    REQUIRE(best.answer().at.size() == 2);
    CHECK((best.answer().at[0].value + best.answer().at[1].value).overlaps(Ball(Decimal("1e-6").exact())));
  }
}

TEST_CASE("corollary 3.3: the chain is below the closed form wherever both hypotheses hold, and 12 needs both") {
  int tested = 0;
  for (const char* eps0 : {"0.01", "0.3", "1", "2"})
    for (const char* n : {"10000", "1000000", "100000000"})
      for (const char* m : {"10", "100", "10000"})
        for (const char* beta : {"1e-3", "1e-12", "1e-52"}) {
          const std::string params =
              std::string("eps0=") + eps0 + " n=" + n + " m=" + m + " beta=" + beta + " delta=1e-6";
          const Evaluation closed = at("balle2020-cor3.3-closed", params);
          if (closed.status == Status::outside) continue;
          ++tested;
          CHECK(certainly(value("balle2020-cor3.3", params) <= closed.answer().value));
          CHECK(certainly(closed.answer().value < value("balle2020-cor3.3-closed-loose", params)));
          CHECK(certainly(repeated_once(Ball(Decimal(eps0).exact()), Ball(Decimal(n).exact()), Ball(Decimal(m).exact()),
                                        Ball(Decimal(beta).exact())) <= Ball(0.5)));
        }
  CHECK(tested > 20);
  CHECK(at("balle2020-cor3.3-closed", "eps0=5 n=1000 m=100 beta=1e-6 delta=1e-6").status == Status::outside);
  CHECK(at("balle2020-cor3.3", "eps0=0.5 n=1000 m=300 beta=1e-6 delta=1e-6").reason ==
        "it needs m divides n (got n = 1000, m = 300)");
}

TEST_CASE("erlingsson needs more users than theorem 5.1 for the same eps: four times for small eps0, ten near 0.92") {
  const auto users = [](const char* id, const char* eps0) {
    const auto found = epsilary::experiments::solve(*named(id).front(),
                                                    reference::parse_point(std::string("eps0=") + eps0 + " delta=1e-6"),
                                                    Param::n, Decimal(Decimal::nearest(std::stod(eps0) / 4, 6)), 6);
    REQUIRE(found.status == Inverted::found);
    return from_rational<double>(found.value.exact());
  };
  CHECK(users("erlingsson2019-thm7", "0.01") / users("balle2020-thm5.1", "0.01") == doctest::Approx(4).epsilon(0.05));
  CHECK(users("erlingsson2019-thm7", "0.92") / users("balle2020-thm5.1", "0.92") ==
        doctest::Approx(10.5).epsilon(0.06));
  for_draws(200, [](const Draw& d) {
    if (d.eps0 > 8) return;  // doubly exponential in eps0
    const Ball::Precision bits(128);
    CHECK(certainly(shuffling::by_swapping(Ball(d.eps0), Ball(d.m), Ball(d.delta)) <
                    shuffling::by_swaps_composed(Ball(d.eps0), Ball(d.m), Ball(d.delta))));
  });
}

TEST_CASE("figure 2: the curves cross the grey line where the paper draws them") {
  const auto crossing = [](const char* id, const char* n) {
    // eps(eps0)/eps0 = 1 has one root in (0.05, 3): eps grows faster than eps0.
    double low = 0.05, high = 3;
    for (int i = 0; i < 60; ++i) {
      const double mid = (low + high) / 2;
      const Values<double> x = [&] {
        Values<double> v;
        v.set(Param::eps0, mid);
        v.set(Param::n, std::stod(n));
        v.set(Param::delta, 1e-6);
        return v;
      }();
      (named(id).front()->evaluate.in_double(x).value < mid ? low : high) = mid;
    }
    return low;
  };
  const std::tuple<const char*, double, double> drawn[] = {
      {"1e3", 0.8737, 0.4313}, {"1e4", 1.4192, 0.8762}, {"1e5", 1.9545, 1.3153}, {"1e6", 2.4809, 1.7491}};
  for (const auto& [n, ours, theirs] : drawn) {
    CHECK(std::abs(crossing("balle2020-thm5.1", n) - ours) < 5.1e-5);
    CHECK(std::abs(crossing("erlingsson2019-thm7", n) - theirs) < 5.1e-5);
  }
}

TEST_CASE("dummy updates: exact counts are below their bounds, by simulation too") {
  CHECK(certainly(value("balle2020-prop3.4", "n=1000 m=1000 p0=1") <
                  value("balle2020-prop3.4-bound", "n=1000 m=1000 p0=1")));
  CHECK(certainly(value("balle2020-prop4.4", "n=1000 m=10") < value("balle2020-prop4.4-bound", "n=1000 m=10")));
  CHECK(value("balle2020-prop3.4", "n=10 m=1 p0=1").is_zero());
  // 20000 runs of 30 users and 20 slots: the mean has standard error 0.012.
  std::mt19937_64 random(3);
  const int runs = 20000, n = 30, m = 20;
  double sum = 0, squares = 0;
  for (int r = 0; r < runs; ++r) {
    std::vector<bool> used(m, false);
    for (int i = 0; i < n; ++i)
      if (std::uniform_real_distribution<>(0, 1)(random) < 0.5)
        used[std::uniform_int_distribution<std::size_t>(0, m - 1)(random)] = true;
    const auto empty = static_cast<double>(std::count(used.begin(), used.end(), false));
    sum += empty;
    squares += empty * empty;
  }
  const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
  CHECK(std::abs(mean - value("balle2020-prop3.4", "n=30 m=20 p0=0.5").midpoint()) < 5 * error);
}

TEST_CASE("the mean of one over the load exceeds m/n, which the proof of theorem 4.2 takes for its bound") {
  const Ball inverse = value("balle2020-thm4.2-inverse-load", "n=1000 m=100");
  CHECK(certainly(inverse > Ball(0.1)));
  CHECK(certainly(inverse <= Ball(200) / 1001));
  CHECK(value("balle2020-thm4.2-inverse-load", "n=50 m=1").overlaps(Ball(1) / 50));
  CHECK(value("balle2020-thm4.2-inverse-load", "n=1000000000000 m=1000000").accurate_bits() > 90);
}

TEST_CASE("lemma A.3 admits less than delta1, and a whole number of repetitions admits less than the print") {
  for (const char* params :
       {"eps0=1e-6 delta1=1e-300", "eps0=0.1 delta1=1e-10", "eps0=3 delta1=0.5", "eps0=50 delta1=1e-12"}) {
    CHECK_FALSE(certainly(value("balle2020-lemA.3", params) > value("balle2020-lemA.3-printed", params)));
    CHECK(certainly(value("balle2020-lemA.3-printed", params) <
                    Ball(reference::parse_point(params)[Param::delta1].exact())));
  }
}

TEST_CASE("lemma A.6 holds for simulated loads") {
  std::mt19937_64 random(5);
  const int n = 200, m = 20, runs = 5000;
  const double bound = value("balle2020-lemA.6", "n=200 m=20 delta=0.01").upper();
  int above = 0;
  for (int r = 0; r < runs; ++r) {
    std::vector<int> load(m, 0);
    for (int i = 0; i < n; ++i) ++load[std::uniform_int_distribution<std::size_t>(0, m - 1)(random)];
    double square = 0;
    for (const int k : load) square += double(k) * k;
    above += std::sqrt(square) > bound;
  }
  CHECK(above <= runs * 0.01 + 5 * std::sqrt(runs * 0.01));
  CHECK(certainly(value("balle2020-lemA.6-tightmean", "n=200 m=20 delta=0.01") <
                  value("balle2020-lemA.6", "n=200 m=20 delta=0.01")));
}
