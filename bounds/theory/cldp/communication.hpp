// Communication of CLDP-SGD: Girgis et al. 2021, Theorem 1, part 2, Theorem 4 and Section 5.3.2.
#pragma once

#include <cmath>

#include "bounds/core/point.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::bounds::cldp {

// Exact at powers of two. x = 2^exponent rest holds for every exponent; about the largest keeps the digits.
template <Real R>
R log2_of(const R& x) {
  const R plain = log(x) / log(R(2));
  const double whole = std::floor(to_double(plain) + 1e-6);
  if (!(std::abs(whole) < 1e9)) return plain;
  const int exponent = static_cast<int>(whole);
  return exponent + log(ldexp(x, -exponent)) / log(R(2));
}

// log2 of the dimension rounded up, from the number as it was written.
template <Real R>
R whole_log2_of_dim(const Values<R>& x) {
  if (x.is_exact(Param::dim)) return R(static_cast<int>(ceil_log2(x.exact(Param::dim))));
  const double nearest = std::ceil(std::log2(to_double(x[Param::dim])));
  return R(nearest);
}

// Theorem 1: a coordinate and a sign for p = 1 and p = infinity.
template <Real R>
R sign_bits(const R& dim) {
  return log2_of(dim) + 1;
}
template <Real R>
R whole_sign_bits(const Values<R>& x) {
  return whole_log2_of_dim(x) + 1;
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
R saving(const Values<R>& x) {
  return 32 * x[Param::dim] / whole_sign_bits(x);
}

}  // namespace epsilary::bounds::cldp
