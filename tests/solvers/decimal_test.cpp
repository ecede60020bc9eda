#include "solvers/decimal.hpp"

#include <doctest/doctest.h>

using namespace solvers;

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
