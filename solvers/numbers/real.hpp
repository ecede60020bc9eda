// The three kinds of number a formula is written for.
//   double  fast, for searches and sweeps
//   mp50    50 digits of MPFR: an independent second opinion
//   Ball    an enclosure at any precision: what is printed as certified
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "solvers/numbers/ball.hpp"
#include "solvers/numbers/mp.hpp"
#include "solvers/numbers/rational.hpp"

namespace epsilary::solvers {

template <class T>
concept Real = std::copyable<T> && std::constructible_from<T, int> && std::constructible_from<T, const double&> &&
    requires(T a, const T b) {
  { b + b } -> std::same_as<T>;
  { b - b } -> std::same_as<T>;
  { b* b } -> std::same_as<T>;
  { b / b } -> std::same_as<T>;
  { -b } -> std::same_as<T>;
  { certainly(b < b) } -> std::same_as<bool>;
  a += b;
};

// What sums for a number type are carried in: long sums of doubles need the digits they would lose.
template <Real R>
using Carried = std::conditional_t<std::same_as<R, double>, long double, R>;

using std::abs, std::ceil, std::erfc, std::exp, std::expm1, std::floor, std::ldexp, std::lgamma, std::log, std::log1p,
    std::max, std::min, std::pow, std::sqrt, std::tanh;

inline double to_double(double x) { return x; }
inline double to_double(long double x) { return static_cast<double>(x); }
template <unsigned D>
double to_double(const mp<D>& x) {
  return mpfr_get_d(x.mpfr(), MPFR_RNDN);
}
inline double to_double(const Ball& x) { return x.midpoint(); }

// A double not above the number; for numbers that are one point, nearest.
template <Real R>
double lower_double(const R& x) {
  if constexpr (std::same_as<R, Ball>)
    return x.lower();
  else
    return to_double(x);
}

// The centre of a number, for searches; the result of a search is never mistaken for a proof.
inline mp50 to_mp50(double x) { return x; }
inline mp50 to_mp50(const mp50& x) { return x; }
inline mp50 to_mp50(const Ball& x) {
  mp50 r;
  arf_get_mpfr(r.mpfr(), arb_midref(x.arb()), MPFR_RNDN);
  return r;
}

// A number as one of another kind: exactly where that can hold it, else its centre, rounded.
template <Real N, Real R>
N number_as(const R& x) {
  if constexpr (std::same_as<N, R>) {
    return x;
  } else if constexpr (std::same_as<N, double>) {
    return to_double(x);
  } else if constexpr (std::same_as<N, Ball> && !std::same_as<R, double>) {
    Ball r;
    arf_set_mpfr(arb_midref(r.arb()), x.mpfr());
    return r;
  } else if constexpr (std::same_as<R, Ball>) {
    return to_mp50(x);
  } else {
    return N(x);
  }
}

// An exact number as a number of the wanted kind: nearest for double and mp, enclosing for Ball.
template <Real R>
R from_rational(const Rational& x) {
  if constexpr (std::same_as<R, Ball>) {
    return Ball(x);
  } else if constexpr (std::same_as<R, double>) {
    const Ball::Precision bits(192);
    return Ball(x).midpoint();
  } else {
    R r;
    mpq_t q;
    mpq_init(q);
    fmpq_get_mpq(q, x.raw());
    mpfr_set_q(r.mpfr(), q, MPFR_RNDN);
    mpq_clear(q);
    return r;
  }
}

// A number that says nothing, and is seen to.
template <Real R>
R unknown() {
  if constexpr (std::same_as<R, Ball>)
    return Ball::indeterminate();
  else
    return R(std::numeric_limits<double>::quiet_NaN());
}

// One of two formulas holds, by a comparison: where that is undecided the result encloses both.
template <class T, class Yes, class No>
std::invoke_result_t<Yes> branch(const T& truth, Yes yes, No no) {
  if constexpr (std::same_as<T, Truth>)
    if (undecided(truth)) return Ball::hull(yes(), no());
  return certainly(truth) ? yes() : no();
}

inline bool is_finite(double x) { return std::isfinite(x); }
template <unsigned D>
bool is_finite(const mp<D>& x) {
  return mpfr_number_p(x.mpfr()) != 0;
}
inline bool is_finite(const Ball& x) { return x.finite(); }

inline bool is_integer(double x) { return std::isfinite(x) && std::floor(x) == x; }

// Whole numbers up to here are counted in doubles, one by one and with room for sums of a few of them.
inline constexpr double countable = 0x1p50;

// The whole number x >= 0 as a double to count with; NaN where a ball holds several, or where it is not countable.
template <Real R>
double count_of(const R& x) {
  if constexpr (std::same_as<R, Ball>)
    if (!arb_is_exact(x.arb())) return std::numeric_limits<double>::quiet_NaN();
  const double count = to_double(x);
  return is_integer(count) && count < countable ? count : std::numeric_limits<double>::quiet_NaN();
}

// Balls count their own work, other numbers by the terms of a sum, a few to an evaluation of a formula.
template <class R>
void spend_on_terms(double count) {
  if constexpr (std::same_as<R, Ball>) return;
  spend(count * (std::floating_point<R> ? 4 : std::numeric_limits<R>::digits == 53 ? 12 : 100));
}
template <class R>
void spend_on_term() {
  spend_on_terms<R>(1);
}

static_assert(Real<double> && Real<mp50> && Real<Ball>);

}  // namespace epsilary::solvers
