// The discrete Fourier transform of a power of two points, and how wrong it can be.
#pragma once

#include <complex>
#include <limits>
#include <vector>

namespace epsilary::solvers {

// Twice the digits of a double, in software; where the compiler has none, what it has beyond a double. How many digits
// these are is charged as it is.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;
inline constexpr double quad_roundoff = 0x1p-113;
#else
using Quad = long double;
inline constexpr double quad_roundoff = static_cast<double>(std::numeric_limits<long double>::epsilon()) / 2;
#endif

template <class S>
inline constexpr double unit_roundoff = 0x1p-53;
template <>
inline constexpr double unit_roundoff<Quad> = quad_roundoff;

// y_k = sum_j x_j e^{-2 pi i jk/n} in place; with `inverse` the sign is + and nothing is divided by n.
template <class S>
void fourier(std::vector<std::complex<S>>& x, bool inverse = false);
extern template void fourier(std::vector<std::complex<double>>&, bool);
extern template void fourier(std::vector<std::complex<Quad>>&, bool);

// ||computed - exact||_2 <= fourier_error(n) ||exact||_2: Higham 2002, Theorem 24.2, for the radix-2 algorithm with
// tabulated roots of unity that are wrong by at most 4 units of rounding, in quads by at most 48.
double fourier_error(std::size_t n, double unit = unit_roundoff<double>);

}  // namespace epsilary::solvers
