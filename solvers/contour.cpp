#include "solvers/contour.hpp"

#include <complex>

#include "solvers/crossing.hpp"
#include "solvers/pld_outlook.hpp"

namespace solvers {
namespace {

using pld::Aim;
using pld::Outlook;
using pld::Target;
using Wide = long double;
constexpr double unit = std::numeric_limits<Wide>::epsilon() / 2;
constexpr double most_work = 4e8;  // products of phases

// The largest |sin v / v| for v >= u: it falls to zero at pi, and no lobe beyond reaches 0.2173.
Ball sinc_beyond(const Ball& u) {
  const Ball lobe(0.2173);
  if (!(u < Ball(3))) return min(lobe, 1 / u);
  Ball s;
  arb_sinc(s.arb(), u.arb(), Ball::precision());
  return max(s, lobe);
}

// A density above stairs is above a pile of uniform ones: |E e^{iyX}| is smaller than its mass by at least
// mass (1 - |sinc(y half)|) for every layer of the pile.
struct Layer {
  Ball half, mass;
};
std::vector<Layer> pile_up(const std::vector<Stair>& stairs) {
  std::vector<Layer> layers;
  if (stairs.empty()) return layers;
  const auto height = [&](std::size_t i) { return stairs[i].density.lower(); };
  std::size_t first = 0;
  for (std::size_t i = 0; i < stairs.size(); ++i)
    if (height(i) > height(first)) first = i;
  std::size_t last = first;
  double level = height(first);
  while (level > 0) {  // widen towards the higher neighbour; what the level falls by is one layer
    const double left = first > 0 ? height(first - 1) : 0, right = last + 1 < stairs.size() ? height(last + 1) : 0;
    const double next = std::min(level, std::max(left, right));
    const Ball length = stairs[last].to - stairs[first].from;
    if (next < level) layers.push_back({length / 2, length * (Ball(level) - Ball(next))});
    level = next;
    if (left >= right && first > 0)
      --first;
    else
      ++last;
  }
  return layers;
}
// What |E e^{(c+iy)X}| falls short of E e^{cX} by, at least, for every y >= from.
Ball shortfall(const std::vector<Layer>& layers, const Ball& from) {
  Ball sum;
  for (const Layer& l : layers) sum += l.mass * max(Ball(0), 1 - sinc_beyond(from * l.half));
  return sum;
}

struct Complex {
  acb_t z;
  Complex() { acb_init(z); }
  Complex(Complex&& other) noexcept : Complex() { acb_swap(z, other.z); }
  Complex(const Complex&) = delete;
  Complex& operator=(const Complex&) = delete;
  ~Complex() { acb_clear(z); }
};

Ball total(const Tilted& law) {
  Ball sum = law.error;
  for (const auto& n : law.nodes) sum += n.ahead + n.behind;
  return sum;
}

// The largest loss that matters.
double farthest(const Tilted& law) {
  double most = 0;
  for (const auto& n : law.nodes)
    if ((n.ahead + n.behind).midpoint() > 1e-30) most = std::max(most, std::abs(n.loss.midpoint()));
  return most;
}

// e^{ih loss} of every node, turned on step by step. A product of complex numbers is wrong by less than 3 units of
// rounding, the first factor by less than 2, so after k steps a phase is wrong by less than 6 k units, and a sum of n
// phases with weights by less than 6 k + 2 n + 16 units of the sum of the weights.
class Phases {
 public:
  Phases(const Tilted& law, double h) : error_(law.error), mass_(total(law)) {
    const auto wide = [](const Ball& x) {
      const double head = x.midpoint();
      return static_cast<Wide>(head) + static_cast<Wide>((x - Ball(head)).midpoint());
    };
    for (const auto& node : law.nodes) {
      Ball sine, cosine;
      const Ball angle = Ball(h) * node.loss;
      arb_sin_cos(sine.arb(), cosine.arb(), angle.arb(), Ball::precision());
      nodes_.push_back(
          {1, 0, wide(cosine), wide(sine), wide(node.ahead + node.behind), wide(node.ahead - node.behind)});
    }
  }
  std::size_t size() const { return nodes_.size(); }

  // The moment at the next point of the line.
  void next(acb_t out) {
    Wide re = 0, im = 0;
    for (Node& n : nodes_) {
      re += n.even * n.re;
      im += n.odd * n.im;
      const Wide x = n.re * n.step_re - n.im * n.step_im;
      n.im = n.re * n.step_im + n.im * n.step_re;
      n.re = x;
    }
    const auto set = [](arb_t x, Wide value) {
      const double head = static_cast<double>(value);
      arb_set_d(x, head);
      Ball rest(static_cast<double>(value - static_cast<Wide>(head)));
      arb_add(x, x, rest.arb(), Ball::precision());
    };
    set(acb_realref(out), re);
    set(acb_imagref(out), im);
    const double n = static_cast<double>(nodes_.size());
    const Ball wrong = error_ + mass_ * Ball(unit) * Ball(6 * steps_++ + 2 * n + 16);
    arb_add_error(acb_realref(out), wrong.arb());
    arb_add_error(acb_imagref(out), wrong.arb());
  }

 private:
  struct Node {
    Wide re, im, step_re, step_im, even, odd;
  };
  std::vector<Node> nodes_;
  Ball error_, mass_;
  double steps_ = 0;
};

// The integral by the trapezoidal rule on z = c + i h k, k = 0, 1, ..., J, with M(z) = E_P e^{zX} of the whole
// composition: the infinite sum is sum_m e^{2 pi m c/h} delta(eps + 2 pi m/h), all terms of it positive.
struct Plan {
  double c, h, last;  // last = J
  double beyond;      // order of Chernoff's bound for the terms m > 0
};

class Contour {
 public:
  Contour(const std::vector<MomentLaw>& laws, const Plan& plan) : c_(plan.c), h_(plan.h), beyond_(plan.beyond) {
    const auto count = static_cast<std::size_t>(plan.last) + 1;
    terms_ = std::vector<Complex>(count);
    for (Complex& t : terms_) acb_one(t.z);
    log_truncation_ = -log(Ball::pi() * h_ * Ball(plan.last));
    for (const MomentLaw& law : laws) {
      const Tilted here = law.tilted(plan.c, plan.h * plan.last);
      Phases phases(here, plan.h);
      for (Complex& t : terms_) multiply(t, phases, law.times);
      const Ball mass = total(here), least = shortfall(pile_up(law.stairs(plan.c)), h_ * Ball(plan.last));
      log_truncation_ += Ball(law.times) * log(mass - least);
      log_beyond_ += Ball(law.times) * log(total(law.tilted(plan.c + plan.beyond, 0)));
    }
    Complex z, w;
    for (std::size_t k = 0; k < count; ++k) {  // divided by z (z + 1)
      arb_set(acb_realref(z.z), c_.arb());
      const Ball y = h_ * Ball(k);
      arb_set(acb_imagref(z.z), y.arb());
      acb_add_ui(w.z, z.z, 1, Ball::precision());
      acb_mul(w.z, w.z, z.z, Ball::precision());
      acb_div(terms_[k].z, terms_[k].z, w.z, Ball::precision());
    }
    acb_mul_2exp_si(terms_[0].z, terms_[0].z, -1);
    // Chernoff at theta: delta(x) <= e^{-theta x} M(theta) theta^theta / (1 + theta)^{1 + theta}
    const Ball theta = c_ + beyond_;
    log_beyond_ += theta * log(theta) - (1 + theta) * log(1 + theta);
  }

  // The finite sum and its slope in eps.
  struct At {
    Ball sum, slope;
  };
  At at(const Ball& eps) const {
    Complex turn, phase, term;
    const Ball angle = -h_ * eps;
    arb_sin_cos(acb_imagref(turn.z), acb_realref(turn.z), angle.arb(), Ball::precision());
    acb_one(phase.z);
    Ball sum, turned;  // sums of F and of y Im F
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      acb_mul(term.z, terms_[k].z, phase.z, Ball::precision());
      arb_add(sum.arb(), sum.arb(), acb_realref(term.z), Ball::precision());
      const Ball y = h_ * Ball(k);
      arb_addmul(turned.arb(), acb_imagref(term.z), y.arb(), Ball::precision());
      acb_mul(phase.z, phase.z, turn.z, Ball::precision());
    }
    const Ball scale = exp(-c_ * eps) * h_ / Ball::pi();
    return {scale * sum, scale * (turned - c_ * sum)};
  }
  Ball truncation(const Ball& eps) const { return exp(log_truncation_ - c_ * eps); }
  // The terms m < 0, where delta <= 1, and m > 0.
  Ball aliases(const Ball& eps) const {
    const auto geometric = [](const Ball& x) { return 1 / expm1(x); };  // e^-x + e^-2x + ...
    const Ball period = 2 * Ball::pi() / h_;
    return geometric(period * c_) + exp(log_beyond_ - (c_ + beyond_) * eps) * geometric(period * beyond_);
  }
  Ball delta(const Ball& eps) const {
    const Ball sum = at(eps).sum, cut = truncation(eps);
    return max(Ball(0), Ball::hull(sum - cut - aliases(eps), sum + cut));
  }

 private:
  static void multiply(Complex& out, Phases& phases, double times) {
    Complex m;
    phases.next(m.z);
    acb_pow_ui(m.z, m.z, static_cast<ulong>(times), Ball::precision());
    acb_mul(out.z, out.z, m.z, Ball::precision());
  }

  Ball c_, h_, beyond_;
  std::vector<Complex> terms_;
  Ball log_truncation_, log_beyond_;
};

// Step and length of the line such that what is left out is below e^{log_tolerated}, found in double.
std::optional<Plan> plan(const std::vector<MomentLaw>& laws, const Outlook& outlook, const Aim& aim,
                         double log_tolerated) {
  const double c = aim.theta;
  // Chernoff at c + a puts the terms m > 0 below the tolerance when 2 pi/h is at least this; some a asks for the least.
  const auto period = [&](double u) {
    const double a = std::exp(u);
    return (outlook.cumulant(c + a)[0] - (c + a) * aim.eps - log_tolerated) / a;
  };
  const auto best = minimise<double>(period, std::log(c) - 8, std::log(c) + 3, 60);
  Plan out{.c = c,
           .h = 2 * M_PI / std::max(1.01 * best.value, -log_tolerated / c),
           .last = 0,
           .beyond = std::exp(best.at.value)};
  std::vector<std::vector<Layer>> piles;
  std::vector<double> mass;
  double nodes = 0, turns = 0;  // a phase turns by its loss times the height on the line; each turn needs its nodes
  for (const MomentLaw& law : laws) {
    const Tilted here = law.tilted(out.c, 0);
    piles.push_back(pile_up(law.stairs(out.c)));
    mass.push_back(total(here).midpoint());
    nodes += static_cast<double>(here.nodes.size());
    if (here.nodes.size() > 1) turns += 4 * farthest(here);
  }
  const auto too_long = [&](double Y) { return Y / out.h * (nodes + turns * Y) > most_work; };
  const double log_scale = outlook.cumulant(out.c)[0] - out.c * aim.eps;
  const auto left = [&](double Y) {
    double sum = log_scale - std::log(M_PI * Y);
    for (std::size_t i = 0; i < laws.size(); ++i)
      sum += laws[i].times * std::log1p(-shortfall(piles[i], Ball(Y)).midpoint() / mass[i]);
    return sum;
  };
  double low = out.h, high = out.h;
  while (left(high) > log_tolerated) {
    low = high;
    high *= 2;
    if (too_long(high)) return {};
  }
  for (int i = 0; i < 6 && low < high; ++i) {
    const double middle = std::sqrt(low * high);
    (left(middle) > log_tolerated ? low : high) = middle;
  }
  out.last = std::ceil(high / out.h) + 1;
  return out;
}

Outlook outlook_of(const std::vector<MomentLaw>& laws) {
  Outlook out;
  for (const MomentLaw& law : laws) {
    Outlook::Part& part = out.parts.emplace_back(Outlook::Part{law.times, {}, {}});
    for (std::size_t i = 0; i < law.loss.size(); ++i)
      if (law.mass[i] > 1e-290) part.loss.push_back(law.loss[i]), part.p.push_back(law.mass[i]);
  }
  return out;
}

// The error tolerated in delta, for a relative width of delta or of eps.
double log_tolerance(const Aim& aim, double width) {
  return std::log(0.02 * width * std::min(1.0, aim.theta * aim.eps + 0.01)) + aim.log_delta;
}

constexpr long bits = 128;

}  // namespace

Ball contour_delta(const std::vector<MomentLaw>& laws, const Ball& eps, double width) {
  const Ball::Precision scope(bits);
  const Outlook outlook = outlook_of(laws);
  const Aim aim = pld::aim(outlook, {eps, {}});
  const auto line = plan(laws, outlook, aim, log_tolerance(aim, width));
  return line ? Contour(laws, *line).delta(eps) : unknown<Ball>();
}

Ball contour_epsilon(const std::vector<MomentLaw>& laws, const Ball& delta, double width) {
  const Ball::Precision scope(bits);
  const Outlook outlook = outlook_of(laws);
  const Aim aim = pld::aim(outlook, {{}, delta});
  const auto line = plan(laws, outlook, aim, log_tolerance(aim, width));
  if (!line) return unknown<Ball>();
  const Contour contour(laws, *line);
  const auto centre = [](const Ball& x) { return Ball(x.midpoint()); };
  // log delta is nearly linear where the saddle is: Newton's method on it from the guess.
  Ball e(aim.eps), slope;
  for (int i = 0; i < 30; ++i) {
    const auto [sum, fall] = contour.at(e);
    if (!(sum > 0) || !(fall < 0)) return unknown<Ball>();
    slope = fall;
    const Ball move = centre(log(sum / delta) * sum / fall);
    e = max(Ball(0), centre(e - move));
    if (abs(move) <= Ball(1e-16) * e || e.is_zero()) break;
  }
  if (e.is_zero() && contour.delta(e) <= delta) return Ball(0);
  Ball reach = abs((contour.truncation(e) + contour.aliases(e)) / slope) + ldexp(e, -60);
  for (int i = 0; i < 60; ++i, reach = 2 * reach) {
    const Ball low = max(Ball(0), e - reach), high = e + reach;
    const bool above = contour.delta(high) <= delta;
    if (above && (low.is_zero() || contour.delta(low) > delta)) return Ball::hull(low, high);
  }
  return unknown<Ball>();
}

}  // namespace solvers
