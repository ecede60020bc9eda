#include <bit>

#include "solvers/losses/lattice/composition.hpp"

namespace epsilary::solvers {
namespace {

using namespace pld;

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
  const auto meets = [&](double x) { return certainly(c.upper(Ball(x)) <= delta); };
  const auto breaks = [&](double x) { return certainly(c.lower(Ball(x)) > delta); };
  double nudge = 1e-14;
  for (int i = 0; i < 40 && !meets(e); ++i, nudge *= 3) e += nudge * std::max(e, 1e-10 * high);
  if (meets(e)) out.upper = e;
  double fails = e, holds = 0;
  for (double gap = 1e-8 * e; gap < e && holds <= 0; gap *= 4) (breaks(e - gap) ? holds : fails) = e - gap;
  for (int i = 0; i < 25 && holds > 0; ++i) {
    const double middle = (holds + fails) / 2;
    (breaks(middle) ? holds : fails) = middle;
  }
  out.lower = holds;
  return out;
}

// How much of each law may be neglected: known from the target, or found by looking ahead deeper and deeper.
double neglect(const std::vector<Repeated>& laws, const Target& target, double width) {
  const double margin = 12 - std::log(width) + std::log(rounds_of(laws));
  if (target.delta) return std::min(log(*target.delta).midpoint(), -1.0) - margin;
  double log_delta = -150;
  for (int pass = 0; pass < 5; ++pass) {
    const double found = saddle_point(coarse_cumulants(laws, log_delta - margin), target).log_delta;
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
      : laws_(laws),
        target_(target),
        wanted_(wanted),
        read_(read),
        best_{0, target.eps ? 1 : HUGE_VAL},
        left_(wanted.work) {}

  Bracket run() {
    const Ball::Precision bits(128);
    within_work(
        work_left(), [&] { return refine(), true; }, [] { return false; });
    return best_;
  }

 private:
  void refine() {
    log_neglected_ = neglect(laws_, target_, wanted_.width);
    if (!(log_neglected_ > deepest)) return;
    const CumulantModel far = coarse_cumulants(laws_, log_neglected_);
    const SaddlePoint first = saddle_point(far, target_);
    const Window wide = choose_window(far, first.theta, first.eps, first.log_delta, wanted_.width);
    fineness_ = 0.05 * std::sqrt(wanted_.width / 1e-3);
    if (target_.eps) fineness_ /= std::sqrt(std::max(1.0, first.theta * first.eps));
    const double range = wide.high - wide.low;
    const double root = std::sqrt(rounds_of(laws_)), typical = std::sqrt(far.cumulant(0)[2]) / root;
    step_ = std::min(fineness_ * wide.spread / root, range * 0x1p-14);
    step_ = std::min(step_, std::max(typical / 2, range * 0x1p-18));  // rare large losses do not set the scale
    double before = HUGE_VAL, upper_before = HUGE_VAL;
    for (int round = 0, in_vain = 0; round < 10 && in_vain < 2; ++round) {
      const double affordable = 4 * per_node * nodes_at(1) / left_;  // cells for a quarter of the work
      if (fineness_ < affordable && round > 0) break;
      fineness_ = std::max(fineness_, affordable);
      compose();
      if (left_ <= 0) break;
      double got = relative_width(best_);
      if (wanted_.upper_only && !turned_ && upper_before - best_.upper <= wanted_.width * best_.upper) got = 0;
      upper_before = best_.upper;
      if (got <= wanted_.width || (at_smallest_step_ && fineness_ < finest)) break;
      if (turned_) continue;  // to another tilt or precision: first on the same lattice
      in_vain = got < 1 && got > 0.9 * before ? in_vain + 1 : 0;
      before = got;
      fineness_ *= std::clamp(0.8 * std::sqrt(wanted_.width / got), 0.5, 0.8);
      step_ *= got > 4 * wanted_.width ? 0.25 : 0.5;
    }
  }

  // What nodes of a law and points of the lattice cost, in units of work.
  static constexpr double per_node = 8000, per_point = 40, per_quad_point = 2500;
  static constexpr double per_double_node = 20;  // what is not done in balls
  static constexpr double deepest = -3000;       // beyond, masses vanish in a double

  double most_points() const {
    const double most = static_cast<double>(wanted_.most_points);
    return quad_ ? std::min(most / 16, left_ / per_quad_point) : std::min(most, left_ / per_point);
  }
  // About how many nodes the laws have at this fineness.
  double nodes_at(double fineness) {
    constexpr double coarse = 0.25;
    if (coarse_nodes_ <= 0)
      for (const Repeated& r : laws_)
        for (const Side* side : {&r.law.right, &r.law.left})
          coarse_nodes_ += 1 + static_cast<double>(side->knots(coarse, log_neglected_).size());
    return coarse_nodes_ * coarse / fineness;
  }

  void compose() {
    left_ -= per_node * nodes_at(fineness_);
    spend(per_double_node * nodes_at(fineness_));
    const std::vector<Component> components = discretise_all(laws_, step_, fineness_, log_neglected_);
    const CumulantModel near = cumulants_of(components);
    // The first tilt comes from a guess of eps; once eps is bracketed, from that.
    const bool guessed = target_.eps || !std::isfinite(best_.upper);
    const Target at = guessed ? target_ : Target{.eps = Ball(best_.upper)};
    SaddlePoint now = saddle_point(near, at);
    if (quad_) now.theta /= 2;  // digits to spare: farther from where the moments explode, the window is shorter
    double log_delta = now.log_delta;
    if (target_.delta)
      log_delta = log(*target_.delta).midpoint();
    else if (best_.upper < 1)
      log_delta = std::min(log_delta, std::log(best_.upper));
    const Window window = choose_window(near, now.theta, now.eps, log_delta, wanted_.width);
    const double points = 1 + (window.high - window.low) / step_, most = most_points();
    if (!std::isfinite(points) ||
        !(most >= 2)) {  // no lattice for numbers that a double does not hold, nor for nothing
      left_ = 0;
      return;
    }
    at_smallest_step_ = points > most / 2;
    turned_ = false;
    if (points > most) {
      step_ *= 1.01 * points / most;
      turned_ = true;
      return;
    }
    const std::size_t n = std::bit_ceil(static_cast<std::size_t>(points));
    const double transforms = (quad_ ? per_quad_point : per_point) * static_cast<double>(n);
    left_ -= transforms;
    spend(transforms);
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
    turned_ = quad_ || (!(c.outside_share(at) < tolerated) && !tilted_again_);
    tilted_again_ = turned_;
  }

  const std::vector<Repeated>& laws_;
  const Target& target_;
  const Refinement& wanted_;
  Read read_;
  Bracket best_;
  double left_, coarse_nodes_ = 0;  // work
  double log_neglected_ = 0, fineness_ = 0, step_ = 0;
  bool quad_ = false, turned_ = false, tilted_again_ = false, at_smallest_step_ = false;
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

}  // namespace epsilary::solvers
