#include "bounds/theory/dpsgd/moments.hpp"

#include <cmath>

#include "solvers/numbers/functions.hpp"
#include "solvers/numbers/sine.hpp"
#include "solvers/numbers/work.hpp"
#include "solvers/sums/integrate.hpp"

namespace epsilary::bounds::dpsgd {
namespace {

using namespace solvers;

// A standard normal t = mu/2 + s. Losses are l(s) with density phi(t) e^{l(s)} ds (ahead) and -l(s) with density
// phi(t) ds (behind), for s > 0, where the tail is an atom at 0, or for all s. l(s) = log rho(s),
// rho(s) = 1 + p (e^{mu s} - 1), rises, and so does its slope l' = mu p e^{mu s}/rho < mu.
struct SampledGaussian {
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

// A rectangle of the plane of s.
struct Box {
  double left, right, low, high;
};

// A panel of a path from x + iy on.
enum class Way { along, up, down };  // the real axis, or a parallel to the imaginary one
struct Panel {
  double x, y, length;  // a panel that leads down is told from its lower end
  Way way;

  Box box() const { return way == Way::along ? Box{x, x + length, y, y} : Box{x, x, y, y + length}; }
  Panel part(int i, int of) const {
    const double begin = length * i / of;
    return {way == Way::along ? x + begin : x, way == Way::along ? y : y + begin, length / of, way};
  }
};

// Ellipses whose foci are the ends of the panel are this wide, and lie in the box.
constexpr double axis = 5;
Box around(const Panel& p) {
  const double wider = 1 + 1e-9;  // than rounding could make it narrower
  const double along = p.length / 4 * (axis + 1 / axis) * wider, across = p.length / 4 * (axis - 1 / axis) * wider;
  if (p.way == Way::along) return {p.x + p.length / 2 - along, p.x + p.length / 2 + along, p.y - across, p.y + across};
  const double middle = p.y + p.length / 2;
  return {p.x - across, p.x + across, middle - along, middle + along};
}

// In the box phi(t) |rho|^{1+c} and phi(t) |rho|^{-c} are at most e^this/sqrt(2 pi) in modulus, if mu |Im s| < pi/2:
// |rho| is between 1 - p + p e^{mu Re s} cos(mu Im s) and its value at Re s.
template <Real R>
R log_most(const SampledGaussian& m, const Box& b, double c, const R& p, const R& mu) {
  const R off = R(std::max(std::abs(b.low), std::abs(b.high))), right(b.right), left(b.left);
  const R ahead = (1 + R(c)) * log(1 - p + p * exp(mu * right));
  const R behind = -R(c) * log(1 - p + p * exp(mu * left) * solvers::sine_cosine<R>(mu * off).cosine);
  const R near = max(R(0), max(R(left + mu / 2), R(-right - mu / 2)));
  return (off * off - near * near) / 2 + (!m.behind ? ahead : !m.ahead ? behind : max(ahead, behind));
}

// The argument of rho, of the sign of Im s, grows in modulus with Re s and with |Im s|. |rho^{iy}| is e^{-y arg rho}:
// for 0 <= y <= reach at most e^{reach times this} in the box.
template <Real R>
R most_below(const Box& b, const R& p, const R& mu) {
  if (b.low >= 0) return R(0);
  const R depth = -R(b.low), high = p * exp(mu * R(b.right));
  const auto [sine, cosine] = solvers::sine_cosine<R>(mu * depth);
  return min(R(mu * depth), R(high * sine / (1 - p + high * cosine)));
}
// And above the real axis at most e^{-y times this}, as x/(1+x^2/3) <= atan x.
template <Real R>
R least_above(const Box& b, const R& p, const R& mu) {
  if (b.low <= 0) return R(0);
  const R high = p * exp(mu * R(b.left));
  const auto [sine, cosine] = solvers::sine_cosine<R>(mu * R(b.low));
  const R x = min(R(1), R(high * sine / (1 - p + high * cosine)));
  return x / (1 + x * x / 3);
}

// A path between two points of the real axis, cut into panels for Gauss's rule: along the axis where the phases turn
// little, else up, along a parallel and down again, where they fade. All ends are multiples of 2^-40 below 64, so that
// panels and their sixteenths meet exactly.
class Path {
 public:
  Path(const SampledGaussian& m, double c, double reach)
      : m_(m), c_(c), reach_(reach), nats_(static_cast<double>(Ball::precision()) * 0.6932 + 10) {}

  // The one of fewer panels.
  void shorter(double from, double to) {
    Path straight = *this;
    raised(from, to);
    straight.along(from, to, 0, panels_.size());
    if (straight.panels_.size() < panels_.size()) panels_ = straight.panels_, idle_ = straight.idle_;
  }
  void raised(double from, double to) {
    if (!(from < to)) return;
    const double height = std::ldexp(std::floor(std::ldexp(std::min(0.7 / m_.shift, 1.5), 20)), -20);
    upright(from, height, Way::up);
    along(from, to, height, SIZE_MAX);
    upright(to, height, Way::down);
  }

  Tilted tilted() const {
    const Ball root = sqrt(2 * Ball::pi()), laws(m_.ahead && m_.behind ? 2 : 1);
    Tilted out;
    for (const Panel& p : idle_) out.error += laws * Ball(p.length) * exp(log_most<Ball>(m_, p.box(), c_, m_.p, m_.mu));
    for (const Panel& p : panels_) {
      const Box b = around(p);
      const Ball most = log_most<Ball>(m_, b, c_, m_.p, m_.mu) + Ball(reach_) * most_below<Ball>(b, m_.p, m_.mu);
      out.error += laws * gauss_error(points(), Ball(axis)) * Ball(p.length) / 2 * exp(most);
      add(out.nodes, p, root);
    }
    out.error = out.error / root;
    return out;
  }

  // What the integral is below for every y >= the reach.
  template <Real R>
  R fading(const R& p, const R& mu) const {
    constexpr int parts = 16;
    R sum(0);
    for (const auto* list : {&idle_, &panels_})
      for (const Panel& panel : *list)
        for (int i = 0; i < parts; ++i) {
          const Panel part = panel.part(i, parts);
          const R most = log_most<R>(m_, part.box(), c_, p, mu) - R(reach_) * least_above<R>(part.box(), p, mu);
          sum += R(part.length) * exp(most);
        }
    return sum * R(0.4) * (m_.ahead && m_.behind ? 2 : 1);  // 1/sqrt(2 pi) < 0.4
  }

 private:
  static constexpr double growth = 15;  // of the integrand in the ellipse
  int points() const { return static_cast<int>((nats_ + growth) / (2 * std::log(axis))) + 1; }

  double log_most_in(const Box& b) const {
    spend(30);  // balls count what they cost, doubles do not
    return log_most<double>(m_, b, c_, m_.rate, m_.shift);
  }

  // Left out where it does not matter. It ends early when it has too many panels.
  void along(double from, double to, double y, std::size_t most) {
    for (double s = from; s < to && panels_.size() < most;) {
      const double tail = to - s, idle = std::min(1.0, tail);
      if (log_most_in({s, s + idle, y, y}) < -nats_)
        idle_.push_back({s, y, idle, Way::along}), s += idle;
      else
        s += append({s, y, std::min(1.5, 1 / m_.shift), Way::along}, tail);
    }
  }
  void upright(double x, double height, Way way) {
    if (log_most_in({x, x, 0, height}) < -nats_) {
      idle_.push_back({x, 0, height, way});
      return;
    }
    for (double y = 0; y < height;) y += append({x, y, height, way}, height - y);
  }
  // One panel, as long as the ellipse around it allows; returns its length.
  double append(Panel p, double tail) {
    const double here = log_most_in({p.x, p.x, p.y, p.y});
    const auto allowed = [&] {
      const Box b = around(p);
      if (m_.shift * std::max(b.high, -b.low) > 1.5) return false;
      const double most = log_most_in(b) + reach_ * most_below<double>(b, m_.rate, m_.shift);
      return most <= std::max(0.0, here) + growth;
    };
    p.length = std::min(p.length, 2 * last_length_);  // neighbours are alike
    while (p.length > 1e-9 && !allowed()) p.length *= 0.75;
    last_length_ = p.length;
    spend(300);  // there can be a thousand million of them
    p.length = std::min(std::ceil(std::ldexp(p.length, 40)) * 0x1p-40, tail);
    panels_.push_back(p);
    return p.length;
  }

  void add(std::vector<Tilted::Node>& nodes, const Panel& p, const Ball& root) const {
    const auto known = gauss_rule(points());
    const GaussRule& rule = *known;
    const Ball half = Ball(p.length) / 2;
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      const Ball by = half + half * rule.node[k], weight = half * rule.weight[k] / root;
      const ComplexBall s =
          p.way == Way::along ? ComplexBall(Ball(p.x) + by, Ball(p.y)) : ComplexBall(Ball(p.x), Ball(p.y) + by);
      const ComplexBall ds =
          p.way == Way::along ? ComplexBall(weight) : ComplexBall(Ball(0), p.way == Way::up ? weight : -weight);
      const ComplexBall t = s + ComplexBall(m_.mu / 2), l = log1p(expm1(s * m_.mu) * m_.p);
      const ComplexBall mass = ds * exp(-t * t / 2);
      nodes.push_back({l, m_.ahead ? mass * exp(l * (1 + Ball(c_))) : ComplexBall(0),
                       m_.behind ? mass * exp(l * -Ball(c_)) : ComplexBall(0)});
    }
  }

  const SampledGaussian& m_;
  double c_, reach_, nats_, last_length_ = 64;
  std::vector<Panel> panels_, idle_;
};

Ball atom(const SampledGaussian& m) { return (1 - m.p) * (1 - 2 * normal_cdf(-m.mu / 2)); }

struct Ends {
  double from, to;
};
Tilted tilted(const SampledGaussian& m, double c, double reach, const Ends& ends, bool with_atom) {
  Path path(m, c, reach);
  path.shorter(ends.from, ends.to);
  Tilted out = path.tilted();
  if (with_atom) out.nodes.push_back({Ball(0), atom(m), Ball(0)});
  return out;
}

// No loss of s on the body's side of this, which is left of it if large losses are ahead, exceeds `body` >= 0.
double border(const SampledGaussian& m, double body) {
  constexpr double unit = 0x1p-20;
  const double sign = m.ahead ? 1 : -1, inside = std::expm1(sign * body) / m.rate;
  const double near = inside <= -1 ? m.first : std::clamp(std::log1p(inside) / m.shift, m.first, m.last);
  double s = std::round(near / unit) * unit;
  while ((m.ahead ? s > m.first : s < m.last) && !certainly(Ball(sign) * m.loss(Ball(s)) <= Ball(body)))
    s -= sign * unit;
  return s;
}
Ends body_of(const SampledGaussian& m, double body) {
  const double s = border(m, body);
  return m.ahead ? Ends{m.first, s} : Ends{s, m.last};
}
Ends tail_of(const SampledGaussian& m, double body) {
  const double s = border(m, body);
  return m.ahead ? Ends{s, m.last} : Ends{m.first, s};
}
Path fading_path(const SampledGaussian& m, double c, double from, double body) {
  const Ends ends = tail_of(m, body);
  Path path(m, c, from);
  path.raised(ends.from, ends.to);
  return path;
}

// The density of the loss l(s) is that of s divided by l'. Each factor is monotone on either side of its top.
std::vector<DensityStep> density_steps(const SampledGaussian& m, double c) {
  std::vector<DensityStep> right, left;
  const double count = std::ceil(10 * std::max(1.0, m.shift)), parts = count * (m.last - m.first);
  for (double i = 0; i < parts; ++i) {
    const Ball from = Ball(m.first) + Ball(i) / Ball(count), to = Ball(m.first) + (Ball(i) + 1) / Ball(count);
    const Ball low = m.loss(from), high = m.loss(to);
    const Ball least = min(m.density(from), m.density(to)) / m.slope(to);
    if (m.ahead) right.push_back({low, high, least * exp((1 + Ball(c)) * low)});
    if (m.behind) left.push_back({-high, -low, least * exp(-Ball(c) * high)});
  }
  std::vector<DensityStep> out(left.rbegin(), left.rend());
  out.insert(out.end(), right.begin(), right.end());
  return out;
}

// Mass of P beyond the ends.
Ball missing(const SampledGaussian& m) {
  const auto beyond = [&](double s, int side) {
    const Ball t = m.mu / 2 + Ball(s), plain = normal_cdf(side * -t);
    Ball sum;
    if (m.ahead) sum += (1 - m.p) * plain + m.p * normal_cdf(side * (m.mu - t));
    if (m.behind) sum += plain;
    return sum;
  };
  return m.whole_line ? beyond(m.last, 1) + beyond(m.first, -1) : beyond(m.last, 1);
}

MomentLaw moments(SampledGaussian m, double log_neglected, double T) {
  const double spread = std::sqrt(-2 * log_neglected);
  m.last = std::ceil(spread);
  if (m.whole_line) m.first = -m.last - std::ceil(m.shift);
  while (!certainly(missing(m) < exp(Ball(log_neglected)))) ++m.last, m.first -= m.whole_line ? 1 : 0;
  MomentLaw law{
      .tilted =
          [m](double c, double reach) {
            return tilted(m, c, reach, {m.first, m.last}, !m.whole_line);
          },
      .density_steps = [m](double c) { return density_steps(m, c); },
      .loss = {},
      .log_mass = {},
      .missing = missing(m),
      .times = T,
      .body = [m](double c, double reach, double body) { return tilted(m, c, reach, body_of(m, body), !m.whole_line); },
      .tail = [m](double c, double reach, double body) { return tilted(m, c, reach, tail_of(m, body), false); },
      .tail_beyond = [m](double c, double from,
                         double body) { return fading_path(m, c, from, body).fading<Ball>(m.p, m.mu); },
      .rough_tail_beyond = [m](double c, double from,
                               double body) { return fading_path(m, c, from, body).fading<double>(m.rate, m.shift); }};
  const double panels = 2 * std::ceil(std::max(1.0, m.shift)), half = 0.5 / panels, root = std::sqrt(2 * M_PI);
  const auto known = gauss_rule(8);
  const GaussRule& rule = *known;
  for (double middle = m.first + half; middle < m.last; middle += 2 * half)
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      const double s = middle + half * rule.node[k].midpoint(), t = m.shift / 2 + s, l = m.loss(s);
      const double log_mass = std::log(half * rule.weight[k].midpoint() / root) - t * t / 2;
      if (m.ahead) law.loss.push_back(l), law.log_mass.push_back(log_mass + l);
      if (m.behind) law.loss.push_back(-l), law.log_mass.push_back(log_mass);
    }
  if (!m.whole_line) law.loss.push_back(0), law.log_mass.push_back(log(atom(m)).midpoint());
  return law;
}

MomentLaws repeated(const Ball& p, const Ball& mu, double T, bool ahead, bool behind) {
  const SampledGaussian m{.p = p, .mu = mu, .ahead = ahead, .behind = behind, .whole_line = !(ahead && behind)};
  return [m, T](double log_neglected) { return std::vector{moments(m, log_neglected, T)}; };
}

}  // namespace

MomentLaws subsampled_gaussian_moments(const Ball& p, const Ball& mu, double T) {
  return repeated(p, mu, T, true, true);
}
MomentLaws poisson_removed_moments(const Ball& p, const Ball& mu, double T) { return repeated(p, mu, T, true, false); }
MomentLaws poisson_added_moments(const Ball& p, const Ball& mu, double T) { return repeated(p, mu, T, false, true); }

}  // namespace epsilary::bounds::dpsgd
