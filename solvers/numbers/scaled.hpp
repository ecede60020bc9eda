// Scaled: a double whose exponent never runs out. Moments of order 300 pass e^840 on the way to a
// number near one; their logarithms would lose the digits that this keeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "solvers/numbers/functions.hpp"

namespace epsilary::solvers {

// m 2^(512 e) with |m| in [2^-256, 2^256], or zero. Scaling by powers of two rounds nothing.
class Scaled {
 public:
  Scaled() = default;
  Scaled(double x) : m_(x) { settle(); }
  Scaled(int x) : m_(x) {}

  friend Scaled operator*(const Scaled& a, const Scaled& b) { return {a.m_ * b.m_, a.e_ + b.e_}; }
  friend Scaled operator/(const Scaled& a, const Scaled& b) { return {a.m_ / b.m_, a.e_ - b.e_}; }
  friend Scaled operator+(const Scaled& a, const Scaled& b) {
    if (a.e_ == b.e_) return {a.m_ + b.m_, a.e_};
    if (a.m_ == 0) return b;
    if (b.m_ == 0) return a;
    const Scaled &big = a.e_ > b.e_ ? a : b, &small = a.e_ > b.e_ ? b : a;
    return big.e_ - small.e_ > 1 ? big : Scaled{big.m_ + small.m_ * 0x1p-512, big.e_};
  }
  friend Scaled operator-(const Scaled& a, const Scaled& b) { return a + -b; }
  Scaled operator-() const { return {-m_, e_}; }
  Scaled& operator+=(const Scaled& b) { return *this = *this + b; }
  Scaled& operator-=(const Scaled& b) { return *this = *this - b; }
  Scaled& operator*=(const Scaled& b) { return *this = *this * b; }
  Scaled& operator/=(const Scaled& b) { return *this = *this / b; }

  friend bool operator<(const Scaled& a, const Scaled& b) {
    return a.e_ == b.e_ || a.m_ == 0 || b.m_ == 0 ? a.m_ < b.m_ : (a - b).m_ < 0;
  }
  friend bool operator>(const Scaled& a, const Scaled& b) { return b < a; }
  friend bool operator<=(const Scaled& a, const Scaled& b) { return !(b < a); }
  friend bool operator>=(const Scaled& a, const Scaled& b) { return !(a < b); }

  // Infinite or zero where a double cannot hold it.
  double value() const {
    if (e_ == 0 || m_ == 0) return m_;
    return std::ldexp(m_, static_cast<int>(std::clamp(512 * e_, std::int64_t{-100'000}, std::int64_t{100'000})));
  }

  static Scaled exp_of(double x) {
    if (std::abs(x) < 170 || !(std::abs(x) < 1e18)) return Scaled(std::exp(x));  // whose exponents are not counted
    const double e = std::nearbyint(x / block);
    return {std::exp((x - e * block_high) - e * block_low), static_cast<std::int64_t>(e)};
  }

  friend Scaled exp(const Scaled& x) { return exp_of(x.value()); }
  friend Scaled expm1(const Scaled& x) {
    return x.e_ > 0 || std::abs(x.m_) > 100 ? exp(x) - 1 : Scaled(std::expm1(x.value()));
  }
  friend Scaled log(const Scaled& x) { return static_cast<double>(x.e_) * block + std::log(x.m_); }
  friend Scaled log1p(const Scaled& x) { return x.e_ > 0 ? log(x) : Scaled(std::log1p(x.value())); }
  friend Scaled sqrt(const Scaled& x) {
    return x.e_ % 2 == 0 ? Scaled{std::sqrt(x.m_), x.e_ / 2} : Scaled{std::sqrt(x.m_) * 0x1p256, (x.e_ - 1) / 2};
  }
  friend Scaled pow(const Scaled& x, const Scaled& y) { return exp(y * log(x)); }
  friend Scaled abs(const Scaled& x) { return {std::abs(x.m_), x.e_}; }
  friend Scaled floor(const Scaled& x) { return x.e_ > 0 ? x : Scaled(std::floor(x.value())); }
  friend Scaled max(const Scaled& a, const Scaled& b) { return a < b ? b : a; }
  friend Scaled min(const Scaled& a, const Scaled& b) { return b < a ? b : a; }
  friend Scaled ldexp(const Scaled& x, int exponent) { return {std::ldexp(x.m_, exponent), x.e_}; }
  friend Scaled lgamma(const Scaled& x) { return std::lgamma(x.value()); }

 private:
  static constexpr double block = 354.89135644669199;  // 512 log 2, and in two parts that sum to it exactly
  static constexpr double block_high = 0x1.62e42feep+8, block_low = 512 * 1.90821492927058770002e-10;

  Scaled(double m, std::int64_t e) : m_(m), e_(e) { settle(); }
  void settle() {
    while (std::abs(m_) > 0x1p256 && std::isfinite(m_)) m_ *= 0x1p-512, ++e_;
    while (std::abs(m_) < 0x1p-256 && m_ != 0) m_ *= 0x1p512, --e_;
    if (m_ == 0) e_ = 0;
  }

  double m_ = 0;
  std::int64_t e_ = 0;
};

inline double to_double(const Scaled& x) { return x.value(); }
inline bool is_finite(const Scaled& x) { return std::isfinite(x.value()); }

// The binomial weight of the double forms, which do not cancel.
inline Scaled binomial_weight(const Scaled& n, double k, const Scaled& p, const Scaled& q) {
  return Scaled::exp_of(log_binomial_weight(n.value(), k, p.value(), q.value()));
}
// log n! has thirteen digits before the point at n = 1e12.
template <unsigned D>
mp<D> binomial_weight(const mp<D>& n, double k, const mp<D>& p, const mp<D>& q) {
  using wider = mp<D + 30>;
  return mp<D>(exp(log_binomial_weight(wider(n), wider(k), wider(p), wider(q))));
}
template <Real R>
R binomial_weight(const R& n, double k, const R& p, const R& q) {
  return exp(log_binomial_weight(n, R(k), p, q));
}

// What a moment is carried in: itself, except that a double would overflow.
template <Real R>
using Moment = std::conditional_t<std::same_as<R, double>, Scaled, R>;
// The moment as a plain number again.
template <Real R>
R plain(const Moment<R>& m) {
  if constexpr (std::same_as<R, double>)
    return m.value();
  else
    return m;
}

static_assert(Real<Scaled>);

}  // namespace epsilary::solvers

template <>
struct std::numeric_limits<epsilary::solvers::Scaled> {
  static constexpr bool is_specialized = true;
  static constexpr int digits = 53;
};
