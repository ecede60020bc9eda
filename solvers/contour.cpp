#include "solvers/contour.hpp"

#include <bit>
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
//
// Where a few rare losses decide, M along the line is nearly what the many small ones give, which contribute nothing
// and do not fall. So a law may be divided, M = B + R with the core B: M^T - B^T belongs to the runs that have a loss
// of the rest, and those of the core alone are bounded by Chernoff; they give nothing at all if T times the largest is
// below eps.
struct Plan {
  double c = 0, h = 0, last = 0;  // last = J
  double beyond = 0;              // order of Chernoff's bound for the terms m > 0
  double core = -1;               // the largest loss of the core, if not negative
  double core_order = 0;          // of Chernoff's bound for it
  long bits = 0;                  // of the terms, which may be much larger than their sum
  bool fine = false;              // phases with all these bits, not in long double
  double work = HUGE_VAL;         // products of phases, those of many bits counted as many times as they take longer
};
constexpr long least_bits = 128;

// log of the largest e^{-theta x} (1 - e^{-(x - eps)}) e^{theta eps}: Chernoff's bound is delta(eps) <= M(theta) times
// e^{this - theta eps}.
template <class R>
R log_hockey_stick(const R& theta) {
  return theta * log(theta) - (1 + theta) * log(1 + theta);
}

class Contour {
 public:
  Contour(const std::vector<MomentLaw>& laws, const Plan& plan)
      : c_(plan.c), h_(plan.h), beyond_(plan.beyond), core_order_(plan.core_order) {
    terms_ = std::vector<ComplexBall>(static_cast<std::size_t>(plan.last) + 1, ComplexBall(1));
    log_truncation_ = -log(Ball::pi() * h_ * Ball(plan.last));
    for (const MomentLaw& law : laws) {
      if (plan.core >= 0)
        divide(law, plan);
      else
        multiply(law, plan);
      missing_ += Ball(law.times) * law.missing;
    }
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const ComplexBall z(c_, h_ * Ball(k));
      terms_[k] = terms_[k] / (z * (z + 1));
    }
    terms_[0] = terms_[0] / 2;
    const Ball scale = terms_[0].real();
    log_scale_ = log(scale).midpoint();
    for (const ComplexBall& t : terms_)
      rough_.emplace_back((t.real() / scale).midpoint(), (t.imag() / scale).midpoint());
    const auto geometric = [&](const Ball& a) {
      return 1 / expm1(2 * Ball::pi() * a / h_);
    };  // e^{-2 pi m a/h} over m >= 1
    log_beyond_ += log_hockey_stick(Ball(c_ + beyond_)) + log(geometric(beyond_));
    below_ = geometric(c_) * most_;
  }

  // The finite sum and its slope in eps.
  struct At {
    Ball sum, slope;
  };
  At at(const Ball& eps) const {
    // Phases of blocks times phases within a block; not one turned on and on: products of complex balls widen by up to
    // sqrt(2) each.
    constexpr std::size_t block = 64;
    const auto phase = [&](std::size_t k) {
      const Ball angle = -h_ * eps * Ball(k);
      ComplexBall out;
      arb_sin_cos(acb_imagref(out.acb()), acb_realref(out.acb()), angle.arb(), Ball::precision());
      return out;
    };
    std::vector<ComplexBall> within;
    for (std::size_t i = 0; i < block; ++i) within.push_back(phase(i));
    Ball sum, turned;  // sums of F and of y Im F
    ComplexBall far, term;
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      if (k % block == 0) far = phase(k);
      acb_mul(term.acb(), terms_[k].acb(), within[k % block].acb(), Ball::precision());
      acb_mul(term.acb(), term.acb(), far.acb(), Ball::precision());
      arb_add(sum.arb(), sum.arb(), acb_realref(term.acb()), Ball::precision());
      arb_addmul_ui(turned.arb(), acb_imagref(term.acb()), k, Ball::precision());
    }
    turned = turned * h_;
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
  Ball margin(const Ball& eps) const { return truncation(eps) + max(aliases(eps), missing_ + core(eps)); }
  Ball delta(const Ball& eps) const {
    const Ball sum = at(eps).sum, cut = truncation(eps);
    return max(Ball(0), Ball::hull(sum - cut - aliases(eps), sum + cut + missing_ + core(eps)));
  }

 private:
  Ball truncation(const Ball& eps) const { return exp(log_truncation_ - c_ * eps); }
  // The terms m < 0, where delta is at most the mass of all runs that count, and m > 0.
  Ball aliases(const Ball& eps) const { return below_ + exp(log_beyond_ - (c_ + beyond_) * eps); }
  // The runs of the core alone.
  Ball core(const Ball& eps) const {
    return eps >= farthest_core_ ? Ball(0) : min(Ball(1), exp(log_core_ - core_order_ * eps));
  }

  static ComplexBall power(const ComplexBall& m, double times) {
    const ComplexBall out = exp(log(m) * Ball(times));
    return out.finite() ? out : pow(m, static_cast<unsigned long>(times));
  }
  // (b + r)^n - b^n without cancellation.
  static ComplexBall power_gained(const ComplexBall& b, const ComplexBall& r, double times) {
    if (times > 64) {
      const ComplexBall out = power(b, times) * expm1(log1p(r / b) * Ball(times));
      if (out.finite()) return out;
    }
    const auto n = static_cast<unsigned long>(times);
    ComplexBall gained = r, all = b + r, low = b;  // all^k - low^k for the leading bits k of n
    const ComplexBall m = all;
    for (auto bit = std::bit_floor(n) >> 1; bit; bit >>= 1) {
      gained *= all + low;
      all *= all;
      low *= low;
      if (!(n & bit)) continue;
      gained = gained * m + low * r;
      all *= m;
      low *= b;
    }
    return gained;
  }
  void multiply(const MomentLaw& law, const Plan& plan) {
    const Tilted here = law.tilted(plan.c, plan.h * plan.last);
    Phases phases(here, plan.h, plan.fine);
    for (ComplexBall& t : terms_) t *= power(phases.next(), law.times);
    const Ball T(law.times), least = shortfall(pile_up(law.stairs(plan.c)), h_ * Ball(plan.last));
    log_truncation_ += T * log(total(here) - least);
    log_beyond_ += T * log(total(law.tilted(plan.c + plan.beyond, 0)));
  }
  // |M^T - B^T| <= T |R| max(|M|, |B|)^{T-1}. There is one law only.
  void divide(const MomentLaw& law, const Plan& plan) {
    const double last = plan.h * plan.last;
    const Tilted cores_here = law.core(plan.c, last, plan.core), rests_here = law.rest(plan.c, last, plan.core);
    Phases cores(cores_here, plan.h, plan.fine), rests(rests_here, plan.h, plan.fine);
    for (ComplexBall& t : terms_) {
      const ComplexBall core = cores.next(), rest = rests.next();
      t = power_gained(core, rest, law.times);
    }
    const Ball T(law.times), log_T = log(T), rest = law.rest_beyond(plan.c, last, plan.core);
    const Ball core = total(cores_here), whole = core + total(rests_here),
               least = shortfall(pile_up(law.stairs(plan.c)), h_ * Ball(plan.last));
    const auto log_most = [&](const Ball& b, const Ball& r) { return log_T + log(r) + (T - 1) * log(b + r); };
    // |B| <= |M| + |R|, and far up nothing but what lies at losses <= 0 in all the core is left of B.
    const Ball still = total(law.core(plan.c, 0, 0)) + law.rest_beyond(plan.c, last, 0);
    log_truncation_ += log_most(min(still, min(core, whole - least)), rest);
    const double order = plan.c + plan.beyond;
    log_beyond_ += log_most(total(law.core(order, 0, plan.core)), total(law.rest(order, 0, plan.core)));
    most_ = min(Ball(1), T * total(law.rest(0, 0, plan.core)));
    farthest_core_ = T * Ball(plan.core);
    if (plan.core_order > 0)
      log_core_ = T * log(total(law.core(plan.core_order, 0, plan.core))) + log_hockey_stick(core_order_);
  }

  Ball c_, h_, beyond_, core_order_;
  std::vector<ComplexBall> terms_;
  Ball log_truncation_, log_beyond_, below_, missing_, most_ = 1;
  Ball log_core_, farthest_core_;            // of the core: none without one
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

// The law of one step seen from far, divided: logarithms of moments of the composition, in double.
class RoughlyDivided {
 public:
  RoughlyDivided(const Outlook::Part& part, double core) : part_(part), core_(core) {}

  double log_core(double theta) const { return part_.times * sums(theta).log_core; }
  // of M^T - B^T
  double log_rest(double theta) const {
    const Sums s = sums(theta);
    const double z = s.log_rest - s.log_core, x = part_.times * (z > 40 ? z : std::log1p(std::exp(z)));
    const double gained = x > 1e-12 ? x + std::log(-std::expm1(-x)) : z + std::log(part_.times);
    return part_.times * s.log_core + gained;
  }

 private:
  struct Sums {
    double log_core, log_rest;
  };
  Sums sums(double theta) const {
    // As much as the largest loss of the core weighs is put at its end, where the rough law has nothing.
    double inner = 0, outer = 0, top = 0, largest = -HUGE_VAL, weight = 0;
    for (std::size_t i = 0; i < part_.p.size(); ++i) {
      const double x = part_.loss[i];
      top = std::max(top, x);
      if (x <= core_ && x > largest) largest = x, weight = part_.p[i];
    }
    const double top_core = std::max(core_, 0.0);
    if (core_ > 0) inner = weight;
    for (std::size_t i = 0; i < part_.p.size(); ++i) {
      const double x = part_.loss[i];
      if (x > core_)
        outer += part_.p[i] * std::exp(theta * (x - top));
      else
        inner += part_.p[i] * std::exp(theta * (x - top_core));
    }
    return {std::log(std::max(inner, 1e-300)) + theta * top_core, std::log(std::max(outer, 1e-300)) + theta * top};
  }

  const Outlook::Part& part_;
  double core_;
};

// A line such that what is left out is below e^{log_tolerated}, found in double.
class Planner {
 public:
  Planner(const Work& work, double eps, double log_tolerated, double most_work)
      : laws_(work.laws), outlook_(work.outlook), eps_(eps), log_tolerated_(log_tolerated), most_work_(most_work) {}

  // Where moments explode to the right of the saddle, the longest steps are possible on a line left of it; where few
  // losses are added, the sum is the shorter the nearer to the saddle.
  std::optional<Plan> around(double saddle) const {
    const auto log_all = [&](double theta) { return outlook_.cumulant(theta)[0]; };
    const auto f = [&](double u) { return period(std::exp(u), 0, log_all).first; };
    const double top = std::log(saddle), longest = minimise<double>(f, top - 2, top + 0.5, 16).at.value;
    Plan best{.work = most_work_};
    for (const double share : {0.0, 0.5, 1.0}) {
      Plan p{.c = std::exp(longest + share * (top - longest))};
      std::tie(p.h, p.beyond) = period(p.c, 0, log_all);
      draw(p, best);
      if (best.work < 1e6) break;
    }
    return best.c > 0 ? std::optional(best) : std::nullopt;
  }

  // The best of those lines and of lines for a divided law.
  std::optional<Plan> best(double saddle) const {
    const std::optional<Plan> whole = around(saddle);
    if ((whole && whole->work < 3e6) || !can_divide()) return whole;
    Plan best = whole ? *whole : Plan{.work = most_work_};
    const auto [most, order] = largest_core();
    for (const double core : {most, most / 4, 0.0}) {
      const RoughlyDivided law(outlook_.parts[0], core);
      const double top = saddle_of(law);
      for (const double share : {1.0, 0.7, 0.4}) {
        Plan p{.c = share * top, .core = core, .core_order = core * laws_[0].times > eps_ ? order : 0};
        std::tie(p.h, p.beyond) =
            period(p.c, std::min(0.0, law.log_rest(0)), [&](double theta) { return law.log_rest(theta); });
        draw_divided(p, best, law);
      }
    }
    return best.c > 0 ? std::optional(best) : std::nullopt;
  }

  // log delta(eps) at the saddle of the divided law.
  double log_delta() const {
    const RoughlyDivided law(outlook_.parts[0], largest_core().first);
    const double c = saddle_of(law), step = 0.01 * c;
    const double here = log_height(law, c);
    const double bend = (log_height(law, c + step) + log_height(law, c - step) - 2 * here) / (step * step);
    return here - std::log(2 * M_PI * std::max(bend, 1e-3 / (c * c))) / 2;
  }
  bool can_divide() const { return laws_.size() == 1 && laws_[0].core; }

 private:
  // Chernoff at c + a puts the terms m > 0 below the tolerance when 2 pi/h is at least this, for the best a; the terms
  // m < 0 ask for (log_mass - log_tolerated)/c. Returns h and a.
  template <class F>
  std::pair<double, double> period(double c, double log_mass, F log_moment) const {
    const auto above = [&](double u) {
      const double a = std::exp(u);
      return (log_moment(c + a) - (c + a) * eps_ - log_tolerated_) / a;
    };
    const auto best = minimise<double>(above, std::log(c) - 6, std::log(c) + 2, 24);
    const double length = std::max(1.01 * best.value, (log_mass - log_tolerated_) / c);
    return {length, std::exp(best.at.value)};
  }

  double log_height(const RoughlyDivided& law, double c) const {
    return law.log_rest(c) - c * eps_ - std::log(c * (1 + c));
  }
  double saddle_of(const RoughlyDivided& law) const {
    const double unit = std::log(std::max(eps_, std::sqrt(outlook_.cumulant(0)[2])));
    const auto f = [&](double u) { return log_height(law, std::exp(u)); };
    return std::exp(minimise<double>(f, -7 - unit, 8 - unit, 40).at.value);
  }

  // The largest core that does not matter, and the order that shows it.
  std::pair<double, double> largest_core() const {
    if (eps_ <= 0) return {0, 0};
    const double T = laws_[0].times;
    const auto log_delta = [&](double core) {
      const RoughlyDivided law(outlook_.parts[0], core);
      const auto f = [&](double u) {
        const double theta = std::exp(u);
        return law.log_core(theta) - theta * eps_ + log_hockey_stick(theta);
      };
      return minimise<double>(f, std::log(1e-2 / eps_), std::log(1e4 / eps_), 30);
    };
    double low = 0.999 * eps_ / T, high = eps_, order = 0;  // a little less, for eps nearby
    for (int i = 0; i < 10; ++i) {
      const double middle = std::sqrt(low * high);
      const auto found = log_delta(middle);
      if (found.value < log_tolerated_ - 1)
        low = middle, order = std::exp(found.at.value);
      else
        high = middle;
    }
    return {low, order};
  }

  // Finds the least length of a line such that what it leaves out is tolerated; gives up when it takes too much work.
  template <class F, class W>
  bool lengthen(Plan& p, double most, F left_out, W work) const {
    double low = p.h, high = p.h;
    for (; left_out(high) > log_tolerated_; high *= 2) {
      if (work(high) > most || high > most_points * p.h) return false;
      low = high;
    }
    for (int i = 0; i < 6 && low < high; ++i) {
      const double middle = std::sqrt(low * high);
      (left_out(middle) > log_tolerated_ ? low : high) = middle;
    }
    p.last = std::ceil(high / p.h) + 1;
    p.work = work(high);
    return true;
  }
  // Every moment is wrong by some units of rounding, its power T times as much; this may take a larger share.
  void choose_bits(Plan& p, double log_scale, double nodes) const {
    double rounds = 0;
    for (const MomentLaw& law : laws_) rounds += law.times;
    const double units = rounds * (6 * p.last + 2 * nodes + 16);
    const double needed = (log_scale + std::log(units) - log_tolerated_) / std::log(2.0) - 4;
    p.fine = needed >= -std::log2(Phases::wide_unit);
    p.bits = least_bits + (p.fine ? static_cast<long>(needed) : 0);
    if (p.fine) p.work *= 60;
  }

  static constexpr double most_points = 1e6;  // on a line, for the memory they take
  // A point on the line takes some thousand products beside its phases.
  static constexpr double per_point = 2000;

  // Takes the plan if it is better than the best so far.
  void draw(Plan p, Plan& best) const {
    p.h = 2 * M_PI / p.h;
    std::vector<std::vector<Layer>> piles;
    std::vector<double> mass;
    double nodes = 0;
    for (const MomentLaw& law : laws_) {
      const Tilted here = law.tilted(p.c, 0);
      piles.push_back(pile_up(law.stairs(p.c)));
      mass.push_back(total(here).midpoint());
      nodes += static_cast<double>(here.nodes.size());
    }
    const double log_scale = outlook_.cumulant(p.c)[0] - p.c * eps_;
    const auto left_out = [&](double Y) {
      double sum = log_scale - std::log(M_PI * Y);
      for (std::size_t i = 0; i < laws_.size(); ++i)
        sum += laws_[i].times * std::log1p(-shortfall(piles[i], Ball(Y)).midpoint() / mass[i]);
      return sum;
    };
    if (!lengthen(p, best.work, left_out, [&](double Y) { return Y / p.h * (nodes + per_point); })) return;
    choose_bits(p, log_scale, nodes);
    if (p.work < best.work) best = p;
  }
  void draw_divided(Plan p, Plan& best, const RoughlyDivided& law) const {
    p.h = 2 * M_PI / p.h;
    const double T = laws_[0].times, core = std::exp(law.log_core(p.c) / T), log_scale = law.log_rest(p.c) - p.c * eps_;
    if (!(log_scale - log_tolerated_ < 150)) return;  // too many digits to lose
    const double nodes = 1500, whole = std::exp(outlook_.cumulant(p.c)[0] / T);
    const std::vector<Layer> pile = pile_up(laws_[0].stairs(p.c));
    const double at_zero = std::exp(RoughlyDivided(outlook_.parts[0], 0).log_core(p.c) / T);
    const auto left_out = [&](double Y) {
      const double rest = laws_[0].rough_rest_beyond(p.c, Y, p.core),
                   still = at_zero + laws_[0].rough_rest_beyond(p.c, Y, 0),
                   other = std::min({core, whole - shortfall(pile, Ball(Y)).midpoint(), still}) + rest;
      return std::log(T * rest) + (T - 1) * std::log(other) - p.c * eps_ - std::log(M_PI * Y);
    };
    if (!lengthen(p, best.work, left_out, [&](double Y) { return Y / p.h * (nodes + per_point); })) return;
    choose_bits(p, log_scale, nodes);
    if (p.work < best.work) best = p;
  }

  const std::vector<MomentLaw>& laws_;
  const Outlook& outlook_;
  double eps_, log_tolerated_, most_work_;
};

// The error tolerated in delta, for a relative width of delta or of eps. The slope theta is known roughly.
double log_tolerance_of_delta(const Aim& aim, double width) {
  return std::log(0.02 * width * std::min(1.0, aim.theta * aim.eps + 0.01)) + aim.log_delta;
}
double log_tolerance_of_eps(const Aim& aim, double width) {
  return std::log(0.08 * width * (aim.theta * aim.eps + 0.01)) + aim.log_delta;
}

// Where rare losses decide, the saddle of the whole law promises too large an eps; that of the divided one does not.
double rough_epsilon(const Work& work, double log_delta, double most) {
  if (!Planner(work, most, log_delta, 0).can_divide() || most <= 0) return most;
  double low = std::log(most) - 16, high = std::log(most) + 0.5;
  for (int i = 0; i < 14; ++i) {
    const double middle = (low + high) / 2;
    (Planner(work, std::exp(middle), log_delta - 18, 0).log_delta() > log_delta ? low : high) = middle;
  }
  return std::exp(high);
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
  const Ball rounding = at.sum.upper_end() - at.sum.lower_end();
  const Ball far = abs((contour.margin(e) + rounding) / at.slope) + ldexp(e, -56);
  double reach = far.upper();  // a number, not a ball, which would widen delta
  for (int i = 0; i < 60 && std::isfinite(reach); ++i, reach *= 2) {
    const Ball low = max(Ball(0), e - Ball(reach)), up = e + Ball(reach);
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
    const auto line = Planner(work, eps.midpoint(), log_tolerance_of_delta(aim, width), most_work).best(aim.theta);
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
  aim.eps = rough_epsilon(work, log_delta, aim.eps);
  Ball best = unknown<Ball>();
  for (int pass = 0; pass < 8; ++pass) {  // the first line is drawn for a guess of eps, the next ones for what it gave
    const auto draw = [&](double narrow, double most) {
      return Planner(work, aim.eps, log_tolerance_of_eps(aim, narrow), most).best(aim.theta);
    };
    auto line = draw(width, pass == 0 ? std::min(most_work, 1e7) : most_work);
    const bool coarse = !line;  // a long one, and not for a mere guess
    if (coarse) line = draw(std::max(width, 0.03), most_work);
    if (!line) break;
    const Ball::Precision finer(line->bits);
    const auto [near, found] = solve(Contour(work.laws, *line), delta, aim.eps);
    if (found.finite()) best = found;
    if (found.upper() - found.lower() <= width * found.upper()) break;
    if (pass > 0 && std::abs(near - aim.eps) < (coarse ? 1e-3 : width) * aim.eps) break;
    if (near <= 0 && pass == 0 && contour_delta(laws, Ball(0), {.width = 1e-4, .most_work = 1e8}) <= delta)
      return Ball(0);
    // no crossing: the core, which is left out, was too large
    aim = pld::aim(work.outlook, {Ball(near > 0 ? near : aim.eps / 8), {}});
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
  const auto line =
      Planner(work, eps.back(), log_tolerance_of_delta(aim, effort.width), effort.most_work).around(aim.theta);
  if (!line) return out;
  const Ball::Precision finer(line->bits);
  const Contour contour(work.laws, *line);
  for (std::size_t i = 0; i < eps.size(); ++i) out[i] = contour.delta(Ball(eps[i]));
  return out;
}

}  // namespace solvers
