// The far corners of the self check-in family: every point has certified digits, and its double agrees.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

void has_digits(const std::string& id, const std::string& params) {
  INFO(id << " " << params);
  const Evaluation e = at::evaluated(id, params, 6);
  REQUIRE_MESSAGE((e.status == Status::ok || e.status == Status::vacuous), e.reason);
  CHECK(e.certified);
  const double value = e.answer().value.midpoint();
  CHECK(value >= 0);
  if (std::isnormal(value) && !at::form(id, params).width)
    CHECK(at::in_double(id, params) == doctest::Approx(value).epsilon(1e-9));
}

}  // namespace

TEST_CASE("a million million clients of whom a thousand check in") {
  for (const char* rest :
       {"eps0=1e-6 lambda=2", "eps0=1 lambda=2", "eps0=1 lambda=64", "eps0=0.1 lambda=4096", "eps0=12 lambda=8"}) {
    const std::string at_ = std::string("n=1e12 gamma=1e-9 ") + rest;
    has_digits("checkin2022-thm2-exact", at_);
    has_digits("checkin2022-thm2", at_);
    has_digits("checkin2022-thm3", at_);
    has_digits("checkin2022-thm3-sharp", at_);
    has_digits("epsilary-shuffled-checkin-rdp", at_);
  }
  has_digits("checkin2022-thm4", "n=1e12 gamma=1e-9 multiplier=1 lambda=8");
  has_digits("checkin2022-thm4-eq11", "n=1e12 gamma=1e-9 multiplier=1 lambda=8");
}

TEST_CASE("orders from just above 1 to 4096, epsilons from a millionth to twelve") {
  for (const char* lambda : {"1.0001", "2", "17.5", "4096"})
    for (const char* eps0 : {"1e-6", "1", "12"}) {
      has_digits("mironov2017-response", std::string("eps0=") + eps0 + " lambda=" + lambda);
      has_digits("epsilary-subsampled-response", std::string("eps0=") + eps0 + " n=1000 per_round=10 lambda=" + lambda);
      // At order 4096 of a thousand clients it is those rounds that count in which nearly all check in: masses below
      // any double.
      if (std::string(lambda) != "4096")
        has_digits("epsilary-shuffled-checkin-rdp",
                   std::string("eps0=") + eps0 + " n=1000 gamma=0.01 lambda=" + lambda);
    }
}

TEST_CASE("noise from a hundredth to a thousand") {
  for (const char* sigma : {"0.01", "1", "1000"}) {
    const std::string at_ = std::string("n=1000 gamma=0.05 multiplier=") + sigma;
    for (const char* lambda : {"2", "16"}) {
      has_digits("checkin2022-thm4", at_ + " lambda=" + lambda);
      has_digits("checkin2022-thm4-eq11", at_ + " lambda=" + lambda);
      has_digits("checkin2022-thm4-quorum", at_ + " quorum=20 lambda=" + lambda);
    }
  }
}

TEST_CASE("a delta of 1e-300, and a thousand million rounds") {
  for (const char* rounds : {"1", "1e9"})
    for (const char* delta : {"1e-6", "1e-300"}) {
      const std::string rest = std::string(" T=") + rounds + " delta=" + delta;
      has_digits("checkin2022-thm2", "eps0=0.1 n=1e12 gamma=1e-9" + rest);
      has_digits("checkin2022-thm3-sharp", "eps0=0.1 n=1e12 gamma=1e-9" + rest);
      has_digits("mironov2017-gaussian", "mu=1e-3" + rest);
      has_digits("epsilary-removal-gaussian", "per_round=1000 gamma=1e-3 multiplier=1" + rest);
    }
  has_digits("checkin2022-lem2", "rdp=1e-9 lambda=4096 delta=1e-300");
  has_digits("asoodeh2021-optimal", "rdp=1e-9 lambda=4096 delta=1e-300");
  has_digits("asoodeh2021-optimal", "rdp=1e3 lambda=2 delta=1e-300");
}

TEST_CASE("what is not proved between orders 2 and 3, or outside the closed form, is refused") {
  for (const char* id : {"checkin2022-thm3", "checkin2022-thm3-sharp"})
    CHECK(at::refusal(id, "eps0=3 n=100000 gamma=1e-2 lambda=2.5").starts_with("lambda = 2 or lambda >= 3"));
  CHECK(at::refusal("feldman2021-closed", "eps0=8 n=1000 delta=1e-7").starts_with("eps0 <= log(n"));
}

TEST_CASE("over T rounds the paper's statements go through Lemma 2, ours through the optimal conversion") {
  const auto rdp_of = [](const std::string& id, const std::string& params) {
    return "rdp=" + Decimal::nearest(10 * at::number(id, params), 17).text() + " lambda=4 delta=1e-6";
  };
  const auto after_ten = [](const std::string& id, const std::string& params) {
    return at::number(id, params + " T=10 delta=1e-6");
  };
  const std::string paper = "n=1000 gamma=0.05 multiplier=2 lambda=4",
                    ours = "per_round=100 gamma=0.1 multiplier=1 lambda=4";
  CHECK(after_ten("checkin2022-thm4", paper) ==
        doctest::Approx(at::number("checkin2022-lem2", rdp_of("checkin2022-thm4", paper))).epsilon(1e-13));
  const std::string rdp = rdp_of("epsilary-removal-gaussian", ours);
  const double best = after_ten("epsilary-removal-gaussian", ours);
  CHECK(best == doctest::Approx(at::number("asoodeh2021-optimal", rdp)).epsilon(1e-13));
  CHECK(best < 0.95 * at::number("checkin2022-lem2", rdp));
  // The order left free is not worse than any given one.
  for (const char* lambda : {"2", "3", "6", "9", "20"})
    CHECK(at::number("epsilary-removal-gaussian", "per_round=100 gamma=0.1 multiplier=1 T=10 delta=1e-6") <=
          at::number("epsilary-removal-gaussian",
                     std::string("per_round=100 gamma=0.1 multiplier=1 T=10 delta=1e-6 lambda=") + lambda) *
              1.02);
}

TEST_CASE("randomised response over T rounds by Lemma 2 agrees with its exact divergence") {
  const std::string point = "eps0=1 n=200 gamma=0.1 lambda=9";
  const double rdp = at::number("checkin2022-thm3-exact", point);
  const Ball after = at::proved("checkin2022-thm3-exact", point + " T=50 delta=1e-5", 6);
  const double exact =
      at::number("checkin2022-lem2", "rdp=" + Decimal::nearest(50 * rdp, 17).text() + " lambda=9 delta=1e-5");
  CHECK(after.lower() <= exact);
  CHECK(after.upper() >= exact);
}

TEST_CASE("a quorum at the edge of an infinite divergence does not lead the search astray") {
  const std::string point = "multiplier=1 n=1000000 gamma=0.001 quorum=380 T=100 delta=1e-6";
  CHECK(at::proved("checkin2022-thm4-removal", point, 6).midpoint() == doctest::Approx(0.00101820).epsilon(1e-2));
  CHECK(at::proved("checkin2022-thm4-removal-client", point + " dim=10", 6).midpoint() ==
        doctest::Approx(0.00678576).epsilon(1e-2));
}
