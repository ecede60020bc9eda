#include "solvers/numbers/ball.hpp"

#include <mpfr.h>

#include <cmath>
#include <memory>

#include "solvers/numbers/decimal.hpp"
#include "solvers/numbers/rational.hpp"

namespace epsilary::solvers {
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

std::int64_t bits_for(int digits) { return static_cast<std::int64_t>(std::ceil(digits * 3.3219280948873626)) + 2; }

}  // namespace epsilary::solvers
