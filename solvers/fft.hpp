// The discrete Fourier transform of a power of two points, and how wrong it can be.
#pragma once

#include <complex>
#include <vector>

namespace solvers {

// y_k = sum_j x_j e^{-2 pi i jk/n} in place; with `inverse` the sign is + and nothing is divided by n.
void fourier(std::vector<std::complex<double>>& x, bool inverse = false);

// ||computed - exact||_2 <= fourier_error(n) ||exact||_2: Higham 2002, Theorem 24.2, for the radix-2 algorithm with
// tabulated roots of unity that are wrong by at most 4 units of rounding.
double fourier_error(std::size_t n);

inline constexpr double unit_roundoff = 0x1p-53;

}  // namespace solvers
