// Sums of f(X0 - beta i), i = 0..N-1, over progressions of any length, for functions with a power series around every
// X > 0. Blocks as long as they are far from X = 0 are summed by their series, whose remainder is bounded.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "solvers/sums/sum.hpp"

namespace epsilary::solvers {

struct Stretch {
  double first, length;  // of i
};

// X = centre (1 - rho z) with z in (-1, 1) over the stretch.
template <Real R>
struct Around {
  R centre, rho;
};

// a z^j + ... cut after so many terms; the coefficients may be complex.
template <class Z>
using Series = std::vector<Z>;

template <class Z>
Series<Z> product(const Series<Z>& a, const Series<Z>& b) {
  Series<Z> c(a.size(), Z(0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) c[i] += a[j] * b[i - j];
  return c;
}

// log(1 + a(z) / 1) of a series 1 + a, from (1 + a) l' = a'.
template <class Z>
Series<Z> log1p_series(const Series<Z>& a) {
  Series<Z> l(a.size(), Z(0));
  l[0] = log1p(a[0]);
  for (std::size_t k = 1; k < a.size(); ++k) {
    Z sum = a[k] * static_cast<int>(k);
    for (std::size_t j = 1; j < k; ++j) sum -= l[j] * static_cast<int>(j) * a[k - j];
    l[k] = sum / ((Z(1) + a[0]) * static_cast<int>(k));
  }
  return l;
}

// sum of z^k over the middles z of `length` equal parts of (-1, 1), k even: length/(k+1) + sum_p 2 b_p
// (2/length)^{2p-1} k!/(k-2p+1)!, b_p the coefficients of (t/2)/sinh(t/2); the Euler-Maclaurin formula, which ends for
// a power.
template <Real R>
std::vector<R> even_power_sums(const R& length, std::size_t terms) {
  std::vector<R> b(terms / 2 + 1, R(0)), inverse(terms / 2 + 1, R(0)), sums;
  b[0] = inverse[0] = R(1);  // inverse: 1/((2j+1)! 4^j)
  for (std::size_t p = 1; p < b.size(); ++p) {
    inverse[p] = inverse[p - 1] / static_cast<int>(8 * p) / static_cast<int>(2 * p + 1);
    for (std::size_t j = 1; j <= p; ++j) b[p] -= inverse[j] * b[p - j];
  }
  for (std::size_t k = 0; k < terms; k += 2) {
    R sum = length / static_cast<int>(k + 1), falling = R(static_cast<int>(k)) * 4 / length;  // 2 k (2/length)
    for (std::size_t p = 1; 2 * p <= k; ++p) {
      sum += b[p] * falling;
      falling = falling * static_cast<int>(k - 2 * p + 1) * static_cast<int>(k - 2 * p) * 4 / (length * length);
    }
    sums.push_back(sum);
  }
  return sums;
}

// The sum over one stretch of a function with the given series in z.
template <class Z, Real R>
Z series_sum(const Series<Z>& f, const std::vector<R>& power_sums) {
  Z sum(0);
  for (std::size_t k = 0; k < f.size(); k += 2) sum += f[k] * power_sums[k / 2];
  return sum;
}

// Terms kept: dropped ones are below 2^-terms of what they add to.
template <Real R>
std::size_t series_terms() {
  return static_cast<std::size_t>(carried_bits<R>()) + 8;
}

// Cuts 0..N-1 into stretches, last first: short ones to be summed one by one, and long ones reaching from X to at most
// twice X, or less where `fits` says so.
template <class Short, class Long>
void for_stretches(double X0, double beta, double N, double shortest, const std::function<bool(double, double)>& fits,
                   Short one_by_one, Long by_series) {
  for (double left = N; left > 0;) {
    const double near = X0 - beta * (left - 1);  // the least X to come
    double length = beta > 0 ? std::floor(near / beta) : left;
    length = std::min(left, std::max(1.0, length));
    while (length > shortest && !fits(near, length)) length = std::floor(length / 2);
    const bool few = length <= shortest;
    if (few) length = std::min(left, shortest);
    const Stretch s{left - length, length};
    few ? one_by_one(s) : by_series(s);
    left -= length;
  }
}

}  // namespace epsilary::solvers
