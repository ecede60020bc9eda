#include "solvers/fft.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace solvers {
namespace {

using Complex = std::complex<double>;

// e^{-2 pi i k/n} for 0 <= k < n/2, the angle brought into [-pi/4, pi/4] before it is rounded.
Complex root_of_unity(std::size_t k, std::size_t n) {
  const auto angle = [n](double j) { return 2 * M_PI * (j / static_cast<double>(n)); };
  const double j = static_cast<double>(k), whole = static_cast<double>(n);
  if (8 * k <= n) return {std::cos(angle(j)), -std::sin(angle(j))};
  if (8 * k < 3 * n) return {std::sin(angle(whole / 4 - j)), -std::cos(angle(whole / 4 - j))};
  return {-std::cos(angle(whole / 2 - j)), -std::sin(angle(whole / 2 - j))};
}

// e^{-pi i k/half} for k < half at [half + k], half = 1, 2, 4, ..., n/2: each stage reads its own run.
const std::vector<Complex>& roots_of_unity(std::size_t n) {
  thread_local std::vector<Complex> table;
  if (table.size() < n) {
    table.resize(n);
    for (std::size_t k = 0; k < n / 2; ++k) table[n / 2 + k] = root_of_unity(k, n);
    for (std::size_t i = n / 2 - 1; i >= 1; --i) table[i] = table[2 * i];
  }
  return table;
}

Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

void reverse_bits(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

}  // namespace

void fourier(std::vector<Complex>& x, bool inverse) {
  const std::size_t n = x.size();
  if (n < 2) return;
  const std::vector<Complex>& roots = roots_of_unity(n);
  reverse_bits(x);
  const double sign = inverse ? -1 : 1;
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex w(roots[half + k].real(), sign * roots[half + k].imag());
        const Complex even = x[start + k], odd = product(w, x[start + half + k]);
        x[start + k] = even + odd;
        x[start + half + k] = even - odd;
      }
}

double fourier_error(std::size_t n) {
  const double u = unit_roundoff, root = 4 * u, gamma4 = 4 * u / (1 - 4 * u);
  const double step = root + gamma4 * (M_SQRT2 + root);
  const double all = static_cast<double>(std::bit_width(n)) * step;
  return 1.0001 * all / (1 - all);
}

}  // namespace solvers
