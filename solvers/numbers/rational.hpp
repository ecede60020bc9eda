// Rational: an exact number. What the user types is one of these until a formula needs more.
#pragma once

#if __has_include(<flint/fmpq.h>)
#include <flint/fmpq.h>
#else
#include <fmpq.h>
#endif

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace epsilary::solvers {

class Rational {
 public:
  Rational() { fmpq_init(x_); }
  template <std::integral I>  // a double is never cut to an integer
  Rational(I value) : Rational() {
    if constexpr (std::is_signed_v<I>)
      fmpq_set_si(x_, value, 1);
    else
      fmpq_set_ui(x_, value, 1);
  }
  Rational(const Rational& other) : Rational() { fmpq_set(x_, other.x_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(x_, other.x_); }
  Rational& operator=(const Rational& other) {
    fmpq_set(x_, other.x_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    fmpq_swap(x_, other.x_);
    return *this;
  }
  ~Rational() { fmpq_clear(x_); }

  fmpq* raw() { return x_; }
  const fmpq* raw() const { return x_; }

  friend Rational operator+(const Rational& a, const Rational& b) { return apply(fmpq_add, a, b); }
  friend Rational operator-(const Rational& a, const Rational& b) { return apply(fmpq_sub, a, b); }
  friend Rational operator*(const Rational& a, const Rational& b) { return apply(fmpq_mul, a, b); }
  friend Rational operator/(const Rational& a, const Rational& b) { return apply(fmpq_div, a, b); }

  friend bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(a.x_, b.x_); }
  friend bool operator<(const Rational& a, const Rational& b) { return fmpq_cmp(a.x_, b.x_) < 0; }
  friend bool operator>(const Rational& a, const Rational& b) { return b < a; }
  friend bool operator<=(const Rational& a, const Rational& b) { return !(b < a); }
  friend bool operator>=(const Rational& a, const Rational& b) { return !(a < b); }

  friend Rational floor(const Rational& x) {
    Rational r;
    fmpz_fdiv_q(fmpq_numref(r.x_), fmpq_numref(x.x_), fmpq_denref(x.x_));
    return r;
  }
  friend bool is_integer(const Rational& x) { return fmpz_is_one(fmpq_denref(x.x_)); }
  // The least j with x <= 2^j, for whole x >= 1.
  friend std::int64_t ceil_log2(const Rational& x) { return fmpz_clog_ui(fmpq_numref(x.x_), 2); }

 private:
  static Rational apply(void (*f)(fmpq_t, const fmpq_t, const fmpq_t), const Rational& a, const Rational& b) {
    Rational r;
    f(r.x_, a.x_, b.x_);
    return r;
  }

  fmpq_t x_;
};

Rational power_of_ten(std::int64_t exponent);

}  // namespace epsilary::solvers
