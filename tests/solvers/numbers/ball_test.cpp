#include "solvers/numbers/ball.hpp"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <random>
#include <thread>

#include "solvers/numbers/decimal.hpp"
#include "solvers/numbers/real.hpp"

using namespace epsilary::solvers;

TEST_CASE("the printed end of a ball is never on the wrong side of it") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-300, 300);
  for (int i = 0; i < 2000; ++i) {
    const Ball::Precision bits(64 + i % 200);
    const double e = exponent(random);
    const Ball x = exp(Ball(e)) / 7 * (i % 2 ? 1 : -1);
    for (const int digits : {1, 2, 6, 17, 40}) {
      const Rational down = Decimal(decimal(x, digits, Rounding::down)).exact();
      const Rational up = Decimal(decimal(x, digits, Rounding::up)).exact();
      const Ball::Precision wide(2000);
      CHECK(certainly(Ball(down) <= x));
      CHECK(certainly(Ball(up) >= x));
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
  CHECK(undecided(one < 1));
  CHECK(undecided(one > 1));
  CHECK(undecided(one <= 1));
  CHECK(undecided(one >= 1));
  CHECK(one.contains(1));
  CHECK(certainly(third < Ball(0.34)));
  CHECK(certainly(third > Ball(0.33)));
  CHECK_FALSE(possibly(third < Ball(0.33)));
  CHECK(certainly(Ball(1) <= 1));
  CHECK(certainly(Ball(1) >= 1));
  CHECK_FALSE(possibly(Ball(1) < 1));
  CHECK_FALSE(possibly(Ball(0) > 0));
  for (const Truth t : {Ball::indeterminate() < 0, Ball::indeterminate() >= 0, 0 < Ball::indeterminate()})
    CHECK(undecided(t));
}

TEST_CASE("what is known of two statements together is what is known at every point") {
  const Truth yes = Ball(1) > 0, no = Ball(1)<0, open = Ball::hull(Ball(-1), Ball(1))> 0;
  CHECK(certainly(yes));
  CHECK_FALSE(possibly(no));
  CHECK(undecided(open));
  CHECK(undecided(!open));
  CHECK(certainly(!no));
  CHECK(certainly(yes || open));
  CHECK_FALSE(possibly(no && open));
  CHECK(undecided(yes && open));
  CHECK(undecided(no || open));
  CHECK(certainly(true));
  CHECK_FALSE(possibly(false));
}

TEST_CASE("an undecided branch takes the hull of both sides, a decided one its own") {
  const auto one_or_two = [](const auto& truth) {
    return branch(
        truth, [] { return Ball(1); }, [] { return Ball(2); });
  };
  CHECK(one_or_two(Ball(1) > 0).contains(1));
  CHECK_FALSE(one_or_two(Ball(1) > 0).contains(2));
  CHECK(one_or_two(Ball(-1) > 0).contains(2));
  CHECK_FALSE(one_or_two(Ball(-1) > 0).contains(1));
  const Ball both = one_or_two(Ball::hull(Ball(-1), Ball(1)) > 0);
  CHECK(both.contains(1));
  CHECK(both.contains(2));
  CHECK(branch(
            2.0 > 1.0, [] { return 1; }, [] { return 2; }) == 1);
}

// What is only perhaps true is not a condition: none of these compiles.
template <class T>
concept Condition = requires(T t) {
  t ? 1 : 2;
};
template <class T>
concept JoinsABool = requires(T t, bool b) {
  t&& b;
};
template <class T>
concept JoinedByABool = requires(T t, bool b) {
  b || t;
};
template <class T>
concept Certain = requires(T t) {
  certainly(t);
};
TEST_CASE("a comparison of balls is no condition") {
  using Compared = decltype(Ball() < Ball());
  static_assert(std::same_as<Compared, Truth> && std::same_as<decltype(Ball() >= 0), Truth>);
  static_assert(!std::convertible_to<Compared, bool> && !std::constructible_from<bool, Compared>);
  static_assert(!Condition<Compared> && !JoinsABool<Compared> && !JoinedByABool<Compared>);
  static_assert(Condition<bool> && JoinsABool<bool> && JoinedByABool<bool>);
  static_assert(Certain<Compared> && Certain<bool> && !Certain<int> && !Certain<double>);
}

TEST_CASE("integers mix with balls; doubles are made balls first, and seen to be") {
  static_assert(!std::convertible_to<double, Ball> && std::constructible_from<Ball, double>);
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
