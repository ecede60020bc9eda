#include "solvers/contour.hpp"

#include <complex>
#include <tuple>

#include "solvers/contour_phases.hpp"
#include "solvers/crossing.hpp"
#include "solvers/pld_outlook.hpp"

namespace solvers {
namespace {

using namespace contour;
using pld::Aim;
using pld::Outlook;

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

// The integral by the trapezoidal rule on z = c + i h k, k = 0, 1, ..., J, with M(z) = E_P e^{zX} of the whole
// composition: the infinite sum is sum_m e^{2 pi m c/h} delta(eps + 2 pi m/h), all terms of it positive.
struct Plan {
  double c, h, last;  // last = J
  double beyond;      // order of Chernoff's bound for the terms m > 0
  long bits;          // the sum may be much smaller than its terms: the bits of the terms that this takes
  double work;        // products of phases, those of many bits counted as many times as they take longer
};
constexpr long least_bits = 128;

class Contour {
 public:
  Contour(const std::vector<MomentLaw>& laws, const Plan& plan) : c_(plan.c), h_(plan.h), beyond_(plan.beyond) {
    const auto count = static_cast<std::size_t>(plan.last) + 1;
    terms_ = std::vector<Complex>(count);
    for (Complex& t : terms_) acb_one(t.z);
    log_truncation_ = -log(Ball::pi() * h_ * Ball(plan.last));
    for (const MomentLaw& law : laws) {
      const Tilted here = law.tilted(plan.c, plan.h * plan.last);
      Phases phases(here, plan.h, plan.bits > least_bits);
      for (Complex& t : terms_) multiply(t, phases, law.times);
      const Ball mass = total(here), least = shortfall(pile_up(law.stairs(plan.c)), h_ * Ball(plan.last));
      log_truncation_ += Ball(law.times) * log(mass - least);
      log_beyond_ += Ball(law.times) * log(total(law.tilted(plan.c + plan.beyond, 0)));
      missing_ += Ball(law.times) * law.missing;
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
    Ball scale;
    arb_set(scale.arb(), acb_realref(terms_[0].z));
    log_scale_ = log(scale).midpoint();
    for (const Complex& t : terms_) {
      acb_div_arb(w.z, t.z, scale.arb(), Ball::precision());
      rough_.emplace_back(arf_get_d(arb_midref(acb_realref(w.z)), ARF_RND_NEAR),
                          arf_get_d(arb_midref(acb_imagref(w.z)), ARF_RND_NEAR));
    }
    // Chernoff at theta: delta(x) <= e^{-theta x} M(theta) theta^theta / (1 + theta)^{1 + theta}
    const Ball theta = c_ + beyond_;
    log_beyond_ += theta * log(theta) - (1 + theta) * log(1 + theta);
    const auto geometric = [&](const Ball& a) {
      return 1 / expm1(2 * Ball::pi() * a / h_);
    };  // e^{-2 pi m a/h} over m >= 1
    log_beyond_ += log(geometric(beyond_));
    below_ = geometric(c_);
  }

  // The finite sum and its slope in eps.
  struct At {
    Ball sum, slope;
  };
  At at(const Ball& eps) const {
    Complex phase, term;
    const Ball angle = -h_ * eps;
    Ball sum, turned;  // sums of F and of y Im F
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      // not by turning the last phase: products of complex balls widen by up to sqrt(2) each
      const Ball all = angle * Ball(k), y = h_ * Ball(k);
      arb_sin_cos(acb_imagref(phase.z), acb_realref(phase.z), all.arb(), Ball::precision());
      acb_mul(term.z, terms_[k].z, phase.z, Ball::precision());
      arb_add(sum.arb(), sum.arb(), acb_realref(term.z), Ball::precision());
      arb_addmul(turned.arb(), acb_imagref(term.z), y.arb(), Ball::precision());
    }
    const Ball scale = exp(-c_ * eps) * h_ / Ball::pi();
    return {scale * sum, scale * (turned - c_ * sum)};
  }
  // The logarithm of the sum, in double where its terms leave enough of it.
  double log_sum(double eps) const {
    const double h = h_.midpoint();
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < rough_.size(); ++k) {
      const double angle = -h * eps * static_cast<double>(k);
      sum += rough_[k].real() * std::cos(angle) - rough_[k].imag() * std::sin(angle);
      size += std::abs(rough_[k].real()) + std::abs(rough_[k].imag());
    }
    if (sum > 1e-9 * size) return std::log(sum * h / M_PI) + log_scale_ - c_.midpoint() * eps;
    const Ball exact = at(Ball(eps)).sum;
    return exact > 0 ? log(exact).midpoint() : -1e3;
  }
  // How far the enclosure of delta reaches to either side of the sum, at most.
  Ball margin(const Ball& eps) const { return truncation(eps) + max(aliases(eps), missing_); }
  Ball delta(const Ball& eps) const {
    const Ball sum = at(eps).sum, cut = truncation(eps);
    return max(Ball(0), Ball::hull(sum - cut - aliases(eps), sum + cut + missing_));
  }

 private:
  Ball truncation(const Ball& eps) const { return exp(log_truncation_ - c_ * eps); }
  // The terms m < 0, where delta <= 1, and m > 0.
  Ball aliases(const Ball& eps) const { return below_ + exp(log_beyond_ - (c_ + beyond_) * eps); }

  static void multiply(Complex& out, Phases& phases, double times) {
    Complex m, power;
    const Ball T(times);
    phases.next(m.z);
    acb_log(power.z, m.z, Ball::precision());
    acb_mul_arb(power.z, power.z, T.arb(), Ball::precision());
    acb_exp(power.z, power.z, Ball::precision());
    if (!acb_is_finite(power.z)) acb_pow_ui(power.z, m.z, static_cast<ulong>(times), Ball::precision());
    acb_mul(out.z, out.z, power.z, Ball::precision());
  }

  Ball c_, h_, beyond_;
  std::vector<Complex> terms_;
  Ball log_truncation_, log_beyond_, below_, missing_;
  std::vector<std::complex<double>> rough_;  // the terms divided by e^{log_scale}, to search with
  double log_scale_ = 0;
};

// The laws cut for a delta, and how they look from far.
struct Work {
  std::vector<MomentLaw> laws;
  Outlook outlook;

  // What all of them leave out together is below e^{log_neglected}.
  Work(const MomentLaws& uncut, double log_neglected) {
    double rounds = 0;
    for (const MomentLaw& law : uncut(log_neglected)) rounds += law.times;
    laws = uncut(log_neglected - std::log(rounds));
    for (const MomentLaw& law : laws) {
      Outlook::Part& part = outlook.parts.emplace_back(Outlook::Part{law.times, {}, {}});
      for (std::size_t i = 0; i < law.loss.size(); ++i)
        if (law.mass[i] > 1e-290) part.loss.push_back(law.loss[i]), part.p.push_back(law.mass[i]);
    }
  }
};

// A line such that what is left out is below e^{log_tolerated}, found in double.
class Planner {
 public:
  Planner(const Work& work, double eps, double log_tolerated, double most_work)
      : laws_(work.laws), outlook_(work.outlook), eps_(eps), log_tolerated_(log_tolerated), most_work_(most_work) {}

  // Where moments explode to the right of the saddle, the longest steps are possible on a line left of it; where few
  // losses are added, the sum is the shorter the nearer to the saddle.
  std::optional<Plan> around(double saddle) const {
    const auto f = [&](double u) { return period(std::exp(u)).first; };
    const double top = std::log(saddle), longest = minimise<double>(f, top - 2, top + 0.5, 16).at.value;
    std::optional<Plan> best;
    double least = most_work_;
    for (const double share : {0.0, 0.5, 1.0}) {
      Plan p{.c = std::exp(longest + share * (top - longest)), .h = 0, .last = 0, .beyond = 0, .bits = 0, .work = 0};
      std::tie(p.h, p.beyond) = period(p.c);
      p.h = 2 * M_PI / p.h;
      p.work = draw(p, least);
      if (p.work < least) best = p, least = p.work;
      if (least < 1e6) break;
    }
    return best;
  }

 private:
  // Chernoff at c + a puts the terms m > 0 below the tolerance when 2 pi/h is at least this, for the best a; the terms
  // m < 0 ask for -log_tolerated/c.
  std::pair<double, double> period(double c) const {
    const auto above = [&](double u) {
      const double a = std::exp(u);
      return (outlook_.cumulant(c + a)[0] - (c + a) * eps_ - log_tolerated_) / a;
    };
    const auto best = minimise<double>(above, std::log(c) - 6, std::log(c) + 2, 24);
    return {std::max(1.01 * best.value, -log_tolerated_ / c), std::exp(best.at.value)};
  }

  // Finds the length of the line; returns the products of phases it takes, or too many.
  double draw(Plan& p, double most) const {
    std::vector<std::vector<Layer>> piles;
    std::vector<double> mass;
    double nodes = 0, turns = 0;  // a phase turns by its loss times the height on the line, and turns need nodes
    for (const MomentLaw& law : laws_) {
      const Tilted here = law.tilted(p.c, 0);
      piles.push_back(pile_up(law.stairs(p.c)));
      mass.push_back(total(here).midpoint());
      nodes += static_cast<double>(here.nodes.size());
      if (here.nodes.size() > 1) turns += 1.2 * farthest(here);
    }
    const double log_scale = outlook_.cumulant(p.c)[0] - p.c * eps_;
    const auto left_out = [&](double Y) {
      double sum = log_scale - std::log(M_PI * Y);
      for (std::size_t i = 0; i < laws_.size(); ++i)
        sum += laws_[i].times * std::log1p(-shortfall(piles[i], Ball(Y)).midpoint() / mass[i]);
      return sum;
    };
    const auto work = [&](double Y) { return Y / p.h * (nodes + turns * Y); };
    double low = p.h, high = p.h;
    for (; left_out(high) > log_tolerated_; high *= 2) {
      if (work(high) > most) return HUGE_VAL;
      low = high;
    }
    for (int i = 0; i < 6 && low < high; ++i) {
      const double middle = std::sqrt(low * high);
      (left_out(middle) > log_tolerated_ ? low : high) = middle;
    }
    p.last = std::ceil(high / p.h) + 1;
    // Every moment is wrong by some units of rounding, its power T times as much; this may take a larger share.
    double rounds = 0;
    for (const MomentLaw& law : laws_) rounds += law.times;
    const double units = rounds * (6 * p.last + 2 * (nodes + turns * high) + 16);
    const double needed = (log_scale + std::log(units) - log_tolerated_) / std::log(2.0) - 4;
    if (needed < -std::log2(Phases::wide_unit)) {
      p.bits = least_bits;
      return work(high);
    }
    p.bits = least_bits + static_cast<long>(needed);
    return 60 * work(high);
  }

  const std::vector<MomentLaw>& laws_;
  const Outlook& outlook_;
  double eps_, log_tolerated_, most_work_;
};

// The error tolerated in delta, for a relative width of delta or of eps.
double log_tolerance(const Aim& aim, double width) {
  return std::log(0.02 * width * std::min(1.0, aim.theta * aim.eps + 0.01)) + aim.log_delta;
}

// The eps at which the contour comes down to delta, and two around it that were tried.
struct Solution {
  double near = 0;
  Ball proved = unknown<Ball>();
};
Solution solve(const Contour& contour, const Ball& delta, double guess) {
  const double log_delta = log(delta).midpoint();
  const auto excess = [&](double e) { return contour.log_sum(e) - log_delta; };
  double high = std::max(guess, 1e-12);
  for (int i = 0; i < 60 && excess(high) > 0; ++i) high *= 2;
  const double near = excess(0) <= 0 ? 0 : find_root<double>(excess, 0, high, 100).value;
  if (near <= 0) return {0, contour.delta(Ball(0)) <= delta ? Ball(0) : unknown<Ball>()};
  const Contour::At at = contour.at(Ball(near));
  const Ball e = Ball((Ball(near) - log(at.sum / delta) * at.sum / at.slope).midpoint());
  Ball reach = abs(contour.margin(e) / at.slope) + ldexp(e, -56);
  for (int i = 0; i < 60; ++i, reach = 2 * reach) {
    const Ball low = max(Ball(0), e - reach), up = e + reach;
    if (contour.delta(up) <= delta && (low.is_zero() || contour.delta(low) > delta)) return {near, Ball::hull(low, up)};
  }
  return {near, unknown<Ball>()};
}

}  // namespace

Ball contour_delta(const MomentLaws& laws, const Ball& eps, const ContourEffort& effort) {
  const auto [width, most_work] = effort;
  const Ball::Precision scope(least_bits);
  Ball best = unknown<Ball>();
  double log_delta = -60;
  for (int pass = 0; pass < 6; ++pass) {  // delta is guessed at first; the next lines are drawn for what was found
    const Work work(laws, log_delta + std::log(0.02 * width));
    Aim aim = pld::aim(work.outlook, {eps, {}});
    if (best.finite()) aim.log_delta = log_delta;
    if (!best.finite() && aim.log_delta < log_delta) {
      log_delta = 1.5 * aim.log_delta;
      continue;
    }
    log_delta = aim.log_delta;
    const auto line = Planner(work, eps.midpoint(), log_tolerance(aim, width), most_work).around(aim.theta);
    if (!line) break;
    const Ball::Precision finer(line->bits);
    best = Contour(work.laws, *line).delta(eps);
    if (best.upper() - best.lower() <= width * best.upper() || !(best.lower() > 0)) break;
    log_delta = log(best.lower_end()).midpoint();
  }
  return best;
}

Ball contour_epsilon(const MomentLaws& laws, const Ball& delta, const ContourEffort& effort) {
  const auto [width, most_work] = effort;
  const Ball::Precision scope(least_bits);
  const double log_delta = log(delta).midpoint();
  const Work work(laws, log_delta + std::log(0.01 * width));
  Aim aim = pld::aim(work.outlook, {{}, delta});
  aim.log_delta = log_delta;
  Ball best = unknown<Ball>();
  for (int pass = 0; pass < 4; ++pass) {  // the first line is drawn for a guess of eps, the next ones for what it gave
    const auto draw = [&](double narrow, double most) {
      return Planner(work, aim.eps, log_tolerance(aim, narrow), most).around(aim.theta);
    };
    auto line = draw(width, pass == 0 ? std::min(most_work, 1e7) : most_work);
    if (!line && pass == 0) line = draw(std::max(width, 0.03), most_work);  // a long one, and not for a mere guess
    if (!line) break;
    const Ball::Precision finer(line->bits);
    const auto [near, found] = solve(Contour(work.laws, *line), delta, aim.eps);
    if (found.finite()) best = found;
    if (found.upper() - found.lower() <= width * found.upper() || near <= 0) break;
    aim = pld::aim(work.outlook, {Ball(near), {}});
    aim.log_delta = log_delta;
  }
  return best;
}

// The line is drawn for the last eps, where delta is least; farther left it is too long, and as good.
std::vector<Ball> contour_profile(const MomentLaws& laws, const std::vector<double>& eps, const ContourEffort& effort) {
  const Ball::Precision scope(least_bits);
  std::vector<Ball> out(eps.size(), Ball::hull(Ball(0), Ball(1)));
  if (eps.empty()) return out;
  const Aim guess = pld::aim(Work(laws, -60).outlook, {Ball(eps.back()), {}});
  const Work work(laws, guess.log_delta + std::log(0.01 * effort.width));
  const Aim aim = pld::aim(work.outlook, {Ball(eps.back()), {}});
  const auto line = Planner(work, eps.back(), log_tolerance(aim, effort.width), effort.most_work).around(aim.theta);
  if (!line) return out;
  const Ball::Precision finer(line->bits);
  const Contour contour(work.laws, *line);
  for (std::size_t i = 0; i < eps.size(); ++i) out[i] = contour.delta(Ball(eps[i]));
  return out;
}

}  // namespace solvers
