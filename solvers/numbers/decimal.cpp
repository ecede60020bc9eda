#include "solvers/numbers/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "solvers/numbers/fraction.hpp"

namespace epsilary::solvers {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

Rational integer(const std::string& digits) {
  Rational r;
  fmpz_set_str(fmpq_numref(r.raw()), digits.c_str(), 10);
  return r;
}

// Digits with the zeros at both ends removed; the exponent is that of the last digit kept.
std::string spelling(bool negative, std::string digits, std::int64_t exponent) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (digits.empty()) return "0";
  const std::int64_t leading = exponent + static_cast<std::int64_t>(digits.size()) - 1;
  if (exponent > 0 && leading < 21) digits.append(static_cast<std::size_t>(exponent), '0');
  std::string text = positional(digits, leading);
  return negative ? "-" + text : text;
}

std::string text_of(const fmpz* x) {
  std::string text(fmpz_sizeinbase(x, 10) + 2, '\0');
  fmpz_get_str(text.data(), 10, x);
  text.resize(text.find('\0'));
  return text;
}

// How often p divides the denominator; what is left of it stays in `rest`.
std::int64_t take_factor(Rational& rest, std::int64_t p) {
  std::int64_t times = 0;
  for (Rational next = rest / Rational(p); is_integer(next); next = next / Rational(p), ++times) rest = next;
  return times;
}

// A decimal where it ends, otherwise a fraction in lowest terms.
std::string spelling(const Rational& x) {
  if (std::max(fmpz_sizeinbase(fmpq_numref(x.raw()), 10), fmpz_sizeinbase(fmpq_denref(x.raw()), 10)) >
      Decimal::most_digits)
    throw BadNumber("a fraction of more than " + std::to_string(Decimal::most_digits) + " digits is not read");
  Rational rest;
  fmpz_set(fmpq_numref(rest.raw()), fmpq_denref(x.raw()));
  const std::int64_t twos = take_factor(rest, 2), fives = take_factor(rest, 5), places = std::max(twos, fives);
  if (!(rest == 1)) return text_of(fmpq_numref(x.raw())) + "/" + text_of(fmpq_denref(x.raw()));
  const bool negative = x < 0;
  const Rational digits = (negative ? Rational(0) - x : x) * power_of_ten(places);
  return spelling(negative, text_of(fmpq_numref(digits.raw())), -places);
}

}  // namespace

std::string positional(std::string_view digits, std::int64_t exponent) {
  std::string text;
  if (digits.starts_with('-')) {
    text = "-";
    digits.remove_prefix(1);
  }
  const std::int64_t count = static_cast<std::int64_t>(digits.size());
  if (exponent >= 0 && exponent < std::max(count, std::int64_t{7})) {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    text += digits.substr(0, whole);
    if (digits.size() < whole)
      text.append(whole - digits.size(), '0');
    else if (digits.size() > whole)
      text.append(".").append(digits.substr(whole));
  } else if (exponent < 0 && exponent > -5) {
    text.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
  } else {
    text += digits.front();
    if (count > 1) text.append(".").append(digits.substr(1));
    text += "e" + std::to_string(exponent);
  }
  return text;
}

Decimal::Decimal(std::string_view text) {
  const std::string_view whole = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    if (text.find('/', slash + 1) != std::string_view::npos)
      throw BadNumber("'" + std::string(text.substr(0, 40)) + "' is not one fraction such as 1/3");
    const Decimal above(text.substr(0, slash)), below(text.substr(slash + 1));
    if (below.value_ == 0) throw BadNumber("'" + std::string(text.substr(0, 40)) + "' divides by 0");
    value_ = above.value_ / below.value_;
    text_ = spelling(value_);
    return;
  }
  const auto refuse = [&](const std::string& rule) {
    throw BadNumber("'" + std::string(whole.substr(0, 40)) + (whole.size() > 40 ? "..." : "") + "' " + rule);
  };
  const bool negative = text.starts_with('-');
  take(text, "+-");
  const std::string_view before = take_digits(text);
  const std::string_view after = take(text, ".") ? take_digits(text) : std::string_view{};
  if (before.empty() && after.empty()) refuse("is not a decimal number such as 0.5, 1e-6 or 164452");
  if (before.size() + after.size() > most_digits) refuse("has more than " + std::to_string(most_digits) + " digits");
  std::int64_t exponent = 0;
  if (take(text, "eE")) {
    const bool down = text.starts_with('-');
    take(text, "+-");
    const std::string_view power = take_digits(text);
    if (power.empty()) refuse("has an e without an exponent");
    const auto parsed = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (parsed.ec != std::errc{} || exponent > largest_exponent)
      refuse("has an exponent beyond +-" + std::to_string(largest_exponent));
    if (down) exponent = -exponent;
  }
  if (!text.empty()) refuse("is not a decimal number such as 0.5, 1e-6 or 164452");
  const std::string digits = std::string(before) + std::string(after);
  exponent -= static_cast<std::int64_t>(after.size());
  const std::int64_t leading = exponent + static_cast<std::int64_t>(digits.size() - digits.find_first_not_of('0')) - 1;
  if (digits.find_first_not_of('0') != std::string::npos && std::abs(leading) > largest_exponent)
    refuse("has an exponent beyond +-" + std::to_string(largest_exponent));
  value_ = integer(digits) * power_of_ten(exponent);
  if (negative) value_ = Rational(0) - value_;
  text_ = spelling(negative, digits, exponent);
}

Decimal exactly(const Rational& x) {
  return Decimal(text_of(fmpq_numref(x.raw())) + "/" + text_of(fmpq_denref(x.raw())));
}

Decimal Decimal::round(const Rational& x, int digits, Rounding side) {
  // Ball arithmetic would do, but an exact decimal must come back as itself, so divide exactly.
  if (x == Rational(0)) return {};
  const bool negative = x < Rational(0);
  const Rational size = negative ? Rational(0) - x : x;
  std::int64_t leading =
      static_cast<std::int64_t>(std::floor((static_cast<double>(fmpz_bits(fmpq_numref(size.raw()))) -
                                            static_cast<double>(fmpz_bits(fmpq_denref(size.raw())))) *
                                           0.30102999566398));
  while (power_of_ten(leading + 1) <= size) ++leading;
  while (power_of_ten(leading) > size) --leading;
  const std::int64_t exponent = leading - digits + 1;
  const Rational scaled = size * power_of_ten(-exponent);
  Rational whole;
  if ((side == Rounding::up) != negative)
    fmpz_cdiv_q(fmpq_numref(whole.raw()), fmpq_numref(scaled.raw()), fmpq_denref(scaled.raw()));
  else
    fmpz_fdiv_q(fmpq_numref(whole.raw()), fmpq_numref(scaled.raw()), fmpq_denref(scaled.raw()));
  return Decimal((negative ? "-" : "") + text_of(fmpq_numref(whole.raw())) + "e" + std::to_string(exponent));
}

Decimal Decimal::nearest(double x, int digits) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::scientific, digits - 1);
  return Decimal(std::string_view(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())));
}

}  // namespace epsilary::solvers
