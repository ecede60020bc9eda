// A composition on a window of the lattice by Fourier transform, with every error accounted for.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "solvers/losses/lattice/saddle_point.hpp"
#include "solvers/sums/fft.hpp"

namespace epsilary::solvers::pld {

// A number at the given end of a ball, and a ball around a number, without loss.
template <class S>
S end_of(const Ball& x, Rounding side) {
  if constexpr (std::same_as<S, double>) {
    return side == Rounding::up ? x.upper() : x.lower();
  } else {
    const double head = x.midpoint();
    const Ball rest = x - Ball(head);
    return S(head) + S(side == Rounding::up ? rest.upper() : rest.lower());
  }
}
template <class S>
Ball exactly(S x) {
  const double head = static_cast<double>(x);
  const double rest = static_cast<double>(x - S(head));
  return Ball(head) + Ball(rest);
}

// A lattice law tilted by e^{theta loss} and divided by `scale`, rounded to the side of its pair, also where several
// masses are added in one cell.
template <class S>
void tilt(const Masses& masses, double step, double theta, double scale, bool upper, std::vector<std::complex<S>>& x) {
  const std::int64_t n = static_cast<std::int64_t>(x.size()), laps = (masses.at.back() - masses.at.front()) / n + 1;
  const double unit = unit_roundoff<S>;
  const Ball margin = 1 + (upper ? 1 : -1) * Ball(laps + 2) * Ball(unit);
  for (std::size_t i = 0; i < masses.at.size(); ++i) {
    const Ball w = margin * masses.p[i] * exp(Ball(theta) * Ball(step) * Ball(masses.at[i])) / Ball(scale);
    std::complex<S>& cell = x[static_cast<std::size_t>(((masses.at[i] % n) + n) % n)];
    const S mass = std::max(end_of<S>(w, upper ? Rounding::up : Rounding::down), S(0));
    cell += upper ? std::complex<S>(mass, 0) : std::complex<S>(0, mass);
  }
}

inline Ball tilted_total(const Masses& masses, double step, double theta) {
  Ball sum;
  for (std::size_t i = 0; i < masses.at.size(); ++i)
    sum += masses.p[i] * exp(Ball(theta) * Ball(step) * Ball(masses.at[i]));
  return sum;
}

// base^exponent by squaring; 0 where it is below e^-700.
template <class S>
std::complex<S> power(std::complex<S> base, double exponent) {
  using Complex = std::complex<S>;
  const double re = static_cast<double>(base.real()), im = static_cast<double>(base.imag());
  if (re * re + im * im < std::exp(-1400 / exponent)) return 0;
  const auto times = [](const Complex& a, const Complex& b) {
    return Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  };
  Complex result = 1;
  for (auto e = static_cast<std::uint64_t>(exponent); e; e >>= 1, base = times(base, base))
    if (e & 1) result = times(result, base);
  return result;
}

// log sum_i p_i e^{order x_i} over all laws of the composition, for Chernoff's bound on the mass outside the window.
struct Chernoff {
  double order = 0;
  Ball upper, lower;

  void add(const Lattice& lattice, double times, double tilted_order) {
    upper += Ball(times) * log(tilted_total(lattice.upper, lattice.step, tilted_order));
    // Without any mass there is none to bound.
    const Ball total = tilted_total(lattice.lower, lattice.step, tilted_order).upper_end();
    if (certainly(total > 0)) lower += Ball(times) * log(total);
  }
};

// Two laws travel in one transform, upper + i lower: their spectra are told apart by conjugate symmetry.
template <class S>
struct Pair {
  std::complex<S> upper, lower;
};
template <class S>
Pair<S> at_frequency(const std::vector<std::complex<S>>& z, std::size_t k) {
  const std::complex<S> a = z[k], b = z[(z.size() - k) % z.size()];
  const S half = 0.5;
  return {{half * (a.real() + b.real()), half * (a.imag() - b.imag())},
          {half * (a.imag() + b.imag()), half * (b.real() - a.real())}};
}
template <class S>
void set_frequency(std::vector<std::complex<S>>& z, std::size_t k, const Pair<S>& pair) {
  const auto& [u, l] = pair;
  z[k] = {u.real() - l.imag(), u.imag() + l.real()};
  z[(z.size() - k) % z.size()] = {u.real() + l.imag(), l.real() - u.imag()};
}

// The composition on a window of the lattice: tilted masses c_k of the total loss k step, and from them
// delta(eps) = scale e^{-theta eps} sum_{k step > eps} c_k e^{-theta y} (1 - e^{-y}), y = k step - eps.
template <class S>
class Composition {
 public:
  using Complex = std::complex<S>;

  Composition(const std::vector<Component>& components, const Window& window, std::size_t points)
      : theta_(window.theta),
        step_(components.front().lattice.step),
        first_(nearest_integer(std::floor(window.low / step_))),
        above_{.order = window.up_order},
        below_{.order = window.down_order} {
    std::vector<Complex> spectrum;
    const double transform = fourier_error(points, unit);
    double error = 0, growth = 0;
    for (const auto& [lattice, times] : components) {
      const double scale = tilted_total(lattice.upper, step_, theta_).midpoint();
      std::vector<Complex> x(points);
      tilt(lattice.upper, step_, theta_, scale, true, x);
      tilt(lattice.lower, step_, theta_, scale, false, x);
      log_scale_ += Ball(times) * log(Ball(scale));
      infinite_ += Ball(times) * lattice.infinite;
      above_.add(lattice, times, theta_ + above_.order);
      below_.add(lattice, times, theta_ - below_.order);
      double size = 0;
      for (const Complex& v : x) size += squared(v);
      size = std::sqrt(size);
      fourier(x);
      for (std::size_t k = 0; k <= points / 2; ++k) {
        const Pair<S> pair = at_frequency(x, k);
        set_frequency(x, k, Pair<S>{power(pair.upper, times), power(pair.lower, times)});
      }
      // A spectrum wrong by e has a T-th power wrong by T e (1 + e)^T; taking the power costs sqrt(5) u a product.
      error += times * (transform * size + 4 * unit);
      growth += times * (transform * size * std::sqrt(static_cast<double>(points)) + 8 * unit);
      join(spectrum, std::move(x));
    }
    finish(spectrum, error * std::exp(growth));
  }

  Ball upper(const Ball& eps) const {
    if (first_beyond(eps) < first_) return Ball(1);
    const Parts p = parts(eps, up_);
    return min(Ball(1), p.scale * (p.sum + p.rounding + p.outside) + infinite_);
  }
  Ball lower(const Ball& eps) const {
    const Parts p = parts(eps, low_);
    return max(Ball(0), p.scale * (p.sum - p.rounding - p.outside));
  }

  // How much of the upper bound at eps is rounding noise, and how much the mass outside the window.
  double rounding_share(const Ball& eps) const {
    const Parts p = parts(eps, up_);
    return (p.rounding / (p.sum + p.rounding)).upper();
  }
  double outside_share(const Ball& eps) const {
    const Parts p = parts(eps, up_);
    return (p.outside / (p.sum + p.outside)).upper();
  }

 private:
  static constexpr double unit = unit_roundoff<S>;
  static double squared(const Complex& z) {
    const double re = static_cast<double>(z.real()), im = static_cast<double>(z.imag());
    return re * re + im * im;
  }

  // At k: sum_{j >= k} c_j r^{j-k} for r = e^{-theta step} and r = e^{-(theta+1) step}.
  struct Sums {
    std::vector<S> slow, fast;
  };
  struct Parts {
    Ball scale, sum, rounding, outside;
  };

  static void join(std::vector<Complex>& product, std::vector<Complex>&& factor) {
    if (product.empty()) {
      product = std::move(factor);
      return;
    }
    for (std::size_t k = 0; k <= product.size() / 2; ++k) {
      const Pair<S> a = at_frequency(product, k), b = at_frequency(factor, k);
      set_frequency(product, k, Pair<S>{a.upper * b.upper, a.lower * b.lower});
    }
  }

  void finish(std::vector<Complex>& spectrum, double error) {
    const std::size_t n = spectrum.size();
    fourier(spectrum, true);
    const S share = S(1) / static_cast<S>(n);
    const std::int64_t period = static_cast<std::int64_t>(n);
    up_.slow.assign(n + 1, 0);
    up_.fast = low_.slow = low_.fast = up_.slow;
    const Ball rate = Ball(theta_) * Ball(step_);
    const S slow = end_of<S>(exp(-rate), Rounding::up), fast = end_of<S>(exp(-rate - Ball(step_)), Rounding::up);
    double norm = 0;
    for (std::size_t i = n; i-- > 0;) {
      const std::int64_t at = first_ + static_cast<std::int64_t>(i);
      const Complex c = spectrum[static_cast<std::size_t>(((at % period) + period) % period)] * share;
      norm += squared(c);
      // A mass is not negative: cutting the rounding noise at 0 brings it nearer to the truth.
      const S up = std::max(c.real(), S(0)), low = std::max(c.imag(), S(0));
      up_.slow[i] = up + slow * up_.slow[i + 1];
      up_.fast[i] = up + fast * up_.fast[i + 1];
      low_.slow[i] = low + slow * low_.slow[i + 1];
      low_.fast[i] = low + fast * low_.fast[i + 1];
    }
    fourier_noise_ = 4 * error + 4 * fourier_error(n, unit) * std::sqrt(norm);
    sum_noise_ = (8 * static_cast<double>(n) + 256) * unit;
  }

  std::int64_t first_beyond(const Ball& eps) const {
    return nearest_integer(std::clamp(std::floor((eps / Ball(step_)).lower()), -1e15, 1e15)) + 1;
  }

  Parts parts(const Ball& eps, const Sums& sums) const {
    const Ball step(step_), theta(theta_);
    const std::int64_t n = static_cast<std::int64_t>(sums.slow.size()) - 1, k = std::max(first_beyond(eps), first_);
    const std::size_t i = static_cast<std::size_t>(std::min(k - first_, n));
    const Ball y = step * Ball(k) - eps;
    const Ball slow = exp(-theta * y) * exactly(sums.slow[i]), fast = exp(-(theta + 1) * y) * exactly(sums.fast[i]);
    const Ball most = 1 / (theta + 1);  // e^{-theta y} (1 - e^{-y}) is at most this
    // The transform's error is known in l2, so it meets the l2 norm of the weights (Cauchy-Schwarz).
    const Ball rounding = Ball(sum_noise_) * (slow + fast) + Ball(fourier_noise_) * sqrt(most / -expm1(-theta * step));
    return {exp(log_scale_ - theta * eps), slow - fast, rounding, most * outside()};
  }

  // Tilted mass outside the window: it is missing there, and wraps around into it.
  Ball outside() const {
    const Ball low = Ball(step_) * Ball(first_), high = low + Ball(step_) * Ball(up_.slow.size() - 1);
    const auto mass = [&](const Ball& log_total, const Ball& at) { return exp(log_total - log_scale_ + at); };
    const Ball over = -Ball(above_.order) * high, under = Ball(below_.order) * low;
    return Ball(1.001) * (max(mass(above_.upper, over), mass(above_.lower, over)) +
                          max(mass(below_.upper, under), mass(below_.lower, under)));
  }

  double theta_, step_;
  std::int64_t first_;
  Chernoff above_, below_;
  Sums up_, low_;
  Ball log_scale_, infinite_;
  double fourier_noise_ = 0, sum_noise_ = 0;
};

}  // namespace epsilary::solvers::pld
