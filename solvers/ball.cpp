#include "solvers/ball.hpp"

#include <mpfr.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "solvers/decimal.hpp"
#include "solvers/rational.hpp"

namespace solvers {
namespace {

struct Arf {
  arf_t x;
  Arf() { arf_init(x); }
  ~Arf() { arf_clear(x); }
  Arf(const Arf&) = delete;
  Arf& operator=(const Arf&) = delete;
};

// An exact number on the given side of the ball, at no fewer bits than it is known to.
void end_of(arf_t out, const arb_t x, Rounding side) {
  const slong bits = std::max<slong>(arb_bits(x), 64) + 30;
  if (side == Rounding::down)
    arb_get_lbound_arf(out, x, bits);
  else
    arb_get_ubound_arf(out, x, bits);
}

Ball exact(const Arf& end) {
  Ball r;
  arb_set_arf(r.arb(), end.x);
  return r;
}

// The number, where the ball is one point that a double holds.
std::optional<double> as_double(const Ball& x) {
  const arf_srcptr centre = arb_midref(x.arb());
  if (!mag_is_zero(arb_radref(x.arb())) || arf_bits(centre) > 53) return {};
  if (arf_cmpabs_2exp_si(centre, -1000) < 0 || arf_cmpabs_2exp_si(centre, 1000) > 0) return {};
  return arf_get_d(centre, ARF_RND_NEAR);
}

// Moves the digits by one unit of the last place; true when the size grew or shrank to another power of ten.
bool step_up(std::string& digits) {
  for (auto d = digits.rbegin(); d != digits.rend(); ++d) {
    if (*d != '9') return ++*d, false;
    *d = '0';
  }
  digits.front() = '1';
  return true;
}
bool step_down(std::string& digits) {
  if (digits.front() == '1' && digits.find_first_not_of('0', 1) == std::string::npos) {
    digits.assign(digits.size(), '9');
    return true;
  }
  for (auto d = digits.rbegin(); d != digits.rend(); ++d) {
    if (*d != '0') return --*d, false;
    *d = '9';
  }
  return false;
}

// x rounded to one side, from the library's rounding to nearest: reading the nearest decimal back is monotone, so a
// result below x comes from a decimal below x. Empty when it comes back as x, which may mean either side.
std::string decimal_of_double(double x, int digits, Rounding side) {
  char text[40];
  const double size = std::fabs(x);
  const auto end = std::to_chars(text, text + sizeof text, size, std::chars_format::scientific, digits - 1).ptr;
  double nearest = 0;
  std::from_chars(text, end, nearest);
  if (nearest == size) return {};
  const char* e = end - 1;
  while (*e != 'e') --e;
  int exponent = 0;
  std::from_chars(e + (e[1] == '+' ? 2 : 1), end, exponent);
  std::string figures(1, text[0]);
  if (digits > 1) figures.append(text + 2, static_cast<std::size_t>(e - text - 2));
  const bool want_larger = (side == Rounding::up) == (x > 0);
  if (want_larger && nearest < size && step_up(figures)) ++exponent;
  if (!want_larger && nearest > size && step_down(figures)) --exponent;
  return positional(x < 0 ? "-" + figures : figures, exponent);
}

}  // namespace

Ball::Ball(const Rational& exact) : Ball() { arb_set_fmpq(x_, exact.raw(), bits_); }

double Ball::lower() const {
  Arf end;
  end_of(end.x, x_, Rounding::down);
  return arf_get_d(end.x, ARF_RND_FLOOR);
}

double Ball::upper() const {
  Arf end;
  end_of(end.x, x_, Rounding::up);
  return arf_get_d(end.x, ARF_RND_CEIL);
}

double Ball::midpoint() const { return arf_get_d(arb_midref(x_), ARF_RND_NEAR); }

Ball Ball::lower_end() const {
  Arf end;
  end_of(end.x, x_, Rounding::down);
  return exact(end);
}

Ball Ball::upper_end() const {
  Arf end;
  end_of(end.x, x_, Rounding::up);
  return exact(end);
}

std::string decimal(const Ball& x, int digits, Rounding side) {
  if (x.is_zero()) return "0";
  if (!x.finite()) return {};
  if (const auto number = digits <= 15 ? as_double(x) : std::nullopt)
    if (std::string text = decimal_of_double(*number, digits, side); !text.empty()) return text;
  Arf end;
  end_of(end.x, x.arb(), side);
  if (arf_is_zero(end.x)) return "0";
  mpfr_t wide;
  mpfr_init2(wide, std::max<mpfr_prec_t>(arf_bits(end.x), 2));
  const mpfr_rnd_t toward = side == Rounding::up ? MPFR_RNDU : MPFR_RNDD;
  arf_get_mpfr(wide, end.x, toward);  // exact unless the exponent overflows
  std::string text;
  if (mpfr_number_p(wide) && !mpfr_zero_p(wide)) {
    mpfr_exp_t exponent = 0;
    const std::unique_ptr<char, void (*)(char*)> raw(
        mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(digits), wide, toward), mpfr_free_str);
    if (raw) text = positional(raw.get(), exponent - 1);
  }
  mpfr_clear(wide);
  return text;
}

long bits_for(int digits) { return static_cast<long>(std::ceil(digits * 3.3219280948873626)) + 2; }

}  // namespace solvers
