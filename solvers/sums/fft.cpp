#include "solvers/sums/fft.hpp"

#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {
namespace {

// e^{-2 pi i k/n} for 0 <= k < n/2, the angle brought into [-pi/4, pi/4] before it is rounded.
void set_root(std::complex<double>& root, std::size_t k, std::size_t n) {
  const auto angle = [n](double j) { return 2 * M_PI * (j / static_cast<double>(n)); };
  const double j = static_cast<double>(k), whole = static_cast<double>(n);
  if (8 * k <= n)
    root = {std::cos(angle(j)), -std::sin(angle(j))};
  else if (8 * k < 3 * n)
    root = {std::sin(angle(whole / 4 - j)), -std::cos(angle(whole / 4 - j))};
  else
    root = {-std::cos(angle(whole / 2 - j)), -std::sin(angle(whole / 2 - j))};
}
void set_root(std::complex<Quad>& root, std::size_t k, std::size_t n) {
  const Ball::Precision bits(160);  // whatever the caller works at: the table serves all that come later
  Ball turn = Ball(-2) * Ball(k) / Ball(n), sine, cosine;
  arb_sin_cos_pi(sine.arb(), cosine.arb(), turn.arb(), 160);
  const auto quad = [](const Ball& x) {
    const double head = x.midpoint();
    return Quad(head) + Quad((x - Ball(head)).midpoint());
  };
  root = {quad(cosine), quad(sine)};
}

// e^{-pi i k/half} for k < half at [half + k], half = 1, 2, 4, ..., n/2: each stage reads its own run.
template <class S>
std::vector<std::complex<S>> roots_of_unity(std::size_t n) {
  std::vector<std::complex<S>> table(n);
  for (std::size_t k = 0; k < n / 2; ++k) set_root(table[n / 2 + k], k, n);
  for (std::size_t i = n / 2 - 1; i >= 1; --i) table[i] = table[2 * i];
  return table;
}
// A thread remembers the roots of short transforms; long ones make their own.
template <class S>
std::shared_ptr<const std::vector<std::complex<S>>> roots_for(std::size_t n) {
  constexpr std::size_t longest = 1 << 17;
  using Table = std::vector<std::complex<S>>;
  if (n > longest) return std::make_shared<const Table>(roots_of_unity<S>(n));
  thread_local std::shared_ptr<const Table> known;
  if (!known || known->size() < n) {
    const Uncounted table;
    known = std::make_shared<const Table>(roots_of_unity<S>(n));
  }
  return known;
}

template <class S>
void reverse_bits(std::vector<std::complex<S>>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

}  // namespace

template <class S>
void fourier(std::vector<std::complex<S>>& x, bool inverse) {
  const std::size_t n = x.size();
  if (n < 2) return;
  const auto table = roots_for<S>(n);
  const auto& roots = *table;
  reverse_bits(x);
  const S sign = inverse ? -1 : 1;
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const S c = roots[half + k].real(), s = sign * roots[half + k].imag();
        const std::complex<S> even = x[start + k], far = x[start + half + k];
        const std::complex<S> odd(c * far.real() - s * far.imag(), c * far.imag() + s * far.real());
        x[start + k] = even + odd;
        x[start + half + k] = even - odd;
      }
}
template void fourier(std::vector<std::complex<double>>&, bool);
template void fourier(std::vector<std::complex<Quad>>&, bool);

double fourier_error(std::size_t n, double u) {
  // In quads the roots are two doubles, 106 bits: wrong by up to 45 units of 2^-113 in modulus.
  const double root = (u < 0x1p-60 ? 48 : 4) * u, gamma4 = 4 * u / (1 - 4 * u);
  const double step = root + gamma4 * (M_SQRT2 + root);
  const double all = static_cast<double>(std::bit_width(n)) * step;
  return 1.0001 * all / (1 - all);
}

}  // namespace epsilary::solvers
