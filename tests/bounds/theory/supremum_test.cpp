// The supremum of check-ins and the shuffle reduced to it, against what randomised response attains and the clones
// allow.
#include "bounds/theory/shuffle/supremum.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/bounds/at.hpp"

using namespace epsilary::bounds;
using namespace epsilary::bounds::supremum;

namespace {

double number(const std::string& id, const std::string& where) { return at::number(id, where); }

}  // namespace

TEST_CASE("lower bounds <= supremum <= clones, for check-ins and for the shuffle") {
  const Ball::Precision bits(128);
  for (const char* eps0 : {"0.3", "1", "2"})
    for (const char* size : {"100", "3000"})
      for (const double share : {0.05, 0.2}) {
        const double e0 = std::stod(eps0), m = std::stod(size), eps = share * e0;
        const Ball local(e0), at_eps(eps);
        const std::string where = std::string(" eps0=") + eps0 + " eps=" + Decimal::nearest(eps, 17).text();
        const auto least = [&](const std::string& n) {
          return std::max(number("epsilary-lower-rr", n + where), number("epsilary-lower-rr3", n + where));
        };
        const std::string n = std::string("n=") + size;
        const double clones = number("feldman2021-clones", n + where);
        const double slots = checkin_delta(local, static_cast<std::int64_t>(m), Ball(1), at_eps, {.block = 200});
        const double shuffle = shuffle_delta(local, static_cast<std::int64_t>(m), at_eps, {.block = 200});
        CAPTURE(where);
        CAPTURE(size);
        CHECK(slots >= least(n) * (1 - 1e-9));
        CHECK(slots <= clones * 1.02);  // a check-in slot is what a shuffled report is at w = 1
        CHECK(shuffle >= least(n) * (1 - 1e-9));
        CHECK(shuffle >= slots);  // it costs some users
      }
}

TEST_CASE("one report is randomised response; more slots leak less; weights leak in proportion") {
  const Ball::Precision bits(128);
  const Ball eps0(1), eps(0.5);
  const double alone = (std::exp(1.0) - std::exp(0.5)) / (1 + std::exp(1.0));
  CHECK(shuffle_delta(eps0, 1, eps, {}) == doctest::Approx(alone).epsilon(1e-12));
  CHECK(checkin_delta(eps0, 1, Ball(1), eps, {.cell = 0.001}) == doctest::Approx(alone).epsilon(1e-3));
  double before = 1;
  for (const std::int64_t m : {1, 2, 5, 30, 200}) {
    const double now = checkin_delta(eps0, m, Ball(1), Ball(0.1), {.cell = 0.01});
    CHECK(now < before);
    CHECK(checkin_delta(eps0, m, Ball(0.5), Ball(0.1), {.cell = 0.01}) < now);
    before = now;
  }
}

TEST_CASE("epsilon at delta 1e-6: a thousand slots, and a shuffle of ten thousand where the clones have 0.0530") {
  const Ball::Precision bits(128);
  const Ball delta(power_of_ten(-6));
  const auto of_slots = [](double eps, double cell) {
    return checkin_delta(Ball(1), 1000, Ball(1), Ball(eps), {.cell = cell, .block = 1000});
  };
  const double slots = epsilon_at(of_slots, delta, 0.130566, 1, {.cell = 0.02});
  CHECK(slots >= 0.130566);
  CHECK(slots <= 0.13065);
  const auto of_shuffle = [](double eps, double cell) {
    return shuffle_delta(Ball(1), 10000, Ball(eps), {.cell = cell, .block = 500});
  };
  const double shuffle = epsilon_at(of_shuffle, delta, 0.0379981, 1, {});
  CHECK(shuffle >= 0.0379981);
  CHECK(shuffle <= 0.03805);
}
