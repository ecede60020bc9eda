// ComplexBall: a complex number known to lie in a rectangle. A value type over Arb's acb_t, at the precision of Ball.
#pragma once

#include "solvers/numbers/ball.hpp"

#if __has_include(<flint/acb.h>)
#include <flint/acb.h>
#else
#include <acb.h>
#endif

#include <cstdint>

namespace epsilary::solvers {

class ComplexBall {
 public:
  ComplexBall() { acb_init(x_); }
  ComplexBall(int exact) : ComplexBall() { acb_set_si(x_, exact); }
  ComplexBall(const Ball& re) : ComplexBall() { acb_set_arb(x_, re.arb()); }
  ComplexBall(const Ball& re, const Ball& im) : ComplexBall() { acb_set_arb_arb(x_, re.arb(), im.arb()); }
  ComplexBall(const ComplexBall& other) : ComplexBall() { acb_set(x_, other.x_); }
  ComplexBall(ComplexBall&& other) noexcept : ComplexBall() { acb_swap(x_, other.x_); }
  ComplexBall& operator=(const ComplexBall& other) {
    acb_set(x_, other.x_);
    return *this;
  }
  ComplexBall& operator=(ComplexBall&& other) noexcept {
    acb_swap(x_, other.x_);
    return *this;
  }
  ~ComplexBall() { acb_clear(x_); }

  acb_ptr acb() { return x_; }
  acb_srcptr acb() const { return x_; }

  Ball real() const { return part(acb_realref(x_)); }
  Ball imag() const { return part(acb_imagref(x_)); }
  bool finite() const { return acb_is_finite(x_); }
  // Every point within `radius` of this one.
  ComplexBall widened(const Ball& radius) const {
    ComplexBall r(*this);
    const Ball most = radius.upper_end();
    arb_add_error(acb_realref(r.x_), most.arb());
    arb_add_error(acb_imagref(r.x_), most.arb());
    return r;
  }

  ComplexBall& operator+=(const ComplexBall& b) { return *this = *this + b; }
  ComplexBall& operator-=(const ComplexBall& b) { return *this = *this - b; }
  ComplexBall& operator*=(const ComplexBall& b) { return *this = *this * b; }
  friend ComplexBall operator+(const ComplexBall& a, const ComplexBall& b) { return apply(acb_add, a, b); }
  friend ComplexBall operator-(const ComplexBall& a, const ComplexBall& b) { return apply(acb_sub, a, b); }
  friend ComplexBall operator*(const ComplexBall& a, const ComplexBall& b) { return apply(acb_mul, a, b); }
  friend ComplexBall operator/(const ComplexBall& a, const ComplexBall& b) { return apply(acb_div, a, b); }
  friend ComplexBall operator*(const ComplexBall& a, const Ball& b) {
    spend(2 * Ball::costs().sum);
    ComplexBall r;
    acb_mul_arb(r.x_, a.x_, b.arb(), Ball::precision());
    return r;
  }
  friend ComplexBall operator*(const Ball& a, const ComplexBall& b) { return b * a; }
  friend ComplexBall operator*(const ComplexBall& a, int b) {
    ComplexBall r;
    acb_mul_si(r.x_, a.x_, b, Ball::precision());
    return r;
  }
  friend ComplexBall operator/(const ComplexBall& a, int b) {
    ComplexBall r;
    acb_div_si(r.x_, a.x_, b, Ball::precision());
    return r;
  }
  ComplexBall operator-() const {
    ComplexBall r;
    acb_neg(r.x_, x_);
    return r;
  }

  friend ComplexBall exp(const ComplexBall& x) { return apply(4 * Ball::costs().function, acb_exp, x); }
  friend ComplexBall expm1(const ComplexBall& x) { return apply(4 * Ball::costs().function, acb_expm1, x); }
  friend ComplexBall log(const ComplexBall& x) { return apply(4 * Ball::costs().function, acb_log, x); }
  friend ComplexBall log1p(const ComplexBall& x) { return apply(4 * Ball::costs().function, acb_log1p, x); }
  friend ComplexBall pow(const ComplexBall& x, std::uint64_t n) {
    spend(4 * Ball::costs().function);
    ComplexBall r;
    acb_pow_ui(r.x_, x.x_, n, Ball::precision());
    return r;
  }
  friend Ball abs(const ComplexBall& x) {
    Ball r;
    acb_abs(r.arb(), x.x_, Ball::precision());
    return r;
  }

 private:
  static Ball part(const arb_t x) {
    Ball r;
    arb_set(r.arb(), x);
    return r;
  }
  static ComplexBall apply(double cost, void (*f)(acb_t, const acb_t, slong), const ComplexBall& x) {
    spend(cost);
    ComplexBall r;
    f(r.x_, x.x_, Ball::precision());
    return r;
  }
  static ComplexBall apply(void (*f)(acb_t, const acb_t, const acb_t, slong), const ComplexBall& a,
                           const ComplexBall& b) {
    spend(4 * Ball::costs().sum);
    ComplexBall r;
    f(r.x_, a.x_, b.x_, Ball::precision());
    return r;
  }

  acb_t x_;
};

}  // namespace epsilary::solvers
