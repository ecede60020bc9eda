#include "bounds/vandijk2022_moments.hpp"

#include <cmath>

#include "solvers/functions.hpp"
#include "solvers/integrate.hpp"

namespace bounds::vandijk2022 {
namespace {

using namespace solvers;

// A standard normal t = mu/2 + s. Losses are l(s) with density phi(t) e^{l(s)} ds (ahead) and -l(s) with density
// phi(t) ds (behind), for s > 0, where the rest is an atom at 0, or for all s. l(s) = log rho(s),
// rho(s) = 1 + p (e^{mu s} - 1), rises, and so does its slope l' = mu p e^{mu s}/rho < mu.
struct Mixture {
  Ball p, mu;
  bool ahead, behind, whole_line;
  double first = 0, last = 0;  // losses of s beyond these are left out; whole numbers
  double rate = p.midpoint(), shift = mu.midpoint();

  Ball loss(const Ball& s) const { return log1p(p * expm1(mu * s)); }
  double loss(double s) const { return std::log1p(rate * std::expm1(shift * s)); }
  Ball slope(const Ball& s) const { return mu * p * exp(mu * s - loss(s)); }
  Ball density(const Ball& s) const {
    const Ball t = mu / 2 + s;
    return exp(-t * t / 2) / sqrt(2 * Ball::pi());
  }
};

// A panel [s, s + length] within an ellipse whose foci are its ends, |Re s - middle| <= a and |Im s| <= v.
constexpr double axis = 5;
struct Ellipse {
  double middle, a, v;
};
Ellipse around(double s, double length) {
  const double wider = 1 + 1e-9;  // than rounding could make it narrower
  return {s + length / 2, length / 4 * (axis + 1 / axis) * wider, length / 4 * (axis - 1 / axis) * wider};
}

// In the ellipse phi(t) rho^{1+z} and phi(t) rho^{-z}, z = c + iy, |y| <= reach, are at most e^this/sqrt(2 pi) in
// modulus, if v mu < pi/2: |rho| is between 1 - p + p e^{mu Re s} cos(v mu) and its value at Re s, and the argument of
// rho is at most that of 1 - p + p e^{mu (middle + a + iv)}.
template <Real R>
R log_most(const Mixture& m, const Ellipse& e, double c, double reach, const R& p, const R& mu) {
  const R v = e.v, right = R(e.middle) + R(e.a), left = R(e.middle) - R(e.a), high = p * exp(mu * right);
  R sine, cosine;
  if constexpr (std::same_as<R, Ball>) {
    const Ball angle = v * mu;
    arb_sin_cos(sine.arb(), cosine.arb(), angle.arb(), Ball::precision());
  } else {
    sine = std::sin(v * mu), cosine = std::cos(v * mu);
  }
  const R ahead = R(1 + c) * log(1 - p + high), behind = R(-c) * log(1 - p + p * exp(mu * left) * cosine);
  const R turn = min(R(mu * v), R(high * sine / (1 - p + high * cosine)));
  const R near = max(R(0), max(R(left + mu / 2), R(-right - mu / 2)));
  return (v * v - near * near) / 2 + R(reach) * turn + (!m.behind ? ahead : !m.ahead ? behind : max(ahead, behind));
}

// The integral over s by Gauss's rule on panels. All their ends are multiples of 2^-30, so that they meet exactly.
class Panels {
 public:
  Panels(const Mixture& m, double c, double reach)
      : m_(m),
        c_(c),
        reach_(reach),
        nats_(static_cast<double>(Ball::precision()) * 0.6932 + 10),
        growth_(reach * m.shift > 60 ? 60 : 10),
        points_(static_cast<int>((nats_ + growth_) / (2 * std::log(axis))) + 1) {
    for (double s = m.first; s < m.last;) s += panel(s);
  }
  Tilted result() && { return std::move(out_); }

 private:
  // The integrand between s and end at most: rho^{1+c} rises, rho^{-c} falls.
  Ball most(double s, double end) const {
    const Ball left(s), right(end), half = m_.mu / 2;
    const Ball near = max(Ball(0), max(half + left, -half - right)) - half;
    Ball sum;
    if (m_.ahead) sum += exp(Ball(1 + c_) * m_.loss(right));
    if (m_.behind) sum += exp(-Ball(c_) * m_.loss(left));
    return sum * m_.density(near);
  }
  double log_real(double s, double end) const {
    const double half = m_.shift / 2, near = std::max({0.0, half + s, -half - end});
    return std::max(m_.ahead ? (1 + c_) * m_.loss(end) : -HUGE_VAL, m_.behind ? -c_ * m_.loss(s) : -HUGE_VAL) -
           near * near / 2;
  }

  // One panel from s on: left out where it does not matter, else as long as the ellipse around it allows.
  double panel(double s) {
    const double rest = m_.last - s, idle = std::min(1.0, rest);
    if (log_real(s, s + idle) < -nats_) {
      out_.error += most(s, s + idle);
      return idle;
    }
    const auto allowed = [&](double length) {
      return log_most<double>(m_, around(s, length), c_, reach_, m_.rate, m_.shift) <=
             std::max(0.0, log_real(s, s)) + growth_;
    };
    double length = std::min(1.5, 1 / m_.shift);
    while (length > 1e-6 && !allowed(length)) length *= 0.75;
    length = std::min(std::ceil(std::ldexp(length, 30)) * 0x1p-30, rest);
    add(s, length);
    return length;
  }

  void add(double s, double length) {
    const GaussRule& rule = gauss_rule(points_);
    const Ball half(length / 2), middle = Ball(s) + half;
    const Ball highest = exp(log_most<Ball>(m_, around(s, length), c_, reach_, m_.p, m_.mu)) / sqrt(2 * Ball::pi());
    out_.error += gauss_error(points_, Ball(axis)) * half * highest * (m_.ahead && m_.behind ? 2 : 1);
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      const Ball x = middle + half * rule.node[k], l = m_.loss(x), weight = half * rule.weight[k] * m_.density(x);
      const Ball tilt = exp(Ball(c_) * l);
      out_.nodes.push_back({l, m_.ahead ? weight * tilt * exp(l) : Ball(0), m_.behind ? weight / tilt : Ball(0)});
    }
  }

  const Mixture& m_;
  double c_, reach_, nats_;
  double growth_;  // of the integrand in the ellipse: much where its phase turns fast, for longer panels of more points
  int points_;
  Tilted out_;
};

Ball atom(const Mixture& m) { return (1 - m.p) * (1 - 2 * normal_cdf(-m.mu / 2)); }

Tilted tilted(const Mixture& m, double c, double reach) {
  Tilted out = Panels(m, c, reach).result();
  if (!m.whole_line) out.nodes.push_back({Ball(0), atom(m), Ball(0)});
  return out;
}

// The density of the loss l(s) is that of s divided by l'. Each factor is monotone on either side of its top.
std::vector<Stair> stairs(const Mixture& m, double c) {
  std::vector<Stair> right, left;
  const double count = std::ceil(10 * std::max(1.0, m.shift)), parts = count * (m.last - m.first);
  for (double i = 0; i < parts; ++i) {
    const Ball from = Ball(m.first) + Ball(i) / Ball(count), to = Ball(m.first) + Ball(i + 1) / Ball(count);
    const Ball low = m.loss(from), high = m.loss(to);
    const Ball least = min(m.density(from), m.density(to)) / m.slope(to);
    if (m.ahead) right.push_back({low, high, least * exp(Ball(1 + c) * low)});
    if (m.behind) left.push_back({-high, -low, least * exp(-Ball(c) * high)});
  }
  std::vector<Stair> out(left.rbegin(), left.rend());
  out.insert(out.end(), right.begin(), right.end());
  return out;
}

// Mass of P beyond the ends.
Ball missing(const Mixture& m) {
  const auto beyond = [&](double s, int side) {
    const Ball t = m.mu / 2 + Ball(s), plain = normal_cdf(side * -t);
    Ball sum;
    if (m.ahead) sum += (1 - m.p) * plain + m.p * normal_cdf(side * (m.mu - t));
    if (m.behind) sum += plain;
    return sum;
  };
  return m.whole_line ? beyond(m.last, 1) + beyond(m.first, -1) : beyond(m.last, 1);
}

MomentLaw moments(Mixture m, double log_neglected, double T) {
  const double spread = std::sqrt(-2 * log_neglected);
  m.last = std::ceil(spread);
  if (m.whole_line) m.first = -m.last - std::ceil(m.shift);
  while (!(missing(m) < exp(Ball(log_neglected)))) ++m.last, m.first -= m.whole_line ? 1 : 0;
  MomentLaw law{.tilted = [m](double c, double reach) { return tilted(m, c, reach); },
                .stairs = [m](double c) { return stairs(m, c); },
                .loss = {},
                .mass = {},
                .missing = missing(m),
                .times = T};
  const double panels = 2 * std::ceil(std::max(1.0, m.shift)), half = 0.5 / panels, root = std::sqrt(2 * M_PI);
  const GaussRule& rule = gauss_rule(8);
  for (double middle = m.first + half; middle < m.last; middle += 2 * half)
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      const double s = middle + half * rule.node[k].midpoint(), t = m.shift / 2 + s, l = m.loss(s);
      const double mass = half * rule.weight[k].midpoint() * std::exp(-t * t / 2) / root;
      if (m.ahead) law.loss.push_back(l), law.mass.push_back(mass * std::exp(l));
      if (m.behind) law.loss.push_back(-l), law.mass.push_back(mass);
    }
  if (!m.whole_line) law.loss.push_back(0), law.mass.push_back(atom(m).midpoint());
  return law;
}

MomentLaws repeated(const Ball& p, const Ball& mu, double T, bool ahead, bool behind) {
  const Mixture m{.p = p, .mu = mu, .ahead = ahead, .behind = behind, .whole_line = !(ahead && behind)};
  return [m, T](double log_neglected) { return std::vector{moments(m, log_neglected, T)}; };
}

}  // namespace

MomentLaws subsampled_gaussian_moments(const Ball& p, const Ball& mu, double T) {
  return repeated(p, mu, T, true, true);
}
MomentLaws poisson_removed_moments(const Ball& p, const Ball& mu, double T) { return repeated(p, mu, T, true, false); }
MomentLaws poisson_added_moments(const Ball& p, const Ball& mu, double T) { return repeated(p, mu, T, false, true); }

}  // namespace bounds::vandijk2022
