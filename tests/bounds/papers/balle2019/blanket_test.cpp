// The privacy blanket against exact laws: the shuffled randomised response, the blanket inequality itself, and
// the moments of the privacy variable.
#include "bounds/theory/shuffle/blanket.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <random>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using namespace epsilary::bounds::blanket;

namespace {

using Response = RandomisedResponse;

// P(K = j), K ~ Binomial(n, p).
double weight(double n, double j, double p) { return std::exp(epsilary::solvers::log_binomial_weight(n, j, p, 1 - p)); }

// The exact delta, in its worse direction, of n shuffled binary responses when one record changes from 1 to 0
// and all others are 0: with K ones seen, the likelihood ratio is (K E0 + (n - K)/E0) / n.
double exact_shuffled_response(double eps, double eps0, int n) {
  const double E = std::exp(eps), E0 = std::exp(eps0), p = 1 / (E0 + 1);
  double forward = 0, backward = 0;
  for (int j = 0; j <= n; ++j) {
    const double ratio = (j * E0 + (n - j) / E0) / n, w = weight(n, j, p);
    forward += w * std::max(0.0, ratio - E);
    backward += w * std::max(0.0, 1 - E * ratio);
  }
  return std::max(forward, backward);
}

// The inequality behind every bound, E (L_1 + ... + L_M)_+ / (gamma n), summed exactly for the binary response.
double blanket_expectation(double eps, double eps0, int n) {
  const double E = std::exp(eps), E0 = std::exp(eps0), mass = 2 / (E0 + 1);
  double sum = 0;
  for (int M = 1; M <= n; ++M)
    for (int up = 0; up <= M; ++up)
      sum += weight(n, M, mass) * weight(M, up, 0.5) * std::max(0.0, mass * (up * (E0 - E) + (M - up) * (1 - E * E0)));
  return sum / (mass * n);
}

// The exact delta of n shuffled answers: record 0 or 1, the others hold record 2. By histogram, one more answer
// at a time.
double log_shuffled_delta(const std::array<std::array<double, 3>, 3>& law, int n, double eps) {
  const auto histogram = [&](std::size_t own) {
    std::map<std::array<int, 3>, double> seen{{{0, 0, 0}, 1.0}};
    for (int i = 0; i < n; ++i) {
      std::map<std::array<int, 3>, double> next;
      for (const auto& [counts, p] : seen)
        for (std::size_t w = 0; w < 3; ++w) {
          auto more = counts;
          ++more[w];
          next[more] += p * law[i == 0 ? own : 2][w];
        }
      seen = std::move(next);
    }
    return seen;
  };
  const auto with = histogram(0), without = histogram(1);
  double delta = 0;
  for (const auto& [counts, p] : with) delta += std::max(0.0, p - std::exp(eps) * without.at(counts));
  return std::log(delta);
}

struct Draw {
  double eps0, eps;
  int n;
};
std::vector<Draw> draws(int count, int largest_n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Draw> out;
  for (int i = 0; i < count; ++i) {
    const double eps0 = std::exp(std::log(0.05) + unit(random) * std::log(100.0));  // 0.05 to 5
    const double eps = eps0 * (0.02 + 0.96 * unit(random));
    out.push_back({eps0, eps, 1 + static_cast<int>(std::pow(largest_n, unit(random)))});
  }
  return out;
}

template <class Bound>
double log_delta(const Draw& d) {
  return Bound{}(d.eps, Reports<double>{d.eps0, static_cast<double>(d.n)});
}

constexpr double rounding = 1e-10;  // of logarithms that sum thousands of terms

}  // namespace

TEST_CASE("no blanket bound is below the exact delta of shuffled randomised response") {
  for (const Draw& d : draws(400, 3000, 1)) {
    CAPTURE(d.eps0);
    CAPTURE(d.eps);
    CAPTURE(d.n);
    const double exact = std::log(exact_shuffled_response(d.eps, d.eps0, d.n)) - rounding;
    CHECK(log_delta<Stated>(d) >= exact);
    CHECK(log_delta<Hoeffding<Generic>>(d) >= exact);
    CHECK(log_delta<Bennett<Generic>>(d) >= exact);
    CHECK(log_delta<Joint<Generic>>(d) >= exact);
    CHECK(log_delta<Joint<GenericTight>>(d) >= exact);
    CHECK(log_delta<Bennett<GenericTight>>(d) >= exact);
    CHECK(log_delta<Hoeffding<Response>>(d) >= exact);
    CHECK(log_delta<Bennett<Response>>(d) >= exact);
  }
}

TEST_CASE("one round of Girgis et al. 2021, Section 6, lies between the exact delta of its mechanism and its bound") {
  // 10000 messages at eps0 = 2 and delta~ = 1e-5/(2 * 480/6): the truth is 0.1030, Hoeffding's bound 0.1508.
  const double delta = 1e-5 / 160;
  CHECK(exact_shuffled_response(0.1029, 2, 10000) > delta);
  CHECK(exact_shuffled_response(0.1031, 2, 10000) < delta);
  CHECK(blanket::epsilon(Hoeffding<Response>{}, Reports<double>{2, 10000}, std::log(delta)) ==
        doctest::Approx(0.1508).epsilon(1e-3));
}

TEST_CASE("exact delta <= the blanket inequality summed exactly <= Hoeffding and Bennett, for small n") {
  for (const Draw& d : draws(150, 60, 2)) {
    CAPTURE(d.eps0);
    CAPTURE(d.eps);
    CAPTURE(d.n);
    const double middle = blanket_expectation(d.eps, d.eps0, d.n);
    CHECK(exact_shuffled_response(d.eps, d.eps0, d.n) <= middle * (1 + rounding));
    CHECK(std::log(middle) - rounding <= log_delta<Hoeffding<Response>>(d));
    CHECK(std::log(middle) - rounding <= log_delta<Bennett<Response>>(d));
  }
}

TEST_CASE("no generic bound is below the exact delta of small random randomizers, shuffled and enumerated") {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 300; ++trial) {
    // Three records, three answers; eps0 is what the table has. Sharp tables have answers of extreme ratios.
    std::array<std::array<double, 3>, 3> law{};
    const double sharpness = 4 * unit(random);
    for (auto& row : law) {
      double total = 0;
      for (double& p : row) total += p = std::exp(sharpness * (trial % 2 ? unit(random) : std::round(unit(random))));
      for (double& p : row) p /= total;
    }
    double eps0 = 0;
    for (std::size_t w = 0; w < 3; ++w)
      for (const auto& x : law)
        for (const auto& y : law) eps0 = std::max(eps0, std::log(x[w] / y[w]));
    if (eps0 < 1e-3) continue;
    const int n = 2 + trial % 4;
    const double eps = eps0 * (0.02 + 0.9 * unit(random));
    CHECK(log_delta<Bennett<GenericTight>>({eps0, eps, n}) >= log_shuffled_delta(law, n, eps) - rounding);
    CHECK(log_delta<Joint<GenericTight>>({eps0, eps, n}) >= log_shuffled_delta(law, n, eps) - rounding);
    CHECK(log_delta<Stated>({eps0, eps, n}) >= log_shuffled_delta(law, n, eps) - rounding);
  }
}

TEST_CASE("no bound for Laplace noise is below the exact delta of the side of 1/2 it falls on") {
  for (const Draw& d : draws(300, 3000, 3)) {
    // The side is a binary response that errs with probability e^{-eps0/2}/2.
    const double wrong = std::exp(-d.eps0 / 2) / 2, side = std::log((1 - wrong) / wrong);
    if (d.eps >= side) continue;
    const double exact = std::log(exact_shuffled_response(d.eps, side, d.n)) - rounding;
    CHECK(log_delta<Hoeffding<Laplace>>(d) >= exact);
    CHECK(log_delta<Bennett<Laplace>>(d) >= exact);
  }
}

TEST_CASE("what knows more is tighter: special randomizers <= tight <= joint <= stated and Hoeffding") {
  for (const Draw& d : draws(2000, 1000000, 4)) {
    CAPTURE(d.eps0);
    CAPTURE(d.eps);
    CAPTURE(d.n);
    const double tight = log_delta<Joint<GenericTight>>(d), joint = log_delta<Joint<Generic>>(d);
    CHECK(log_delta<Hoeffding<Response>>(d) <= tight + rounding);
    CHECK(log_delta<Hoeffding<Laplace>>(d) <= tight + rounding);
    CHECK(tight <= joint + rounding);
    CHECK(joint <= log_delta<Stated>(d) + rounding);
    CHECK(joint <= log_delta<Hoeffding<Generic>>(d) + rounding);
    CHECK(log_delta<Bennett<GenericTight>>(d) <= log_delta<Bennett<Generic>>(d) + rounding);
  }
}

TEST_CASE("the same order holds for epsilon at delta, certified") {
  for (const char* point : {"eps0=0.5 n=1000 delta=1e-6", "eps0=2 n=10000 delta=1e-7", "eps0=3 n=1e6 delta=1e-10",
                            "eps0=1 n=1e9 delta=1e-30", "eps0=5 n=1e8 delta=1e-5"}) {
    CAPTURE(point);
    const Ball joint = at::proved("epsilary-blanket-joint", point), tight = at::proved("epsilary-blanket-tight", point);
    CHECK(certainly(at::proved("balle2019-hoeffding-rr", std::string(point) + " k=2") <= tight));
    CHECK(certainly(tight <= joint));
    CHECK(certainly(joint <= at::proved("balle2019-stated", point)));
    CHECK(certainly(joint <= at::proved("balle2019-hoeffding", point)));
    CHECK(certainly(at::proved("epsilary-blanket-bennett", point) <= at::proved("balle2019-bennett", point)));
  }
}

TEST_CASE("epsilon at delta is where the bound is proved to come down to delta") {
  const Ball::Precision scope(256);
  for (const double eps0 : {0.1, 1.0, 3.0})
    for (const double n : {1e3, 1e6, 1e12}) {
      const Reports<Ball> s{Ball(eps0), Ball(n)};
      const Ball target = log(Ball(1e-8));
      const auto check = [&](auto bound) {
        const Ball eps = blanket::epsilon(bound, s, target);
        if (!certainly(eps < s.eps0)) return;  // no crossing below eps0
        CHECK(eps.accurate_bits() > 230);
        CHECK(certainly(bound(eps.lower_end(), s) > target));
        CHECK(certainly(bound(eps.upper_end(), s) < target));
        CHECK(certainly(bound(Ball(eps / 2), s) > target));  // and not before
        CHECK(certainly(bound(Ball(eps / 16), s) > target));
      };
      check(Stated{});
      check(Hoeffding<Generic>{});
      check(Bennett<Generic>{});
      check(Joint<GenericTight>{});
      check(Bennett<Response>{});
      check(Bennett<Laplace>{});
    }
}

TEST_CASE("the bounds fall while e^eps <= 3, and Hoeffding's rises again later") {
  for (const double eps0 : {1.2, 2.0, 4.0})
    for (double eps = 0.01; eps < 1.09; eps += 0.02) {
      const Reports<double> s{eps0, 1e4};
      CHECK(Hoeffding<Generic>{}(eps + 0.01, s) < Hoeffding<Generic>{}(eps, s));
      CHECK(Stated{}(eps + 0.01, s) < Stated{}(eps, s));
      CHECK(Joint<GenericTight>{}(eps + 0.01, s) < Joint<GenericTight>{}(eps, s));
    }
  const Reports<double> few{8, 100};
  CHECK(Stated{}(3.0, few) > Stated{}(1.1, few));
}

TEST_CASE("without a crossing below eps0 the answer is eps0, and it is called vacuous") {
  const Evaluation e = at::evaluated("balle2019-stated", "eps0=4 n=10 delta=1e-6");
  CHECK(e.status == Status::vacuous);
  CHECK(e.answer().value.contains(Ball(4)));
  CHECK(at::evaluated("balle2019-stated", "eps=0.01 eps0=1 n=10").status == Status::vacuous);  // delta >= 1
}

TEST_CASE("extreme points give digits") {
  CHECK(at::number("epsilary-blanket-tight", "eps0=10 n=1e30 delta=1e-300") < 1e-8);
  CHECK(at::number("balle2019-bennett-rr", "eps0=50 n=1e60 delta=1e-300 k=2") < 1e-15);
  CHECK(at::evaluated("balle2019-bennett", "eps0=1e-9 n=1e12 delta=1e-12").certified);
  // n too large for a double: the search goes to mp50, and double itself says that it cannot.
  const std::string point = "eps0=2 n=1e320 delta=1e-300";
  const Ball many = at::proved("balle2019-stated", point);
  CHECK(certainly(many < Ball(1e-150)));
  CHECK(certainly(many > Ball(1e-160)));
  CHECK(epsilary::bounds::evaluate(at::form("balle2019-stated", point), reference::parse_point(point),
                                   {.number = NumberType::in_double})
            .status == Status::unresolved);
  // An eps below 1e-290 is not searched for, and not guessed: eps0 is promised.
  CHECK(at::evaluated("balle2019-stated", "eps0=2 n=1e400 delta=1e-5").status == Status::vacuous);
  const Evaluation tiny = at::evaluated("balle2019-hoeffding-rr", "eps=0.5 eps0=1 n=1e9 k=2");
  CHECK(tiny.certified);
  CHECK(certainly(tiny.answer().value > 0));
  CHECK(certainly(tiny.answer().beside.at(0).value < -1000000));
}

TEST_CASE("digits that the plain spelling loses are kept") {
  // (1 + u) log(1 + u) - u = u^2/2 - u^3/6 + ...
  const double u = 1e-9, naive = (1 + u) * std::log(1 + u) - u;
  CHECK(std::abs(bennett_rate(u) / (u * u / 2) - 1) < 1e-9);
  CHECK(std::abs(naive / (u * u / 2) - 1) > 0.1);
  {
    const Ball::Precision scope(400);
    for (const double v : {1e-12, 1e-3, 0.2, 0.24999, 0.25, 0.3, 5.0}) {
      const Ball x(v), plain = (1 + x) * log1p(x) - x;
      CHECK(bennett_rate(x).overlaps(plain));
      CHECK(bennett_rate(x).accurate_bits() > 380);
      CHECK(std::abs(bennett_rate(v) / plain.midpoint() - 1) < 1e-14);
    }
  }
  // n log(1 - gamma + gamma e^{-2 a^2/b^2}) at n = 1e12: the argument of the logarithm is rounded by 1e-16.
  const Reports<double> s{1, 1e12};
  const double eps = 1e-4, a = std::expm1(eps);
  const Blanket<double> l = Generic{}(eps, s);
  const double plain = std::log(l.range * l.range / (4 * a * l.mass * s.n)) +
                       s.n * std::log(1 - l.mass + l.mass * std::exp(-2 * a * a / (l.range * l.range)));
  const Ball::Precision scope(200);
  const double true_value = Hoeffding<Generic>{}(Ball(eps), Reports<Ball>{Ball(1), Ball(1e12)}).midpoint();
  CHECK(std::abs(Hoeffding<Generic>{}(eps, s) - true_value) < 1e-13 * std::abs(true_value));
  CHECK(std::abs(plain - true_value) > 1e-6);
  // The Laplace second moment is a difference of two numbers near 2 when eps0 is small.
  const double E = 1 + 1e-9, h = 0.5e-8;
  const double difference =
      (E * E + 1) * (2 * std::exp(h) + std::exp(-2 * h)) / 3 - 2 * E * (2 * std::exp(-h) - std::exp(-2 * h));
  const double kept = Laplace{}(1e-9, Reports<double>{1e-8, 1}).mean_square;
  CHECK(kept == doctest::Approx(1e-18 + 4 * h * h).epsilon(1e-6));
  CHECK(std::abs(difference / kept - 1) > 0.1);
}

TEST_CASE("the moments of randomised response are those of its law") {
  for (const int k : {2, 3, 7})
    for (const double eps0 : {0.3, 2.0}) {
      const double eps = 0.4 * eps0, E = std::exp(eps), E0 = std::exp(eps0), total = E0 + k - 1;
      // mu_x and mu_x' over the k values, omega uniform.
      double mean = 0, square = 0, most = -1e9, least = 1e9;
      for (int w = 0; w < k; ++w) {
        const double L = ((w == 0 ? E0 : 1) - E * (w == 1 ? E0 : 1)) / total * k;
        mean += L / k;
        square += L * L / k;
        most = std::max(most, L);
        least = std::min(least, L);
      }
      const Blanket<double> l = RandomisedResponse{}(eps, Reports<double>{eps0, 1, double(k)});
      CHECK(mean == doctest::Approx(1 - E));
      CHECK(l.mean_square == doctest::Approx(square));
      CHECK(l.most == doctest::Approx(most));
      CHECK(l.range == doctest::Approx(most - least));
      CHECK(l.mass == doctest::Approx(k / total));
      CHECK(l.rest == doctest::Approx(1 - l.mass));
    }
}

TEST_CASE("the moments of Laplace noise are those of records 0 and 1, and no pair has larger ones") {
  const double eps0 = 1.4, eps = 0.5, E = std::exp(eps);
  const Blanket<double> l = Laplace{}(eps, Reports<double>{eps0, 1});
  const auto density = [&](double x, double w) { return eps0 / 2 * std::exp(-eps0 * std::abs(w - x)); };
  // Midpoint rule on [-30, 31]; omega is the smaller of the densities at the ends, over its mass.
  const auto second_moment = [&](double x, double y) {
    constexpr int cells = 61 * 500;
    double sum = 0;
    for (int i = 0; i < cells; ++i) {
      const double w = -30 + (i + 0.5) / 500, omega = std::min(density(0, w), density(1, w)) / l.mass;
      const double L = (density(x, w) - E * density(y, w)) / omega;
      sum += L * L * omega / 500;
    }
    return sum;
  };
  CHECK(second_moment(0, 1) == doctest::Approx(l.mean_square).epsilon(1e-5));
  CHECK(second_moment(1, 0) == doctest::Approx(l.mean_square).epsilon(1e-5));
  for (double x = 0; x <= 1; x += 0.25)
    for (double y = 0; y <= 1; y += 0.25) CHECK(second_moment(x, y) <= l.mean_square * (1 + 1e-5));
}

TEST_CASE("more users, less epsilon; more eps0, more epsilon: as the statements say") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const Bound* b : epsilary::bounds::all()) {
    if (!b->id.starts_with("balle2019-") && !b->id.starts_with("epsilary-blanket-")) continue;
    CAPTURE(b->id);
    for (int i = 0; i < 40; ++i) {
      Values<double> x;
      x.set(Param::eps0, 0.1 + 3 * unit(random));
      x.set(Param::n, std::floor(std::pow(10, 2 + 5 * unit(random))));
      x.set(Param::k, std::floor(2 + 6 * unit(random)));
      x.set(Param::eps, x[Param::eps0] * (0.05 + 0.9 * unit(random)));
      x.set(Param::delta, std::pow(10, -2 - 10 * unit(random)));
      const auto value = [&](Param p, double factor) {
        Values<double> moved = x;
        moved.set(p, x[p] * factor);
        const Answer<double> a = b->evaluate.in_double(moved);
        return a.beside.empty() ? a.value : a.beside[0].value;  // log delta, which does not underflow
      };
      for (const Param p : b->rises) CHECK(value(p, 1.1) >= value(p, 1) - 1e-12);
      for (const Param p : b->falls) CHECK(value(p, 1.1) <= value(p, 1) + 1e-12);
    }
  }
}

TEST_CASE("points outside the statement are refused with the rule") {
  CHECK(at::refusal("balle2019-hoeffding", "eps=2 eps0=2 n=10").starts_with("0 < eps < eps0"));
  CHECK(at::refusal("balle2019-hoeffding", "eps=0 eps0=2 n=10").starts_with("0 < eps < eps0"));
  CHECK(at::refusal("balle2019-hoeffding-rr", "eps=1 eps0=2 n=10 k=1") == "k must be an integer >= 2 (got 1)");
  CHECK(at::refusal("balle2019-stated", "eps0=2 n=10.5 delta=1e-6").starts_with("n must be an integer"));
  CHECK(at::refusal("balle2019-stated", "eps0=2 n=10 delta=1").starts_with("delta must satisfy"));
  CHECK(at::refusal("balle2019-stated", "eps0=-1 n=10 delta=0.1").starts_with("eps0 must satisfy"));
}
