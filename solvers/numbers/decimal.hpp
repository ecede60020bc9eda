// Decimal: a number exactly as it was written, 1e-6 meaning one millionth and not the nearest double.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "solvers/numbers/ball.hpp"
#include "solvers/numbers/rational.hpp"

namespace epsilary::solvers {

// The text is not a number this program reads; what() says which rule it breaks.
struct BadNumber : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

class Decimal {
 public:
  static constexpr std::size_t most_digits = 10'000;
  static constexpr std::int64_t largest_exponent = 100'000;

  Decimal() = default;
  explicit Decimal(std::string_view text);  // throws BadNumber
  Decimal(std::int64_t value) : Decimal(std::to_string(value)) {}

  // The nearest decimal of so many significant digits on the given side of x.
  static Decimal round(const Rational& x, int digits, Rounding side);
  static Decimal nearest(double x, int digits);

  const Rational& exact() const { return value_; }
  const std::string& text() const { return text_; }  // one spelling for every way to write the number

  friend bool operator==(const Decimal& a, const Decimal& b) { return a.text_ == b.text_; }

 private:
  Rational value_;
  std::string text_ = "0";
};

// Digits d1d2d3... (perhaps after a minus) with the point after d1 shifted by `exponent`, written the
// way people read numbers: 164452, 0.407760, 1.50000e-7.
std::string positional(std::string_view digits, std::int64_t exponent);

}  // namespace epsilary::solvers
