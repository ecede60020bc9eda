// The three kinds of number a formula is written for.
//   double  fast, for searches and sweeps
//   mp50    50 digits of MPFR: an independent second opinion
//   Ball    an enclosure at any precision: what is printed as certified
#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <concepts>

#include "solvers/ball.hpp"
#include "solvers/rational.hpp"

namespace solvers {

// Expression templates are off, so `auto x = a * b` is a value and never a dangling expression.
template <unsigned Digits>
using mp = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using mp50 = mp<50>;

template <class T>
concept Real = std::copyable<T> && std::constructible_from<T, int> && std::constructible_from<T, double> &&
    requires(T a, const T b) {
  { b + b } -> std::same_as<T>;
  { b - b } -> std::same_as<T>;
  { b* b } -> std::same_as<T>;
  { b / b } -> std::same_as<T>;
  { -b } -> std::same_as<T>;
  { b < b } -> std::convertible_to<bool>;
  a += b;
};

// What sums for a number type are carried in: long sums of doubles need the digits they would lose.
template <Real R>
using Carried = std::conditional_t<std::same_as<R, double>, long double, R>;

using std::abs, std::ceil, std::erfc, std::exp, std::expm1, std::floor, std::ldexp, std::lgamma, std::log, std::log1p,
    std::max, std::min, std::pow, std::sqrt, std::tanh;

// MPFR's own functions where Boost would go through its generic ones.
template <unsigned D>
mp<D> through_mpfr(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), const mp<D>& x) {
  mp<D> r;
  f(r.backend().data(), x.backend().data(), MPFR_RNDN);
  return r;
}
template <unsigned D>
mp<D> expm1(const mp<D>& x) {
  return through_mpfr<D>(mpfr_expm1, x);
}
template <unsigned D>
mp<D> log1p(const mp<D>& x) {
  return through_mpfr<D>(mpfr_log1p, x);
}
template <unsigned D>
mp<D> lgamma(const mp<D>& x) {
  return through_mpfr<D>(mpfr_lngamma, x);
}
template <unsigned D>
mp<D> erfc(const mp<D>& x) {
  return through_mpfr<D>(mpfr_erfc, x);
}

inline double to_double(double x) { return x; }
inline double to_double(long double x) { return static_cast<double>(x); }
template <unsigned D>
double to_double(const mp<D>& x) {
  return x.template convert_to<double>();
}
inline double to_double(const Ball& x) { return x.midpoint(); }

// The centre of a number, for searches; the result of a search is never mistaken for a proof.
inline mp50 to_mp50(double x) { return x; }
inline mp50 to_mp50(const mp50& x) { return x; }
inline mp50 to_mp50(const Ball& x) {
  mp50 r;
  arf_get_mpfr(r.backend().data(), arb_midref(x.arb()), MPFR_RNDN);
  return r;
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
    mpfr_set_q(r.backend().data(), q, MPFR_RNDN);
    mpq_clear(q);
    return r;
  }
}

inline bool is_finite(double x) { return std::isfinite(x); }
template <unsigned D>
bool is_finite(const mp<D>& x) {
  return mpfr_number_p(x.backend().data()) != 0;
}
inline bool is_finite(const Ball& x) { return x.finite(); }

inline bool is_integer(double x) { return std::isfinite(x) && std::floor(x) == x; }

static_assert(Real<double> && Real<mp50> && Real<Ball>);
static_assert(!Real<boost::multiprecision::mpfr_float_50>, "expression templates are refused");

}  // namespace solvers
