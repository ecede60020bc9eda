#include <algorithm>
#include <bit>
#include <cmath>

#include "solvers/fft.hpp"
#include "solvers/minimise.hpp"
#include "solvers/pld.hpp"
#include "solvers/root.hpp"

namespace solvers {
namespace {

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
  return Ball(head) + Ball(static_cast<double>(x - S(head)));
}

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

// The composed laws on one lattice.
struct Component {
  Lattice lattice;
  double times;
};

Outlook outlook_of(const std::vector<Component>& components) {
  Outlook out;
  for (const Component& c : components) {
    Outlook::Part part{.times = c.times};
    for (std::size_t i = 0; i < c.lattice.upper.at.size(); ++i) {
      part.loss.push_back(static_cast<double>(c.lattice.upper.at[i]) * c.lattice.step);
      part.p.push_back(std::max(c.lattice.upper.p[i].midpoint(), 0.0));
    }
    out.parts.push_back(std::move(part));
  }
  return out;
}

std::vector<Component> discretise_all(const std::vector<Repeated>& laws, double step, double fineness,
                                      double log_neglected) {
  std::vector<Component> out;
  for (const Repeated& r : laws) out.push_back({discretise(r.law, step, fineness, log_neglected), r.times});
  return out;
}

Outlook look_ahead(const std::vector<Repeated>& laws, double log_neglected) {
  constexpr double coarse = 0.25;
  double finest = HUGE_VAL;
  for (const Repeated& r : laws)
    for (const Side* side : {&r.law.right, &r.law.left})
      for (const double x : side->knots(coarse, log_neglected)) finest = std::min(finest, x);
  return outlook_of(discretise_all(laws, finest / 8, coarse, log_neglected));
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

// Chernoff: the tilted mass beyond x is at most e^{K(theta + s) - K(theta) - s x}. It is compared with the tilted mass
// that makes up delta at eps.
Window choose_window(const Outlook& outlook, double theta, double eps, double log_delta, double width) {
  const auto k = outlook.cumulant(theta);
  const double spread = std::sqrt(k[2]);
  const double log_weight = std::clamp(log_delta + theta * eps - k[0] + std::log1p(theta), -300.0, 0.0);
  const double log_outside = std::log(width) - 7 + log_weight;
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
template <class S>
void tilt(const Masses& masses, double step, double theta, double scale, bool upper, std::vector<std::complex<S>>& x) {
  const long n = static_cast<long>(x.size());
  for (std::size_t i = 0; i < masses.at.size(); ++i) {
    const Ball w = masses.p[i] * exp(Ball(theta) * Ball(step) * Ball(masses.at[i])) / Ball(scale);
    std::complex<S>& cell = x[static_cast<std::size_t>(((masses.at[i] % n) + n) % n)];
    const S mass = std::max(end_of<S>(w, upper ? Rounding::up : Rounding::down), S(0));
    cell += upper ? std::complex<S>(mass, 0) : std::complex<S>(0, mass);
  }
}

Ball tilted_total(const Masses& masses, double step, double theta) {
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
        first_(std::lround(std::floor(window.low / step_))),
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
    const long period = static_cast<long>(n);
    up_.slow.assign(n + 1, 0);
    up_.fast = low_.slow = low_.fast = up_.slow;
    const Ball rate = Ball(theta_) * Ball(step_);
    const S slow = end_of<S>(exp(-rate), Rounding::up), fast = end_of<S>(exp(-rate - Ball(step_)), Rounding::up);
    double norm = 0;
    for (std::size_t i = n; i-- > 0;) {
      const long at = first_ + static_cast<long>(i);
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
    sum_noise_ = 8 * static_cast<double>(n) * unit;
  }

  long first_beyond(const Ball& eps) const { return std::lround(std::floor((eps / Ball(step_)).lower())) + 1; }

  Parts parts(const Ball& eps, const Sums& sums) const {
    const Ball step(step_), theta(theta_);
    const long n = static_cast<long>(sums.slow.size()) - 1, k = std::max(first_beyond(eps), first_);
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
  long first_;
  Chernoff above_, below_;
  Sums up_, low_;
  Ball log_scale_, infinite_;
  double fourier_noise_ = 0, sum_noise_ = 0;
};

// The bracket of the least eps: its ends were tried. The search between them needs no proof. Far below the tilt the
// lower bound drowns in noise, so the lower end is sought downward from the upper one.
template <class S>
Bracket solve_epsilon(const Composition<S>& c, const Ball& delta, double from, double to) {
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

// The tilt for the target and what it promises.
struct Aim {
  double theta, eps, log_delta;
};
Aim aim(const Outlook& outlook, const Target& target) {
  Aim out{};
  if (target.delta) {
    const double wanted = log(*target.delta).midpoint();
    out.theta = decreasing_root([&](double t) { return outlook.log_delta_at(t) - wanted; });
  }
  if (target.eps || outlook.eps_at(out.theta) < 0) {
    const double eps = target.eps ? target.eps->midpoint() : 0;
    out.theta = decreasing_root([&](double t) { return eps - outlook.eps_at(t); });
  }
  out.eps = std::max(0.0, outlook.eps_at(out.theta));
  out.log_delta = std::min(-1e-9, outlook.log_delta_at(out.theta));
  return out;
}

// How much of each law may be neglected: known from the target, or found by looking ahead deeper and deeper.
double neglect(const std::vector<Repeated>& laws, const Target& target, double width) {
  const double margin = 12 - std::log(width) + std::log(rounds_of(laws));
  if (target.delta) return std::min(log(*target.delta).midpoint(), -1.0) - margin;
  double log_delta = -150;
  for (int pass = 0; pass < 5; ++pass) {
    const double found = aim(look_ahead(laws, log_delta - margin), target).log_delta;
    if (found > log_delta) return found - margin;
    log_delta = 1.5 * found;
  }
  return log_delta - margin;
}

constexpr double finest = 5e-4;  // cells closer than this cost more than they give

double relative_width(const Bracket& b) { return b.upper <= 0 ? 0 : (b.upper - b.lower) / b.upper; }

// Composes on finer and finer lattices until the bracket is as narrow as wanted; brackets of all rounds hold together.
// A few rare large losses beside many small ones leave the tail of interest below the rounding of a double whatever
// the tilt; then the transform is done in quadruple precision.
template <class Read>
class Refining {
 public:
  Refining(const std::vector<Repeated>& laws, const Target& target, const Refinement& wanted, Read read)
      : laws_(laws), target_(target), wanted_(wanted), read_(read), best_{0, target.eps ? 1 : HUGE_VAL} {}

  Bracket run() {
    const Ball::Precision bits(128);
    log_neglected_ = neglect(laws_, target_, wanted_.width);
    const Outlook far = look_ahead(laws_, log_neglected_);
    const Aim first = aim(far, target_);
    const Window wide = choose_window(far, first.theta, first.eps, first.log_delta, wanted_.width);
    fineness_ = 0.05 * std::sqrt(wanted_.width / 1e-3);
    if (target_.eps) fineness_ /= std::sqrt(std::max(1.0, first.theta * first.eps));
    const double range = wide.high - wide.low;
    const double root = std::sqrt(rounds_of(laws_)), typical = std::sqrt(far.cumulant(0)[2]) / root;
    step_ = std::min(fineness_ * wide.spread / root, range * 0x1p-14);
    step_ = std::min(step_, std::max(typical / 2, range * 0x1p-18));  // rare large losses do not set the scale
    for (int round = 0; round < 10; ++round) {
      compose();
      const double got = relative_width(best_);
      if (got <= wanted_.width || (at_smallest_step_ && fineness_ < finest)) break;
      if (turned_) continue;  // to another tilt or precision: first on the same lattice
      fineness_ *= std::clamp(0.8 * std::sqrt(wanted_.width / got), 0.5, 0.8);
      step_ *= got > 4 * wanted_.width ? 0.25 : 0.5;
    }
    return best_;
  }

 private:
  std::size_t most_points() const { return quad_ ? wanted_.most_points >> 4 : wanted_.most_points; }

  void compose() {
    const std::vector<Component> components = discretise_all(laws_, step_, fineness_, log_neglected_);
    const Outlook near = outlook_of(components);
    // The first tilt comes from a guess of eps; once eps is bracketed, from that.
    const bool guessed = target_.eps || !std::isfinite(best_.upper);
    const Target at = guessed ? target_ : Target{.eps = Ball(best_.upper)};
    Aim now = aim(near, at);
    if (quad_) now.theta /= 2;  // digits to spare: farther from where the moments explode, the window is shorter
    double log_delta = now.log_delta;
    if (target_.delta)
      log_delta = log(*target_.delta).midpoint();
    else if (best_.upper < 1)
      log_delta = std::min(log_delta, std::log(best_.upper));
    const Window window = choose_window(near, now.theta, now.eps, log_delta, wanted_.width);
    const double points = 1 + (window.high - window.low) / step_, most = static_cast<double>(most_points());
    at_smallest_step_ = points > most / 2;
    turned_ = false;
    if (points > most) {
      step_ *= 1.01 * points / most;
      turned_ = true;
      return;
    }
    const std::size_t n = std::bit_ceil(static_cast<std::size_t>(points));
    if (quad_)
      read(Composition<Quad>(components, window, n), window);
    else
      read(Composition<double>(components, window, n), window);
  }

  template <class S>
  void read(const Composition<S>& c, const Window& window) {
    const Bracket b = read_(c, window);
    best_ = {std::max(best_.lower, b.lower), std::min(best_.upper, b.upper)};
    if (quad_ || relative_width(best_) <= wanted_.width) return;
    const Ball at = target_.eps ? *target_.eps : Ball(std::isfinite(best_.upper) ? best_.upper : window.low);
    const double tolerated = 0.1 * wanted_.width * (target_.eps ? 1 : std::max(1.0, window.theta * at.midpoint()));
    quad_ = !(c.rounding_share(at) < tolerated);
    turned_ = quad_ || (!(c.outside_share(at) < tolerated) && !aimed_again_);
    aimed_again_ = turned_;
  }

  const std::vector<Repeated>& laws_;
  const Target& target_;
  const Refinement& wanted_;
  Read read_;
  Bracket best_;
  double log_neglected_ = 0, fineness_ = 0, step_ = 0;
  bool quad_ = false, turned_ = false, aimed_again_ = false, at_smallest_step_ = false;
};

}  // namespace

Bracket composed_delta(const std::vector<Repeated>& laws, const Ball& eps, const Refinement& wanted) {
  const Target target{.eps = eps};
  return Refining(laws, target, wanted,
                  [&](const auto& c, const Window&) {
                    return Bracket{c.lower(eps).lower(), c.upper(eps).upper()};
                  })
      .run();
}

Bracket composed_epsilon(const std::vector<Repeated>& laws, const Ball& delta, const Refinement& wanted) {
  const Target target{.delta = delta};
  return Refining(laws, target, wanted,
                  [&](const auto& c, const Window& w) { return solve_epsilon(c, delta, w.low, w.high); })
      .run();
}

std::vector<Bracket> composed_profile(const std::vector<Repeated>& laws, const Ball& delta,
                                      const std::vector<double>& eps, const Refinement& wanted) {
  const Target target{.delta = delta};
  std::vector<Bracket> out(eps.size(), Bracket{0, 1});
  Refining(laws, target, wanted, [&](const auto& c, const Window& w) {
    for (std::size_t i = 0; i < eps.size(); ++i)
      out[i] = {std::max(out[i].lower, c.lower(Ball(eps[i])).lower()),
                std::min(out[i].upper, c.upper(Ball(eps[i])).upper())};
    return solve_epsilon(c, delta, w.low, w.high);
  }).run();
  return out;
}

}  // namespace solvers
