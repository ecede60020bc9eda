// mp: so many decimal digits of MPFR, each operation rounded to nearest; its digits lie in the number itself. What
// Boost.Multiprecision gives without expression templates, as a plain class that is read and compiled sooner.
#pragma once

#include <mpfr.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

#include "solvers/numbers/work.hpp"

namespace epsilary::solvers {

// MPFR's exponents reach 2^30 until a thread is told otherwise; e^(10^10) and its inverse need more.
inline void widen_exponents() {
  thread_local const int refused =
      mpfr_set_emin(mpfr_get_emin_min()) | mpfr_set_emax(mpfr_get_emax_max());  // 0: these are MPFR's own limits
  static_cast<void>(refused);
}

template <unsigned Digits>
class mp {
 public:
  static constexpr mpfr_prec_t bits = Digits * 1000 / 301 + 2;  // Boost's number of bits for so many digits

  mp() {
    widen_exponents();
    mpfr_custom_init(digits_, bits);
    mpfr_custom_init_set(x_, MPFR_ZERO_KIND, 0, bits, digits_);
  }
  template <std::integral I>
  mp(I x) : mp() {
    if constexpr (std::signed_integral<I>)
      mpfr_set_sj(x_, x, MPFR_RNDN);
    else
      mpfr_set_uj(x_, x, MPFR_RNDN);
  }
  template <std::floating_point F>
  mp(F x) : mp() {
    mpfr_set_ld(x_, x, MPFR_RNDN);
  }
  explicit mp(const char* decimal) : mp() { mpfr_set_str(x_, decimal, 10, MPFR_RNDN); }
  template <unsigned Other>
  explicit mp(const mp<Other>& x) : mp() {
    mpfr_set(x_, x.mpfr(), MPFR_RNDN);
  }
  mp(const mp& other) : mp() { mpfr_set(x_, other.x_, MPFR_RNDN); }
  mp& operator=(const mp& other) {
    mpfr_set(x_, other.x_, MPFR_RNDN);
    return *this;
  }

  mpfr_ptr mpfr() { return x_; }
  mpfr_srcptr mpfr() const { return x_; }
  // The number to so many significant digits, to nearest.
  std::string str(int digits) const {
    char text[Digits + 40];
    return {text, static_cast<std::size_t>(mpfr_snprintf(text, sizeof text, "%.*Re", digits - 1, x_))};
  }

  friend std::ostream& operator<<(std::ostream& out, const mp& x) { return out << x.str(Digits); }

  friend mp operator+(const mp& a, const mp& b) { return {mpfr_add, a, b}; }
  friend mp operator-(const mp& a, const mp& b) { return {mpfr_sub, a, b}; }
  friend mp operator*(const mp& a, const mp& b) { return {mpfr_mul, a, b}; }
  friend mp operator/(const mp& a, const mp& b) { return {mpfr_div, a, b}; }
  friend mp operator-(const mp& a) { return {mpfr_neg, a}; }
  mp& operator+=(const mp& b) { return *this = *this + b; }
  mp& operator-=(const mp& b) { return *this = *this - b; }
  mp& operator*=(const mp& b) { return *this = *this * b; }
  mp& operator/=(const mp& b) { return *this = *this / b; }

  friend bool operator==(const mp& a, const mp& b) { return mpfr_equal_p(a.x_, b.x_) != 0; }
  friend bool operator<(const mp& a, const mp& b) { return mpfr_less_p(a.x_, b.x_) != 0; }
  friend bool operator<=(const mp& a, const mp& b) { return mpfr_lessequal_p(a.x_, b.x_) != 0; }
  friend bool operator>(const mp& a, const mp& b) { return b < a; }
  friend bool operator>=(const mp& a, const mp& b) { return b <= a; }

  friend mp abs(const mp& x) { return {mpfr_abs, x}; }
  friend mp fabs(const mp& x) { return abs(x); }
  friend mp ceil(const mp& x) { return {mpfr_rint_ceil, x}; }
  friend mp floor(const mp& x) { return {mpfr_rint_floor, x}; }
  friend mp exp(const mp& x) { return function(mpfr_exp, x); }
  friend mp expm1(const mp& x) { return function(mpfr_expm1, x); }
  friend mp log(const mp& x) { return function(mpfr_log, x); }
  friend mp log1p(const mp& x) { return function(mpfr_log1p, x); }
  friend mp sqrt(const mp& x) { return {mpfr_sqrt, x}; }
  friend mp tanh(const mp& x) { return function(mpfr_tanh, x); }
  friend mp lgamma(const mp& x) { return special(mpfr_lngamma, x); }
  friend mp erfc(const mp& x) { return special(mpfr_erfc, x); }
  friend mp pow(const mp& x, const mp& y) {
    spend(2 * function_cost);
    return {mpfr_pow, x, y};
  }
  friend mp min(const mp& a, const mp& b) { return b < a ? b : a; }
  friend mp max(const mp& a, const mp& b) { return a < b ? b : a; }
  friend mp ldexp(const mp& x, std::int64_t exponent) {
    mp r;
    mpfr_mul_2si(r.x_, x.x_, exponent, MPFR_RNDN);
    return r;
  }
  static mp e() { return exp(mp(1)); }
  static mp pi() {
    mp r;
    mpfr_const_pi(r.x_, MPFR_RNDN);
    return r;
  }

 private:
  // Units of work, measured at 50 digits: exp, log and the like; erfc and lgamma.
  static constexpr double function_cost = 400, special_cost = 8 * function_cost;
  using Function = int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  static mp function(Function* f, const mp& x) {
    spend(function_cost);
    return {f, x};
  }
  static mp special(Function* f, const mp& x) {
    spend(special_cost);
    return {f, x};
  }
  mp(Function* f, const mp& a) : mp() { f(x_, a.x_, MPFR_RNDN); }
  mp(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), const mp& a, const mp& b) : mp() {
    f(x_, a.x_, b.x_, MPFR_RNDN);
  }

  mpfr_t x_;
  mp_limb_t digits_[(bits + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS];
};

using mp50 = mp<50>;

}  // namespace epsilary::solvers

template <unsigned Digits>
struct std::numeric_limits<epsilary::solvers::mp<Digits>> {
  using mp = epsilary::solvers::mp<Digits>;
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true, is_bounded = true;
  static constexpr int digits = static_cast<int>(mp::bits), digits10 = Digits, radix = 2;
  static mp epsilon() { return ldexp(mp(1), 1 - digits); }
  static mp quiet_NaN() { return mp(std::numeric_limits<double>::quiet_NaN()); }
  static mp infinity() { return mp(std::numeric_limits<double>::infinity()); }
  static mp min() { return ldexp(mp(1), mpfr_get_emin() - 1); }
  static mp max() { return ldexp(mp(1) - ldexp(mp(1), -digits), mpfr_get_emax()); }
  static mp lowest() { return -max(); }
};
