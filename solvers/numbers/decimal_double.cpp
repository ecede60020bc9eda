#include "solvers/numbers/decimal_double.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "solvers/numbers/decimal.hpp"

namespace epsilary::solvers {
namespace {

struct Figures {
  char digits[24];
  int count, exponent;

  std::string text(bool negative) const {
    char all[25] = {'-'};
    std::copy(digits, digits + count, all + 1);
    return positional(std::string_view(all + !negative, static_cast<std::size_t>(count + negative)), exponent);
  }

  // The next decimal of as many digits, away from zero or towards it.
  Figures larger() const {
    Figures r = *this;
    for (int i = count - 1; i >= 0; --i) {
      if (r.digits[i] != '9') return ++r.digits[i], r;
      r.digits[i] = '0';
    }
    r.digits[0] = '1';
    ++r.exponent;
    return r;
  }
  Figures smaller() const {
    Figures r = *this;
    int i = count - 1;
    while (r.digits[i] == '0') r.digits[i--] = '9';
    --r.digits[i];
    if (r.digits[0] == '0') {  // from 1.000 to 0.9999
      r.digits[0] = '9';
      --r.exponent;
    }
    return r;
  }
};

constexpr int most_digits = 15;  // with more, the nearest decimal reads back as x itself

}  // namespace

DecimalEnds decimal_ends(double x, int digits) {
  char text[40] = {};
  const double size = std::fabs(x);
  double nearest = size;
  const char* end = text;
  if (digits <= most_digits && size > 0 && std::isfinite(x)) {
    end = std::to_chars(text, text + sizeof text, size, std::chars_format::scientific, digits - 1).ptr;
    std::from_chars(text, end, nearest);
  }
  // Reading back is monotone: a decimal that reads as less than x is less than x. One that reads as x may be either.
  if (nearest == size) return {decimal(Ball(x), digits, Rounding::down), decimal(Ball(x), digits, Rounding::up)};
  const char* e = end - 1;
  while (*e != 'e') --e;
  Figures figures{{text[0]}, digits, 0};
  std::copy(text + 2, text + 1 + digits, figures.digits + 1);
  std::from_chars(e + (e[1] == '+' ? 2 : 1), end, figures.exponent);
  std::string inner = (nearest < size ? figures : figures.smaller()).text(x < 0);
  std::string outer = (nearest < size ? figures.larger() : figures).text(x < 0);
  return x < 0 ? DecimalEnds{std::move(outer), std::move(inner)} : DecimalEnds{std::move(inner), std::move(outer)};
}

std::string decimal(double x, int digits, Rounding side) {
  DecimalEnds ends = decimal_ends(x, digits);
  return std::move(side == Rounding::up ? ends.upper : ends.lower);
}

}  // namespace epsilary::solvers
