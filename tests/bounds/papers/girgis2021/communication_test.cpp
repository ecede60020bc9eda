// Communication and convergence of CLDP-SGD.
#include "bounds/theory/cldp/communication.hpp"

#include <doctest/doctest.h>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

TEST_CASE("one message of R_infinity saves a factor of 28096 at d = 13170, exactly") {
  CHECK(at::proved("girgis2021-sec6-saving", "dim=13170").contains(Ball(28096)));
  CHECK(at::evaluated("girgis2021-thm1-bits", "dim=13170").answer().beside.at(1).value.contains(Ball(15)));
}

TEST_CASE("bits at powers of two are whole and can be rounded up") {
  for (long d = 1, power = 0; power < 60; d *= 2, ++power) {
    CAPTURE(d);
    const Evaluation e = at::evaluated("girgis2021-thm1-bits", "dim=" + std::to_string(d));
    CHECK(e.certified);
    CHECK(e.answer().value.contains(Ball(power + 1)));
    CHECK(e.answer().beside.at(1).value.contains(Ball(power + 1)));
    const Evaluation next = at::evaluated("girgis2021-thm1-bits", "dim=" + std::to_string(d + 1));
    CHECK(next.answer().beside.at(1).value.contains(Ball(power + 2)));
  }
}

TEST_CASE("a histogram is never longer than its bound nor than the list, and as long as the list for one message") {
  for (const long s : {1L, 2L, 3L, 10L, 100L, 5000L, 1000000L})
    for (const long b : {1L, 2L, 8L, 15L, 30L, 50L}) {
      const std::string point = "samples=" + std::to_string(s) + " bits=" + std::to_string(b);
      CAPTURE(point);
      const Ball exact = at::proved("girgis2021-thm1-bits-exact", point);
      CHECK(certainly(exact <= at::proved("girgis2021-thm1-bits-histogram", point)));
      const Ball naive = at::proved("girgis2021-thm1-bits-naive", point);
      if (s == 1)
        CHECK(exact.overlaps(naive));
      else
        CHECK(certainly(exact < naive));
    }
}

TEST_CASE("histograms of few messages over few symbols are counted one by one") {
  for (int s = 1; s <= 6; ++s)
    for (int d = 1; d <= 3; ++d) {
      // Compositions of s into 2d parts, by the recursion that gives each first part in turn.
      std::vector<long> ways(static_cast<std::size_t>(s) + 1, 1);
      for (int part = 1; part < 2 * d; ++part)
        for (std::size_t total = 1; total < ways.size(); ++total) ways[total] += ways[total - 1];
      const double bits =
          at::number("girgis2021-thm1-bits-exact", "samples=" + std::to_string(s) + " dim=" + std::to_string(d));
      CHECK(std::exp2(bits) == doctest::Approx(static_cast<double>(ways.back())));
    }
}

TEST_CASE("the plain logarithm of the binomial loses digits for one message over many symbols; ours does not") {
  const double B = std::exp2(40), plain = (std::lgamma(1 + B) - std::lgamma(2.0) - std::lgamma(B)) / std::log(2.0);
  CHECK(std::abs(plain - 40) > 1e-6);
  CHECK(std::abs(cldp::histogram_bits(1.0, B) - 40) < 1e-13);
}

TEST_CASE("a client sends on average in per_round of clients rounds, T times") {
  const Ball message = at::proved("girgis2021-thm1-bits", "dim=13170");
  CHECK((message / 6).overlaps(at::proved("girgis2021-thm1-bits", "dim=13170 clients=60000 per_round=10000")));
  CHECK((message * 80).overlaps(at::proved("girgis2021-thm1-bits", "dim=13170 clients=60000 per_round=10000 T=480")));
  CHECK(at::refusal("girgis2021-thm1-bits", "dim=10 clients=10 per_round=11").starts_with("per_round <= clients"));
  CHECK(at::refusal("girgis2021-thm1-bits", "dim=10 per_round=11").starts_with("per_round <= clients"));
  CHECK(at::refusal("girgis2021-thm1-bits", "dim=10 norm=0.9").starts_with("norm must satisfy"));
  CHECK(at::refusal("girgis2021-thm1-bits-exact", "samples=2 bits=1.5") == "bits is an integer");
}

TEST_CASE("for p = 2 Theorem 4 has d - 1 bits fewer than Theorem 1, and neither is called wrong or proved") {
  for (const int d : {1, 2, 10, 100, 13170}) {
    const std::string point = "dim=" + std::to_string(d);
    const Ball first = at::proved("girgis2021-thm1-bits", point + " norm=2");
    CHECK((first - at::proved("girgis2021-thm4-bits", point)).overlaps(Ball(d - 1)));
  }
  CHECK(at::form("girgis2021-thm4-bits", "dim=10").standing == Standing::published);
  CHECK(at::form("girgis2021-thm1-bits", "dim=10 norm=2").standing == Standing::published);
}

TEST_CASE("the risk is Lemma 5 at the second moment of Lemma 4; tight constants give less") {
  for (const std::string norm : {"", " norm=1", " norm=2"})
    for (const char* point :
         {"lipschitz=1 dim=100 per_round=10000 eps0=1", "lipschitz=3 dim=13170 per_round=50 eps0=0.1"}) {
      const std::string all = point + norm;
      const Ball G = sqrt(at::proved("girgis2021-lem4", all)), T(480);
      const Ball risk = at::proved("girgis2021-thm1-risk", all + " radius=2 T=480");
      CHECK(risk.overlaps(2 * 2 * G * (2 + log(T)) / sqrt(T)));
      CHECK(certainly(at::proved("girgis2021-thm1-risk-tight", all + " radius=2 T=480") < risk));
      CHECK(certainly(at::proved("epsilary-cldp-moment", all) < at::proved("girgis2021-lem4", all)));
    }
}

TEST_CASE("(6) is far below the bound it stands for when many messages are averaged") {
  const std::string few = "lipschitz=1 radius=1 dim=100 eps0=1 T=10000 per_round=10";
  const std::string many = "lipschitz=1 radius=1 dim=100 eps0=1 T=10000 per_round=1000000000";
  CHECK(at::number("girgis2021-thm1-risk", few) < 3 * at::number("girgis2021-thm1-risk-rate", few));
  CHECK(at::number("girgis2021-thm1-risk", many) > 500 * at::number("girgis2021-thm1-risk-rate", many));
}

TEST_CASE("the second moment bounds that of averaged messages of R_infinity, computed exactly") {
  // k clients with gradients x_i in [-L, L]^d: E |mean|^2 = |mean x|^2 + sum (L^2 d^2 coth^2 - |x_i|^2)/k^2.
  const double L = 1.5, d = 7, eps0 = 0.8, coth = 1 / std::tanh(eps0 / 2);
  for (const double k : {1.0, 5.0, 100.0}) {
    const std::string point = "lipschitz=1.5 dim=7 eps0=0.8 per_round=" + std::to_string(int(k));
    for (const double c : {0.0, 0.5, 1.0}) {  // every gradient is c L (1, ..., 1)
      const double square = c * c * L * L * d, exact = square + (L * L * d * d * coth * coth - square) / k;
      CHECK(exact <= at::number("epsilary-cldp-moment", point));
    }
  }
}

TEST_CASE("communication and risk behave as their statements say when a parameter grows") {
  for (const Bound* b : epsilary::bounds::all()) {
    const bool ours = b->id.starts_with("girgis2021-thm1-bits") || b->id.starts_with("girgis2021-thm1-risk") ||
                      b->id.starts_with("girgis2021-lem2") || b->id.starts_with("girgis2021-lem4") ||
                      b->id.starts_with("girgis2021-lem5") || b->id.starts_with("girgis2021-thm2") ||
                      b->id.starts_with("girgis2021-thm3") || b->id.starts_with("girgis2021-thm4") ||
                      b->id == "epsilary-few-bits" || b->id == "epsilary-cldp-moment" || b->id == "epsilary-mean-l1";
    if (!ours) continue;
    CAPTURE(b->id);
    for (const double norm : {0.0, 1.0, 1.5, 2.0, 4.0}) {
      Values<double> x(reference::parse_point(
          "radius=2 dim=50 n=1000 eps0=0.7 lipschitz=3 per_round=20 clients=100 T=30 samples=4 gradient=2 square=1"));
      const auto uses = [&](Param p) {
        return std::ranges::find(b->needs, p) != b->needs.end() || std::ranges::find(b->takes, p) != b->takes.end();
      };
      if (norm == 0 && std::ranges::count(b->needs, Param::norm) > 0) continue;
      if (uses(Param::bits)) x.set(Param::bits, 3);
      if (norm > 0 && uses(Param::norm)) x.set(Param::norm, norm);
      const auto value = [&](Param p, double factor) {
        Values<double> moved = x;
        moved.set(p, x[p] * factor);
        return b->evaluate.in_double(moved).value;
      };
      for (const Param p : b->rises) CHECK(value(p, 2) >= value(p, 1));
      for (const Param p : b->falls) CHECK(value(p, 2) <= value(p, 1));
    }
  }
}
