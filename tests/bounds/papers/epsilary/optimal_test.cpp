// The sharpest bounds: the blanket's pair, the supremum of check-ins, the shuffle by the pivot; how much they leave.
#include <doctest/doctest.h>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;

namespace {

double upper_end(const std::string& id, const std::string& where) {
  return at::evaluated(id, where, 6).answer().value.upper();
}
double best_lower(const std::string& where, const std::string& suffix = "") {
  return std::max(at::number("epsilary-lower-rr" + suffix, where), at::number("epsilary-lower-rr3" + suffix, where));
}

}  // namespace

TEST_CASE("shuffling: the best bound is within a percent of what no analysis can beat from ten thousand users on") {
  struct Setting {
    const char* where;
    double most;
  };
  for (const auto& [where, most] : {Setting{"eps0=0.5 n=1000 delta=1e-6", 1.16},
                                    {"eps0=1 n=10000 delta=1e-6", 1.01},
                                    {"eps0=3 n=10000 delta=1e-6", 1.01},
                                    {"eps0=2 n=1000000 delta=1e-6", 1.01}}) {
    INFO(where);
    const double least = best_lower(where), best = upper_end("epsilary-shuffle-best", where);
    CHECK(best >= least);
    CHECK(best <= most * least);
    const double radius = 1 + 0x1p-28;  // a ball keeps 30 bits of its radius
    CHECK(best <= radius * upper_end("epsilary-shuffle-blanket", where));
    CHECK(best <= radius * upper_end("epsilary-shuffle-pivot", where));
    CHECK(upper_end("epsilary-shuffle-blanket", where) <= upper_end("feldman2021-clones", where));
  }
}

TEST_CASE("the blanket's delta where e^eps0 is twenty million times the largest loss, to thirty digits") {
  // From tests/reference/blanket.py; doubles lose eight digits there.
  for (const auto& [where, value] : {std::pair{"eps0=20 n=10000 eps=19", "0.632107529987047312590651063202829"},
                                     {"eps0=20 n=1000000 eps=19.9", "0.0949666392670758863825974716381727"},
                                     {"eps0=20 n=1000000000 eps=5", "0.127306982240294614497662473974348"}}) {
    INFO(where);
    const Ball::Precision bits(200);
    const Ball wanted(Decimal(value).exact());
    CHECK(
        certainly(abs(at::proved("epsilary-shuffle-blanket", where, 32) - wanted) <= wanted * Ball(power_of_ten(-30))));
  }
}

TEST_CASE("check-ins: lower <= supremum <= blanket <= clones, the first two within two thousandths") {
  for (const std::string slots :
       {"eps0=0.5 m=1000 p0=0.1", "eps0=1 m=1000 p0=1", "eps0=2 m=10000 p0=0.1", "eps0=0.5 m=1000 p0=0.3",
        "eps0=0.7 m=1000 p0=0.4", "eps0=0.7 m=300 p0=0.5", "eps0=0.7 m=3500 p0=0.3"}) {
    const std::string where = slots + " delta=1e-6";
    INFO(where);
    const double least = at::evaluated("epsilary-lower-adaptive-fixed", where, 6).answer().value.lower();
    const double worst = upper_end("epsilary-checkin-supremum", where);
    CHECK(least >= best_lower(where, "-fixed") * (1 - 1e-9));
    CHECK(worst >= least);
    CHECK(worst <= 1.002 * least);
    CHECK(worst <= upper_end("epsilary-checkin-blanket", where));
    CHECK(upper_end("epsilary-checkin-blanket", where) <= upper_end("epsilary-checkin-clones", where));
  }
}

TEST_CASE(
    "an adaptive randomizer attains more than response in few slots, and comes within two thousandths of the "
    "supremum") {
  for (const std::string where : {"eps0=4 m=1000 p0=1 delta=1e-6", "eps0=2 m=100 p0=1 delta=1e-6",
                                  "eps0=0.5 m=300 p0=1 delta=1e-6", "eps0=3 m=50 p0=0.3 eps=0.3"}) {
    INFO(where);
    const double least = at::evaluated("epsilary-lower-adaptive-fixed", where, 6).answer().value.lower();
    const double worst = upper_end("epsilary-checkin-supremum", where);
    CHECK(least <= worst);
    CHECK(worst <= (where.find("eps=") == std::string::npos ? 1.002 : 1.02) * least);
    CHECK(least > at::evaluated("epsilary-lower-rr3-fixed", where, 6).answer().value.upper());
    CHECK(least >= at::evaluated("epsilary-lower-rr-fixed", where, 6).answer().value.lower() * (1 - 1e-9));
  }
  // A sliding window is a fixed one that everybody takes part in.
  for (const std::string where : {"eps0=2 m=100 delta=1e-6", "eps0=1 m=30 eps=0.2"}) {
    INFO(where);
    const double slides = at::evaluated("epsilary-lower-adaptive-sliding", where, 6).answer().value.lower();
    CHECK(slides == at::evaluated("epsilary-lower-adaptive-fixed", where + " p0=1", 6).answer().value.lower());
    CHECK(slides > at::evaluated("epsilary-lower-rr3-sliding", where, 6).answer().value.upper());
    CHECK(slides <= upper_end("epsilary-sliding-supremum", where));
  }
  CHECK(evaluate(at::form("epsilary-lower-adaptive-fixed", "eps0=1 m=10 p0=1 delta=1e-3"),
                 reference::parse_point("eps0=1 m=10 p0=1 delta=1e-3 n=100"))
            .status == Status::outside);
}

TEST_CASE("the best of a shuffle has a value wherever the blanket has, and is no more than eps0") {
  for (const std::string where :
       {"eps0=0.005 n=10000 delta=1e-6", "eps0=8.5 n=1000000 delta=1e-6", "eps0=10 n=1000000 eps=1"}) {
    INFO(where);
    const double best = upper_end("epsilary-shuffle-best", where);
    CHECK(best <= (1 + 0x1p-28) * upper_end("epsilary-shuffle-blanket", where));
    CHECK(best >= best_lower(where));
  }
  CHECK(upper_end("epsilary-shuffle-best", "eps0=60 n=1000 delta=1e-6") <= 60.0001);
}

// Two passes over the labels that share nothing but their law: long doubles from the top with bounded rounding, and
// long doubles from the middle.
TEST_CASE("ternary response of up to 10^12 users") {
  for (const char* where : {"eps0=1 n=100000000000 eps=1e-6", "eps0=3 n=1000000000000 eps=1e-6"}) {
    INFO(where);
    const Ball proved = at::proved("epsilary-lower-rr3", where, 6);
    const double close = at::in_double("epsilary-lower-rr3", where);
    CHECK(certainly(abs(proved - Ball(close)) <= proved * Ball(power_of_ten(-7))));
  }
  // Of many users sqrt(n) delta is a function of sqrt(n) eps.
  const double many = upper_end("epsilary-lower-rr3", "eps0=1 n=1000000000000 delta=1e-8"),
               fewer = upper_end("epsilary-lower-rr3", "eps0=1 n=100000000 delta=1e-6");
  CHECK(std::abs(100 * many / fewer - 1) < 1e-3);
}

TEST_CASE("epsilon and delta of the supremum agree, and nothing is lost from the cap on") {
  const std::string where = "eps0=1 m=1000 p0=0.5";
  const double eps = upper_end("epsilary-checkin-supremum", where + " delta=1e-6");
  const std::string there = where + " eps=" + Decimal::nearest(eps, 12).text();
  CHECK(at::evaluated("epsilary-checkin-supremum", there, 6).answer().value.upper() <= 1.05e-6);
  CHECK(at::evaluated("epsilary-checkin-supremum", where + " eps=0.9", 6).answer().value.is_zero());
  CHECK(at::evaluated("epsilary-shuffle-best", "eps0=1 n=100 eps=1", 6).answer().value.is_zero());
}

TEST_CASE("rounds: the blanket's pair is between the lower bound and the clones'") {
  for (const auto& [blanket, clones, lower, where] :
       {std::array<std::string, 4>{"epsilary-shuffled-checkin-blanket-pld", "epsilary-shuffled-checkin-pld",
                                   "epsilary-lower-shuffled-checkin", "eps0=1 n=10000 gamma=0.01 T=100 delta=1e-6"},
        {"epsilary-cldp-sgd-blanket-pld", "epsilary-cldp-sgd-pld", "epsilary-lower-cldp-sgd",
         "eps0=1 clients=6000 per_round=1000 T=10 delta=1e-5"}}) {
    INFO(where);
    const Ball mine = at::evaluated(blanket, where, 6).answer().value;
    CHECK(mine.upper() < at::evaluated(clones, where, 6).answer().value.lower());
    CHECK(mine.lower() > at::evaluated(lower, where, 6).answer().value.upper());
  }
}
