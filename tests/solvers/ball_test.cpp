#include "solvers/ball.hpp"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <random>
#include <thread>

#include "solvers/decimal.hpp"
#include "solvers/real.hpp"

using namespace solvers;

TEST_CASE("the printed end of a ball is never on the wrong side of it") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-300, 300);
  for (int i = 0; i < 2000; ++i) {
    const Ball::Precision bits(64 + i % 200);
    const Ball x = exp(Ball(exponent(random))) / 7 * (i % 2 ? 1 : -1);
    for (const int digits : {1, 2, 6, 17, 40}) {
      const Rational down = Decimal(decimal(x, digits, Rounding::down)).exact();
      const Rational up = Decimal(decimal(x, digits, Rounding::up)).exact();
      const Ball::Precision wide(2000);
      CHECK(Ball(down) <= x);
      CHECK(Ball(up) >= x);
    }
  }
}

TEST_CASE("an exact number prints as itself from both sides") {
  CHECK(decimal(Ball(1), 6, Rounding::up) == "1.00000");
  CHECK(decimal(Ball(1), 6, Rounding::down) == "1.00000");
  CHECK(decimal(Ball(0), 6, Rounding::up) == "0");
  CHECK(decimal(Ball(164452), 6, Rounding::down) == "164452");
  CHECK(decimal(Ball(-0.5), 3, Rounding::down) == "-0.500");
  CHECK(decimal(Ball(1) / 0, 6, Rounding::up).empty());
}

TEST_CASE("comparisons are certain: overlapping balls are neither smaller nor greater") {
  const Ball::Precision bits(64);
  const Ball third = Ball(1) / 3, one = third * 3;
  CHECK_FALSE(one < 1);
  CHECK_FALSE(one > 1);
  CHECK_FALSE(one <= 1);
  CHECK(one.contains(1));
  CHECK(third < 0.34);
  CHECK(third > 0.33);
}

TEST_CASE("integers and doubles mix with balls, and a double is never cut to an integer") {
  CHECK((0.25 * Ball(4)).contains(1));
  CHECK((Ball(4) * 0.25).contains(1));
  CHECK((Ball(1) / 0.5).contains(2));
  CHECK((0.5 + Ball(1) - 0.25).contains(1.25));
  CHECK((3 - 2 * Ball(1) + 1 / Ball(2) + Ball(1) / 2).contains(2));
}

TEST_CASE("the precision belongs to the thread and to the scope") {
  const Ball::Precision outer(100);
  {
    const Ball::Precision inner(200);
    CHECK(Ball::precision() == 200);
    std::thread([] { CHECK(Ball::precision() == 128); }).join();
  }
  CHECK(Ball::precision() == 100);
}

TEST_CASE("decimal input does not pass through a double") {
  const Ball::Precision bits(200);
  const Ball tenth(Decimal("0.1").exact());
  CHECK((tenth * 10).contains(1));
  CHECK_FALSE((Ball(0.1) * 10).contains(1));
  CHECK(from_rational<double>(Decimal("0.1").exact()) == 0.1);
  CHECK(abs(from_rational<mp50>(Decimal("0.1").exact()) * 10 - 1) < mp50("1e-49"));
}

TEST_CASE("a number may leave the range of double") {
  const Ball huge = exp(Ball(1e6));
  CHECK(decimal(huge, 6, Rounding::up) == "3.03322e434294");
  CHECK(decimal(1 / huge, 6, Rounding::down) == "3.29683e-434295");
}

TEST_CASE("mpfr keeps its constants per thread here") { CHECK(mpfr_buildopt_tls_p() != 0); }
