// Communication of CLDP-SGD: Girgis et al. 2021, Theorem 1, part 2, Theorem 4 and Section 5.3.2.
#pragma once

#include "bounds/point.hpp"
#include "solvers/functions.hpp"

namespace bounds::girgis2021 {

// x = power * rest with 1 <= rest < 2 and power a power of two: log2 is exact at powers of two, so that
// rounding it up can be decided.
template <Real R>
struct Binary {
  int exponent = 0;
  R rest;

  explicit Binary(const R& x) : rest(x) {
    for (R power(2); power <= x; power = 2 * power) ++exponent;
    rest = ldexp(x, -exponent);
  }
  R log2() const { return exponent + log(rest) / log(R(2)); }
  R ceil_log2() const { return R(rest > 1 ? exponent + 1 : exponent); }
};

template <Real R>
R log2_of(const R& x) {
  return Binary<R>(x).log2();
}

// Theorem 1: a coordinate and a sign for p = 1 and p = infinity.
template <Real R>
R sign_bits(const R& dim) {
  return log2_of(dim) + 1;
}
template <Real R>
R whole_sign_bits(const R& dim) {
  return Binary<R>(dim).ceil_log2() + 1;
}

// Theorem 1 and Theorem 4 for the other norms: d (log2 e + 1) and d log2 e + 1.
template <Real R>
R vector_bits(const R& dim) {
  return dim * (1 / log(R(2)) + 1);
}
template <Real R>
R vector_bits_thm4(const R& dim) {
  return dim / log(R(2)) + 1;
}

// The histogram trick: s messages over B symbols without their order, C(s + B - 1, s) cases.
template <Real R>
R histogram_bits(const R& s, const R& B) {
  return log_binomial(R(s + B - 1), s) / log(R(2));
}
template <Real R>
R histogram_bits_bound(const R& s, const R& B) {
  return s * (1 + log((s + B - 1) / s)) / log(R(2));
}

// Section 6: a gradient in full precision against one message of R_infinity.
template <Real R>
R saving(const R& dim) {
  return 32 * dim / whole_sign_bits(dim);
}

}  // namespace bounds::girgis2021
