#include <algorithm>
#include <bit>
#include <cmath>

#include "solvers/fft.hpp"
#include "solvers/minimise.hpp"
#include "solvers/pld.hpp"
#include "solvers/root.hpp"

namespace solvers {
namespace {

using Complex = std::complex<double>;

// The law of the total loss seen from far: log E_P e^{theta X} of the composition and its first two derivatives,
// in double, from coarse lattices. It chooses the tilt, the window and the step; nothing it says needs to be right.
struct Outlook {
  struct Part {
    double times;
    std::vector<double> loss, p;
  };
  std::vector<Part> parts;

  std::array<double, 3> cumulant(double theta) const {
    std::array<double, 3> sum{};
    for (const Part& part : parts) {
      double top = 0;
      for (const double x : part.loss) top = std::max(top, theta * x);
      double m0 = 0, m1 = 0, m2 = 0, excess = 0;
      for (std::size_t i = 0; i < part.p.size(); ++i) {
        const double x = part.loss[i], w = part.p[i] * std::exp(theta * x - top);
        excess += part.p[i] * std::expm1(std::min(theta * x, 700.0));
        m0 += w, m1 += w * x, m2 += w * x * x;
      }
      const double mean = m1 / m0;
      sum[0] += part.times * (top < 1 ? std::log1p(excess) : top + std::log(m0));
      sum[1] += part.times * mean;
      sum[2] += part.times * std::max(m2 / m0 - mean * mean, 1e-300);
    }
    return sum;
  }

  // The saddle point of E e^{theta (X - eps)} / (theta (theta + 1)): the eps it belongs to, and log delta there.
  double eps_at(double theta) const { return cumulant(theta)[1] - 1 / theta - 1 / (1 + theta); }
  double log_delta_at(double theta) const {
    const auto k = cumulant(theta);
    const double eps = k[1] - 1 / theta - 1 / (1 + theta);
    const double spread = k[2] + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
    return k[0] - theta * eps - std::log(theta * (1 + theta)) - std::log(2 * M_PI * spread) / 2;
  }
};

Outlook look_ahead(const std::vector<Repeated>& laws, double log_neglected) {
  Outlook out;
  for (const Repeated& r : laws) {
    const auto knots = r.law.right.knots(0.25, log_neglected), left_knots = r.law.left.knots(0.25, log_neglected);
    double finest = knots.front();
    for (const auto* list : {&knots, &left_knots})
      for (const double x : *list) finest = std::min(finest, x);
    const Lattice coarse = discretise(r.law, finest / 8, 0.25, log_neglected);
    Outlook::Part part{.times = r.times};
    for (std::size_t i = 0; i < coarse.upper.at.size(); ++i) {
      part.loss.push_back(static_cast<double>(coarse.upper.at[i]) * coarse.step);
      part.p.push_back(std::max(coarse.upper.p[i].midpoint(), 0.0));
    }
    out.parts.push_back(std::move(part));
  }
  return out;
}

double rounds_of(const std::vector<Repeated>& laws) {
  double sum = 0;
  for (const Repeated& r : laws) sum += r.times;
  return sum;
}

// theta with f(theta) = 0 for a decreasing f, on a logarithmic scale; the nearest end where there is none.
template <class F>
double decreasing_root(F f) {
  const double low = std::log(1e-9), high = std::log(1e9);
  const auto g = [&](double u) { return std::clamp(f(std::exp(u)), -1e300, 1e300); };
  if (g(low) <= 0) return std::exp(low);
  if (g(high) >= 0) return std::exp(high);
  return std::exp(find_root<double>(g, low, high, 80).value);
}

struct Window {
  double theta, low, high;      // tilt, and the total losses kept
  double up_order, down_order;  // Chernoff orders that showed it
  double spread;                // tilted standard deviation of the total loss
};

// Chernoff: the tilted mass beyond x is at most e^{K(theta + s) - K(theta) - s x}.
Window choose_window(const Outlook& outlook, double theta, double width) {
  const auto k = outlook.cumulant(theta);
  const double spread = std::sqrt(k[2]);
  const double log_outside = std::log(width) - 9 - std::log1p(theta * spread);
  const auto edge = [&](double sign) {
    const auto reach = [&](double u) {
      const double s = std::exp(u);
      return (outlook.cumulant(theta + sign * s)[0] - k[0] - log_outside) / s;
    };
    const double middle = std::log(std::sqrt(-2 * log_outside) / spread);
    const auto best = minimise<double>(reach, middle - 6, middle + 3, 60);
    return std::pair{sign * best.value, std::exp(best.at.value)};
  };
  const auto [high, up] = edge(+1);
  const auto [low, down] = edge(-1);
  return {theta, low, high, up, down, spread};
}

// A lattice law tilted by e^{theta loss} and divided by `scale`, rounded to the side of its pair.
void tilt(const Masses& masses, const Lattice& lattice, double theta, double scale, bool upper,
          std::vector<Complex>& x) {
  const long n = static_cast<long>(x.size());
  for (std::size_t i = 0; i < masses.at.size(); ++i) {
    const Ball w = masses.p[i] * exp(Ball(theta) * Ball(lattice.step) * Ball(masses.at[i])) / Ball(scale);
    Complex& cell = x[static_cast<std::size_t>(((masses.at[i] % n) + n) % n)];
    if (upper)
      cell += std::max(w.upper(), 0.0);
    else
      cell += Complex(0, std::max(w.lower(), 0.0));
  }
}

Ball tilted_total(const Masses& masses, double step, double theta) {
  Ball sum;
  for (std::size_t i = 0; i < masses.at.size(); ++i)
    sum += masses.p[i] * exp(Ball(theta) * Ball(step) * Ball(masses.at[i]));
  return sum;
}

// base^exponent by squaring; 0 where it is below e^-700.
Complex power(Complex base, double exponent) {
  if (std::norm(base) < std::exp(-1400 / exponent)) return 0;
  const auto times = [](Complex a, Complex b) {
    return Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  };
  Complex result = 1;
  for (auto e = static_cast<unsigned long>(exponent); e; e >>= 1, base = times(base, base))
    if (e & 1) result = times(result, base);
  return result;
}

// log sum_i p_i e^{order x_i} over all laws of the composition, for Chernoff's bound on the mass outside the window.
struct Chernoff {
  double order = 0;
  Ball upper, lower;

  void add(const Lattice& lattice, double times, double tilted_order) {
    upper += Ball(times) * log(tilted_total(lattice.upper, lattice.step, tilted_order));
    const Ball total = tilted_total(lattice.lower, lattice.step, tilted_order);
    if (total > 0) lower += Ball(times) * log(total);
  }
};

// Two laws travel in one transform, upper + i lower: their spectra are told apart by conjugate symmetry.
struct Pair {
  Complex upper, lower;
};
Pair at_frequency(const std::vector<Complex>& z, std::size_t k) {
  const Complex here = z[k], mirrored = std::conj(z[(z.size() - k) % z.size()]);
  return {(here + mirrored) * 0.5, (here - mirrored) * Complex(0, -0.5)};
}
void set_frequency(std::vector<Complex>& z, std::size_t k, const Pair& pair) {
  z[k] = pair.upper + Complex(-pair.lower.imag(), pair.lower.real());
  z[(z.size() - k) % z.size()] = std::conj(pair.upper) + Complex(pair.lower.imag(), pair.lower.real());
}

// The composition on a window of the lattice: tilted masses c_k of the total loss k step, and from them
// delta(eps) = scale e^{-theta eps} sum_{k step > eps} c_k e^{-theta y} (1 - e^{-y}), y = k step - eps.
class Composition {
 public:
  Composition(const std::vector<Repeated>& laws, const Window& window, std::size_t points, double fineness,
              double log_neglected)
      : theta_(window.theta),
        step_((window.high - window.low) / (0.98 * static_cast<double>(points))),
        first_(std::lround(std::floor(window.low / step_))),
        above_{.order = window.up_order},
        below_{.order = window.down_order} {
    std::vector<Complex> spectrum;
    double error = 0, growth = 0;
    for (const Repeated& r : laws) {
      const Lattice lattice = discretise(r.law, step_, fineness, log_neglected);
      const double scale = tilted_total(lattice.upper, step_, theta_).midpoint();
      std::vector<Complex> x(points);
      tilt(lattice.upper, lattice, theta_, scale, true, x);
      tilt(lattice.lower, lattice, theta_, scale, false, x);
      log_scale_ += Ball(r.times) * log(Ball(scale));
      infinite_ += Ball(r.times) * lattice.infinite;
      above_.add(lattice, r.times, theta_ + above_.order);
      below_.add(lattice, r.times, theta_ - below_.order);
      double size = 0;
      for (const Complex& v : x) size += std::norm(v);
      size = std::sqrt(size);
      fourier(x);
      for (std::size_t k = 0; k <= points / 2; ++k) {
        const Pair pair = at_frequency(x, k);
        set_frequency(x, k, {power(pair.upper, r.times), power(pair.lower, r.times)});
      }
      // A spectrum wrong by e has a T-th power wrong by T e (1 + e)^T; taking the power costs sqrt(5) u a product.
      error += r.times * (fourier_error(points) * size + 4 * unit_roundoff);
      growth += r.times * (fourier_error(points) * size * std::sqrt(static_cast<double>(points)) + 1e-13);
      join(spectrum, std::move(x));
    }
    finish(spectrum, error * std::exp(growth));
  }

  Ball upper(const Ball& eps) const {
    if (first_beyond(eps) < first_) return Ball(1);
    const Parts p = parts(eps, up_);
    return min(Ball(1), p.scale * (p.sum + p.noise) + infinite_);
  }
  Ball lower(const Ball& eps) const {
    const Parts p = parts(eps, low_);
    return max(Ball(0), p.scale * (p.sum - p.noise));
  }

 private:
  // At k: sum_{j >= k} c_j r^{j-k} for r = e^{-theta step} and r = e^{-(theta+1) step}.
  struct Sums {
    std::vector<double> slow, fast;
  };
  struct Parts {
    Ball scale, sum, noise;
  };

  static void join(std::vector<Complex>& product, std::vector<Complex>&& factor) {
    if (product.empty()) {
      product = std::move(factor);
      return;
    }
    for (std::size_t k = 0; k <= product.size() / 2; ++k) {
      const Pair a = at_frequency(product, k), b = at_frequency(factor, k);
      set_frequency(product, k, {a.upper * b.upper, a.lower * b.lower});
    }
  }

  void finish(std::vector<Complex>& spectrum, double error) {
    const std::size_t n = spectrum.size();
    fourier(spectrum, true);
    const double share = 1 / static_cast<double>(n);
    const long period = static_cast<long>(n);
    up_.slow.assign(n + 1, 0);
    up_.fast = low_.slow = low_.fast = up_.slow;
    const double slow = std::exp(-theta_ * step_), fast = std::exp(-(theta_ + 1) * step_);
    double norm = 0;
    for (std::size_t i = n; i-- > 0;) {
      const long at = first_ + static_cast<long>(i);
      const Complex c = spectrum[static_cast<std::size_t>(((at % period) + period) % period)] * share;
      norm += std::norm(c);
      // A mass is not negative: cutting the rounding noise at 0 brings it nearer to the truth.
      const double up = std::max(c.real(), 0.0), low = std::max(c.imag(), 0.0);
      up_.slow[i] = up + slow * up_.slow[i + 1];
      up_.fast[i] = up + fast * up_.fast[i + 1];
      low_.slow[i] = low + slow * low_.slow[i + 1];
      low_.fast[i] = low + fast * low_.fast[i + 1];
    }
    fourier_noise_ = 4 * error + 4 * fourier_error(n) * std::sqrt(norm);
    sum_noise_ = 8 * static_cast<double>(n) * unit_roundoff;
  }

  long first_beyond(const Ball& eps) const { return std::lround(std::floor((eps / Ball(step_)).lower())) + 1; }

  Parts parts(const Ball& eps, const Sums& sums) const {
    const Ball step(step_), theta(theta_);
    const long n = static_cast<long>(sums.slow.size()) - 1, k = std::max(first_beyond(eps), first_);
    const std::size_t i = static_cast<std::size_t>(std::min(k - first_, n));
    const Ball y = step * Ball(k) - eps;
    const Ball slow = exp(-theta * y) * Ball(sums.slow[i]), fast = exp(-(theta + 1) * y) * Ball(sums.fast[i]);
    const Ball most = 1 / (theta + 1);  // e^{-theta y} (1 - e^{-y}) is at most this
    // The transform's error is known in l2, so it meets the l2 norm of the weights (Cauchy-Schwarz).
    const Ball noise =
        Ball(sum_noise_) * (slow + fast) + Ball(fourier_noise_) * sqrt(most / -expm1(-theta * step)) + most * outside();
    return {exp(log_scale_ - theta * eps), slow - fast, noise};
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
  long first_;
  Chernoff above_, below_;
  Sums up_, low_;
  Ball log_scale_, infinite_;
  double fourier_noise_ = 0, sum_noise_ = 0;
};

// The bracket of the least eps: its ends were tried. The search between them needs no proof. Far below the tilt the
// lower bound drowns in noise, so the lower end is sought downward from the upper one.
Bracket solve_epsilon(const Composition& c, const Ball& delta, double from, double to) {
  const double low = std::max(0.0, from), high = std::max(to, low + 1e-300);
  const auto f = [&](double e) {
    return std::log(std::max(c.upper(Ball(e)).midpoint(), 1e-320)) - std::log(delta.midpoint());
  };
  double e = f(low) <= 0 ? low : f(high) >= 0 ? high : find_root<double>(f, low, high, 100).value;
  Bracket out{0, HUGE_VAL};
  double nudge = 1e-14;
  for (int i = 0; i < 40 && !(c.upper(Ball(e)) <= delta); ++i, nudge *= 3) e += nudge * std::max(e, 1e-10 * high);
  if (c.upper(Ball(e)) <= delta) out.upper = e;
  double fails = e, holds = 0;
  for (double gap = 1e-8 * e; gap < e && holds <= 0; gap *= 4)
    (c.lower(Ball(e - gap)) > delta ? holds : fails) = e - gap;
  for (int i = 0; i < 25 && holds > 0; ++i) {
    const double middle = (holds + fails) / 2;
    (c.lower(Ball(middle)) > delta ? holds : fails) = middle;
  }
  out.lower = holds;
  return out;
}

// What is asked for: delta at eps, or eps at delta.
struct Target {
  std::optional<Ball> eps, delta;
};

struct Plan {
  Outlook outlook;
  double theta, eps, log_delta, log_neglected;
};

Plan plan(const std::vector<Repeated>& laws, const Target& target, double width) {
  const double rounds = rounds_of(laws), margin = 12 - std::log(width) + std::log(rounds);
  double log_delta = target.delta ? log(*target.delta).midpoint() : -150;
  for (int pass = 0;; ++pass) {
    Plan out{look_ahead(laws, log_delta - margin), 0, 0, log_delta, log_delta - margin};
    if (target.delta) {
      out.theta = decreasing_root([&](double t) { return out.outlook.log_delta_at(t) - log_delta; });
      if (out.outlook.eps_at(out.theta) < 0)
        out.theta = decreasing_root([&](double t) { return -out.outlook.eps_at(t); });
    } else {
      const double eps = target.eps->midpoint();
      out.theta = decreasing_root([&](double t) { return eps - out.outlook.eps_at(t); });
    }
    out.eps = std::max(0.0, out.outlook.eps_at(out.theta));
    out.log_delta = std::min(-1e-9, out.outlook.log_delta_at(out.theta));
    if (target.delta || pass > 3 || out.log_delta > log_delta) {
      out.log_neglected = std::min(out.log_delta, 0.0) - margin;
      return out;
    }
    log_delta = 1.5 * out.log_delta;
  }
}

constexpr double finest = 5e-4;  // cells closer than this cost more than they give

double relative_width(const Bracket& b) { return b.upper <= 0 ? 0 : (b.upper - b.lower) / b.upper; }

// Composes on finer and finer lattices until the bracket is as narrow as wanted; brackets of all rounds hold together.
template <class Read>
Bracket refine(const std::vector<Repeated>& laws, const Target& target, const Refinement& wanted, Read read) {
  const Ball::Precision bits(128);
  const Plan p = plan(laws, target, wanted.width);
  const Window window = choose_window(p.outlook, p.theta, wanted.width);
  const double per_round = window.spread / std::sqrt(rounds_of(laws));
  double fineness = 0.05 * std::sqrt(wanted.width / 1e-3);
  if (target.eps) fineness /= std::sqrt(std::max(1.0, p.theta * p.eps));
  const double cells = std::min((window.high - window.low) / (fineness * per_round), 1e15);
  std::size_t points =
      std::clamp(std::bit_ceil(static_cast<std::size_t>(cells)), std::size_t{1} << 14, wanted.most_points);
  Bracket best{0, target.eps ? 1 : HUGE_VAL};
  for (int round = 0; round < 12; ++round) {
    const Composition c(laws, window, points, fineness, p.log_neglected);
    const Bracket b = read(c, window);
    best = {std::max(best.lower, b.lower), std::min(best.upper, b.upper)};
    const double got = relative_width(best);
    if (got <= wanted.width || (points == wanted.most_points && fineness < finest)) break;
    fineness *= std::clamp(0.8 * std::sqrt(wanted.width / got), 0.5, 0.8);
    points = std::min(points * (got > 4 * wanted.width ? 4 : 2), wanted.most_points);
  }
  return best;
}

}  // namespace

Bracket composed_delta(const std::vector<Repeated>& laws, const Ball& eps, const Refinement& wanted) {
  return refine(laws, {.eps = eps}, wanted, [&](const Composition& c, const Window&) {
    return Bracket{c.lower(eps).lower(), c.upper(eps).upper()};
  });
}

Bracket composed_epsilon(const std::vector<Repeated>& laws, const Ball& delta, const Refinement& wanted) {
  return refine(laws, {.delta = delta}, wanted,
                [&](const Composition& c, const Window& w) { return solve_epsilon(c, delta, w.low, w.high); });
}

std::vector<Bracket> composed_profile(const std::vector<Repeated>& laws, const Ball& delta,
                                      const std::vector<double>& eps, const Refinement& wanted) {
  std::vector<Bracket> out(eps.size(), Bracket{0, 1});
  refine(laws, {.delta = delta}, wanted, [&](const Composition& c, const Window& w) {
    for (std::size_t i = 0; i < eps.size(); ++i)
      out[i] = {std::max(out[i].lower, c.lower(Ball(eps[i])).lower()),
                std::min(out[i].upper, c.upper(Ball(eps[i])).upper())};
    return solve_epsilon(c, delta, w.low, w.high);
  });
  return out;
}

}  // namespace solvers
