#include "solvers/numbers/decimal.hpp"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <cmath>
#include <random>
#include <vector>

#include "solvers/numbers/decimal_double.hpp"

using namespace epsilary::solvers;

TEST_CASE("a decimal is exactly what was written, and has one spelling") {
  CHECK(Decimal("0.1").exact() * Rational(10) == Rational(1));
  CHECK(Decimal("1e4").text() == "10000");
  CHECK(Decimal("10000").text() == "10000");
  CHECK(Decimal("0.000001").text() == "1e-6");
  CHECK(Decimal("+1.50E-7").text() == "1.5e-7");
  CHECK(Decimal("1e30").text() == "1e30");
  CHECK(Decimal("-0.50").text() == "-0.5");
  CHECK(Decimal("000").text() == "0");
  CHECK(Decimal(".5") == Decimal("0.5"));
  CHECK(Decimal("1e-300").exact() * power_of_ten(300) == Rational(1));
}

TEST_CASE("a fraction is exactly what was written, a decimal where it ends") {
  CHECK(Decimal("1/3").exact() * Rational(3) == Rational(1));
  CHECK(Decimal("1/3").text() == "1/3");
  CHECK(Decimal("-2/6") == Decimal("-1/3"));
  CHECK(Decimal("1e-5/3").text() == "1/300000");
  CHECK(Decimal("0.1/0.3") == Decimal("1/3"));
  CHECK(Decimal("1/8").text() == "0.125");
  CHECK(Decimal("6/3").text() == "2");
  CHECK(Decimal("3/1e400").text() == "3e-400");
  CHECK(Decimal("0/7").text() == "0");
  CHECK(Decimal("7/1e6").text() == "7e-6");
  CHECK_THROWS_WITH(Decimal("1/0"), "'1/0' divides by 0");
  for (const char* text : {"1/", "/3", "1/2/3", "1 /3", "1/n"}) CHECK_THROWS_AS(Decimal{text}, BadNumber);
  CHECK_THROWS_AS(Decimal("1e20000/3"), BadNumber);
}

TEST_CASE("what is not a decimal is refused with the text and the rule") {
  for (const char* text : {"", "abc", "nan", "inf", "-", "1e", "1e+", "1.2.3", "0x10", "1 ", " 1", "1e5.5", ".", "--1"})
    CHECK_THROWS_AS(Decimal{text}, BadNumber);
  CHECK_THROWS_WITH(Decimal("1e999999"), "'1e999999' has an exponent beyond +-100000");
  CHECK_THROWS_AS(Decimal("199e99999"), BadNumber);  // it would be spelled 1.99e100001
  CHECK(Decimal("1.99e100000") == Decimal("199e99998"));
  CHECK(Decimal("0e99999").text() == "0");
  CHECK_THROWS_WITH(Decimal("abc"), "'abc' is not a decimal number such as 0.5, 1e-6 or 164452");
  CHECK_THROWS_AS(Decimal(std::string(10'001, '1')), BadNumber);
}

TEST_CASE("rounding to a side never crosses the number, and keeps what is exact") {
  const Rational third = Rational(1) / Rational(3);
  CHECK(Decimal::round(third, 5, Rounding::down).text() == "0.33333");
  CHECK(Decimal::round(third, 5, Rounding::up).text() == "0.33334");
  CHECK(Decimal::round(Rational(0) - third, 5, Rounding::up).text() == "-0.33333");
  CHECK(Decimal::round(Decimal("0.25").exact(), 9, Rounding::up).text() == "0.25");
  CHECK(Decimal::round(Decimal("999.9").exact(), 2, Rounding::up).text() == "1000");
}

TEST_CASE("an exact double is printed on the side asked for, as MPFR rounds it") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> size(-30, 30);
  const auto by_mpfr = [](double x, int digits, Rounding side) {
    mpfr_t wide;
    mpfr_init2(wide, 53);
    mpfr_set_d(wide, x, MPFR_RNDN);
    mpfr_exp_t exponent = 0;
    char* raw = mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(digits), wide,
                             side == Rounding::up ? MPFR_RNDU : MPFR_RNDD);
    const std::string text = positional(raw, exponent - 1);
    mpfr_free_str(raw);
    mpfr_clear(wide);
    return text;
  };
  std::vector<double> numbers{0.1, 1,      2.5,  99999.96, 99999.94, 999999.5, 0.000123,
                              9.5, 9.4999, 1e22, 5e-300,   1e300,    0.3};
  for (int i = 0; i < 20'000; ++i) numbers.push_back(std::pow(10, size(random)));
  for (double& x : numbers)
    for (const int digits : {1, 2, 6, 15, 17})
      for (const Rounding side : {Rounding::down, Rounding::up}) {
        x = -x;
        REQUIRE(decimal(x, digits, side) == by_mpfr(x, digits, side));
      }
}
