// Ball: a real number known to lie in an interval. Every operation returns an enclosure of the exact
// result, so what is printed from a Ball is proved. A value type over Arb's arb_t.
#pragma once

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#else
#include <arb.h>
#include <arb_hypgeom.h>
#endif

#ifdef __FAST_MATH__
#error "bounds that are proved in double need IEEE arithmetic: do not compile with -ffast-math"
#endif

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "solvers/numbers/integers.hpp"
#include "solvers/numbers/truth.hpp"
#include "solvers/numbers/work.hpp"

namespace epsilary::solvers {

class Rational;

enum class Rounding { down, up };

// A double that the compiler knows.
struct Constant {
  double value;
  consteval Constant(double exact) : value(exact) {}
};

// What an operation costs in units of work, by its bits: sums and products; exp, log and the like; erfc and lgamma.
struct Costs {
  double sum, function, special;
};
inline Costs costs_of(std::int64_t bits) {
  const double size = static_cast<double>(bits) / 128, function = 130 + 20 * size * size;
  return {6 + size * std::sqrt(size), function, 8 * function};
}

template <class D>
inline constexpr bool is_named_double = std::is_same_v<D, double&> || std::is_same_v<D, const double&>;
template <class D>
concept NamedDouble = is_named_double<D>;

class Ball {
 public:
  // Sets the working precision of this thread, in bits, until the end of the scope. Within it nobody may wait for tasks
  // of a pool, as the thread would work on others meanwhile, at this precision: who runs balls in parallel gives each
  // task a scope of its own and isolates the loop.
  class Precision {
   public:
    explicit Precision(std::int64_t bits)
        : before_(std::exchange(bits_, bits)), prices_(std::exchange(costs_, costs_of(bits))) {}
    ~Precision() {
      bits_ = before_;
      costs_ = prices_;
    }
    Precision(const Precision&) = delete;
    Precision& operator=(const Precision&) = delete;

   private:
    std::int64_t before_;
    Costs prices_;
  };
  static std::int64_t precision() { return bits_; }
  static const Costs& costs() { return costs_; }

  Ball() { arb_init(x_); }
  // A double that has a name, or a constant. What a sum or a product of doubles lost in rounding its ball would not
  // tell: Ball(1 + c) does not compile, and 1 + Ball(c) says what was meant.
  template <NamedDouble D>
  explicit Ball(D&& exact) : Ball() {
    arb_set_d(x_, exact);
  }
  explicit Ball(Constant exact) : Ball() { arb_set_d(x_, exact.value); }
  template <std::integral I>
  Ball(I exact) : Ball() {
    if constexpr (std::is_signed_v<I>)
      arb_set_si(x_, exact);
    else
      arb_set_ui(x_, exact);
  }
  explicit Ball(const Rational& exact);
  Ball(const Ball& other) : Ball() { arb_set(x_, other.x_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(x_, other.x_); }
  Ball& operator=(const Ball& other) {
    arb_set(x_, other.x_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(x_, other.x_);
    return *this;
  }
  ~Ball() {
    if (owns_memory()) arb_clear(x_);
  }

  // Nothing is known of it, not even that it is a number.
  static Ball indeterminate() {
    Ball r;
    arb_indeterminate(r.x_);
    return r;
  }
  // The smallest ball that holds both.
  static Ball hull(const Ball& a, const Ball& b) {
    Ball r;
    arb_union(r.x_, a.x_, b.x_, bits_);
    return r;
  }

  arb_ptr arb() { return x_; }
  arb_srcptr arb() const { return x_; }

  Ball& operator+=(const Ball& b) {
    spend(costs_.sum);
    arb_add(x_, x_, b.x_, bits_);
    return *this;
  }
  Ball& operator-=(const Ball& b) {
    spend(costs_.sum);
    arb_sub(x_, x_, b.x_, bits_);
    return *this;
  }
  Ball& operator*=(const Ball& b) {
    spend(costs_.sum);
    arb_mul(x_, x_, b.x_, bits_);
    return *this;
  }
  Ball& operator/=(const Ball& b) {
    spend(costs_.sum);
    arb_div(x_, x_, b.x_, bits_);
    return *this;
  }
  friend Ball operator+(const Ball& a, const Ball& b) { return apply(arb_add, a, b); }
  friend Ball operator-(const Ball& a, const Ball& b) { return apply(arb_sub, a, b); }
  friend Ball operator*(const Ball& a, const Ball& b) { return apply(arb_mul, a, b); }
  friend Ball operator/(const Ball& a, const Ball& b) { return apply(arb_div, a, b); }
  // Small integers are what formulas are full of; they need no ball of their own. Templates, so that a double
  // is never taken for an integer.
  template <std::signed_integral I>
  friend Ball operator+(const Ball& a, I b) {
    return apply(arb_add_si, a, b);
  }
  template <std::signed_integral I>
  friend Ball operator+(I a, const Ball& b) {
    return apply(arb_add_si, b, a);
  }
  template <std::signed_integral I>
  friend Ball operator-(const Ball& a, I b) {
    return apply(arb_sub_si, a, b);
  }
  template <std::signed_integral I>
  friend Ball operator*(const Ball& a, I b) {
    return apply(arb_mul_si, a, b);
  }
  template <std::signed_integral I>
  friend Ball operator*(I a, const Ball& b) {
    return apply(arb_mul_si, b, a);
  }
  template <std::signed_integral I>
  friend Ball operator/(const Ball& a, I b) {
    if (b == 2) return ldexp(a, -1);  // the commonest, and exact
    return apply(arb_div_si, a, b);
  }
  Ball operator-() const {
    Ball r;
    arb_neg(r.x_, x_);
    return r;
  }

  friend Truth operator<(const Ball& a, const Ball& b) {
    return Truth::when(arb_lt(a.x_, b.x_) != 0, arb_ge(a.x_, b.x_) != 0);
  }
  friend Truth operator<=(const Ball& a, const Ball& b) {
    return Truth::when(arb_le(a.x_, b.x_) != 0, arb_gt(a.x_, b.x_) != 0);
  }
  friend Truth operator>(const Ball& a, const Ball& b) { return b < a; }
  friend Truth operator>=(const Ball& a, const Ball& b) { return b <= a; }
  // The sign needs no ball of its own.
  template <std::signed_integral I>
  friend Truth operator>(const Ball& a, I b) {
    return b == 0 ? Truth::when(arb_is_positive(a.x_) != 0, arb_is_nonpositive(a.x_) != 0) : Ball(b) < a;
  }

  bool finite() const { return arb_is_finite(x_); }
  bool is_zero() const { return arb_is_zero(x_); }
  bool contains(const Ball& other) const { return arb_contains(x_, other.x_); }
  bool overlaps(const Ball& other) const { return arb_overlaps(x_, other.x_); }
  // Relative accuracy in bits: at least log2(|midpoint| / radius).
  std::int64_t accurate_bits() const { return arb_rel_accuracy_bits(x_); }

  double lower() const;     // a double not above any point of the ball
  double upper() const;     // a double not below any point of the ball
  double midpoint() const;  // the double nearest to the centre: a guess, not a bound
  Ball lower_end() const;   // exact, not above any point of the ball
  Ball upper_end() const;   // exact, not below any point of the ball

  friend Ball exp(const Ball& x) { return apply(costs_.function, arb_exp, x); }
  friend Ball expm1(const Ball& x) { return apply(costs_.function, arb_expm1, x); }
  friend Ball log(const Ball& x) { return apply(costs_.function, arb_log, x); }
  friend Ball log1p(const Ball& x) { return apply(costs_.function, arb_log1p, x); }
  friend Ball sqrt(const Ball& x) { return apply(costs_.function, arb_sqrt, x); }
  friend Ball tanh(const Ball& x) { return apply(costs_.function, arb_tanh, x); }
  friend Ball floor(const Ball& x) { return apply(costs_.sum, arb_floor, x); }
  friend Ball ceil(const Ball& x) { return apply(costs_.sum, arb_ceil, x); }
  friend Ball lgamma(const Ball& x) { return apply(costs_.special, arb_hypgeom_lgamma, x); }
  friend Ball erfc(const Ball& x) { return apply(costs_.special, arb_hypgeom_erfc, x); }
  friend Ball erfc_inv(const Ball& x) { return apply(costs_.special, arb_hypgeom_erfcinv, x); }
  friend Ball pow(const Ball& x, const Ball& y) {
    spend(2 * costs_.function);
    Ball r;
    arb_pow(r.x_, x.x_, y.x_, bits_);
    return r;
  }
  friend Ball abs(const Ball& x) {
    Ball r;
    arb_abs(r.x_, x.x_);
    return r;
  }
  // Where one is proved to be the smaller it is the result, with its own digits: Arb rounds relative to the larger.
  friend Ball min(const Ball& a, const Ball& b) {
    if (certainly(a <= b)) return a;
    if (certainly(b <= a)) return b;
    Ball r;
    arb_min(r.x_, a.x_, b.x_, bits_);
    return r;
  }
  friend Ball max(const Ball& a, const Ball& b) {
    if (certainly(a >= b)) return a;
    if (certainly(b >= a)) return b;
    Ball r;
    arb_max(r.x_, a.x_, b.x_, bits_);
    return r;
  }
  friend Ball ldexp(const Ball& x, std::int64_t exponent) {
    Ball r;
    arb_mul_2exp_si(r.x_, x.x_, exponent);
    return r;
  }
  static Ball e() {
    Ball r;
    arb_const_e(r.x_, bits_);
    return r;
  }
  static Ball pi() {
    Ball r;
    arb_const_pi(r.x_, bits_);
    return r;
  }

 private:
  // Up to 128 bits the digits lie in the ball itself.
  bool owns_memory() const {
    return ARF_HAS_PTR(arb_midref(x_)) || COEFF_IS_MPZ(ARF_EXP(arb_midref(x_))) ||
           COEFF_IS_MPZ(MAG_EXP(arb_radref(x_)));
  }
  static Ball apply(double cost, void (*f)(arb_t, const arb_t, slong), const Ball& x) {
    spend(cost);
    Ball r;
    f(r.x_, x.x_, bits_);
    return r;
  }
  static Ball apply(void (*f)(arb_t, const arb_t, const arb_t, slong), const Ball& a, const Ball& b) {
    spend(costs_.sum);
    Ball r;
    f(r.x_, a.x_, b.x_, bits_);
    return r;
  }
  static Ball apply(void (*f)(arb_t, const arb_t, slong, slong), const Ball& a, slong b) {
    spend(costs_.sum);
    Ball r;
    f(r.x_, a.x_, b, bits_);
    return r;
  }

  static inline thread_local std::int64_t bits_ = 128;
  static inline constinit thread_local Costs costs_{7, 150, 1200};
  arb_t x_;
};

// The end of the ball that lies on the given side, as a decimal of that many significant digits,
// rounded to the same side: every point of the ball is on the other side of the printed number.
// Empty when the number is infinite or its exponent is out of MPFR's range.
std::string decimal(const Ball& x, int digits, Rounding side);

// The bits that prove this many significant decimal digits.
std::int64_t bits_for(int digits);

}  // namespace epsilary::solvers
