#include "solvers/losses/contour/contour.hpp"

#include <bit>
#include <complex>

#include "solvers/losses/contour/chernoff.hpp"
#include "solvers/losses/contour/line.hpp"
#include "solvers/losses/contour/phases.hpp"
#include "solvers/search/bracket.hpp"
#include "solvers/search/crossing.hpp"

namespace epsilary::solvers {
namespace {

using namespace contour;
using pld::SaddlePoint;

// The integral by the trapezoidal rule on z = c + i h k, k = 0, 1, ..., J, with M(z) = E_P e^{zX} of the whole
// composition: the infinite sum is sum_m e^{2 pi m c/h} delta(eps + 2 pi m/h), all terms of it positive.
//
// Where a few rare losses decide, M along the line is nearly what the many small ones give, which contribute nothing
// and do not fall. So a law may be divided, M = B + R with the body B: M^T - B^T belongs to the runs that have a loss
// of the tail, and those of the body alone are bounded by Chernoff; they give nothing at all if T times the largest is
// below eps.
class Contour {
 public:
  Contour(const std::vector<MomentLaw>& laws, const Line& line)
      : c_(line.c), h_(line.h), far_(line.c + line.beyond), body_order_(line.body_order) {
    const Ball beyond = Ball(far_) - c_;
    terms_ = std::vector<ComplexBall>(static_cast<std::size_t>(line.last) + 1, ComplexBall(1));
    log_truncation_ = -log(Ball::pi() * h_ * Ball(line.last));
    for (const MomentLaw& law : laws) {
      if (line.body >= 0)
        divide(law, line);
      else
        multiply(law, line);
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
    log_beyond_ += log_hockey_stick(Ball(far_)) + log(geometric(beyond));
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
    return certainly(exact > 0) ? log(exact).midpoint() : -1e3;
  }
  // How far the enclosure of delta reaches to either side of the sum, at most.
  Ball margin(const Ball& eps) const { return truncation(eps) + max(aliases(eps), missing_ + body(eps)); }
  Ball delta(const Ball& eps) const {
    const Ball sum = at(eps).sum, cut = truncation(eps);
    return max(Ball(0), Ball::hull(sum - cut - aliases(eps), sum + cut + missing_ + body(eps)));
  }

 private:
  Ball truncation(const Ball& eps) const { return exp(log_truncation_ - c_ * eps); }
  // The terms m < 0, where delta is at most the mass of all runs that count, and m > 0.
  Ball aliases(const Ball& eps) const { return below_ + exp(log_beyond_ - Ball(far_) * eps); }
  // The runs of the body alone.
  Ball body(const Ball& eps) const {
    return certainly(eps >= farthest_body_) ? Ball(0) : min(Ball(1), exp(log_body_ - body_order_ * eps));
  }

  static ComplexBall power(const ComplexBall& m, double times) {
    const ComplexBall out = exp(log(m) * Ball(times));
    return out.finite() ? out : pow(m, static_cast<std::uint64_t>(times));
  }
  // (b + r)^n - b^n without cancellation.
  static ComplexBall power_gained(const ComplexBall& b, const ComplexBall& r, double times) {
    if (times > 64) {
      const ComplexBall out = power(b, times) * expm1(log1p(r / b) * Ball(times));
      if (out.finite()) return out;
    }
    const auto n = static_cast<std::uint64_t>(times);
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
  void multiply(const MomentLaw& law, const Line& line) {
    const Tilted here = law.tilted(line.c, line.h * line.last);
    Phases phases(here, line.h, line.fine);
    for (ComplexBall& t : terms_) t *= power(phases.next(), law.times);
    const Ball T(law.times), least = characteristic_gap(layer_cake(law.density_steps(line.c)), h_ * Ball(line.last));
    log_truncation_ += T * log(total(here) - least);
    log_beyond_ += T * log(total(law.tilted(far_, 0)));
  }
  // |M^T - B^T| <= T |R| max(|M|, |B|)^{T-1}. There is one law only.
  void divide(const MomentLaw& law, const Line& line) {
    const double last = line.h * line.last;
    const Tilted body_here = law.body(line.c, last, line.body), tail_here = law.tail(line.c, last, line.body);
    Phases bodies(body_here, line.h, line.fine), tails(tail_here, line.h, line.fine);
    for (ComplexBall& t : terms_) {
      const ComplexBall body = bodies.next(), tail = tails.next();
      t = power_gained(body, tail, law.times);
    }
    const Ball T(law.times), log_T = log(T), tail = law.tail_beyond(line.c, last, line.body);
    const Ball body = total(body_here), whole = body + total(tail_here),
               least = characteristic_gap(layer_cake(law.density_steps(line.c)), h_ * Ball(line.last));
    const auto log_most = [&](const Ball& b, const Ball& r) { return log_T + log(r) + (T - 1) * log(b + r); };
    // |B| <= |M| + |R|, and far up nothing but what lies at losses <= 0 in all the body is left of B.
    const Ball still = total(law.body(line.c, 0, 0)) + law.tail_beyond(line.c, last, 0);
    log_truncation_ += log_most(min(still, min(body, whole - least)), tail);
    log_beyond_ += log_most(total(law.body(far_, 0, line.body)), total(law.tail(far_, 0, line.body)));
    most_ = min(Ball(1), T * total(law.tail(0, 0, line.body)));
    farthest_body_ = T * Ball(line.body);
    if (line.body_order > 0)
      log_body_ = T * log(total(law.body(line.body_order, 0, line.body))) + log_hockey_stick(body_order_);
  }

  Ball c_, h_;
  double far_;  // the order of Chernoff's bound for the terms m > 0
  Ball body_order_;
  std::vector<ComplexBall> terms_;
  Ball log_truncation_, log_beyond_, below_, missing_, most_ = 1;
  Ball log_body_, farthest_body_;            // of the body: none without one
  std::vector<std::complex<double>> rough_;  // the terms divided by e^{log_scale}, to search with
  double log_scale_ = 0;
};

// The error tolerated in delta, for a relative width of delta or of eps. The slope theta is known roughly.
double log_tolerance_of_delta(const SaddlePoint& saddle, double width) {
  return std::log(0.02 * width * std::min(1.0, saddle.theta * saddle.eps + 0.01)) + saddle.log_delta;
}
double log_tolerance_of_eps(const SaddlePoint& saddle, double width) {
  return std::log(0.08 * width * (saddle.theta * saddle.eps + 0.01)) + saddle.log_delta;
}

// The eps at which the contour comes down to delta, and two around it that were tried.
struct Solution {
  double near = 0;
  Ball proved = unknown<Ball>();
};
Solution solve(const Contour& contour, const Ball& delta, double guess, double width) {
  const double log_delta = log(delta).midpoint();
  const auto excess = [&](double e) { return contour.log_sum(e) - log_delta; };
  double high = std::max(guess, 1e-12);
  for (int i = 0; i < 60 && excess(high) > 0; ++i) high *= 2;
  const double near = excess(0) <= 0 ? 0 : find_root<double>(excess, 0, high, 100).value;
  if (near <= 0) return {0, certainly(contour.delta(Ball(0)) <= delta) ? Ball(0) : unknown<Ball>()};
  // Newton's method from what a double can tell; every step doubles the digits.
  Ball e(near), rounding, slope;
  double known = 1e-8;
  do {
    const Contour::At at = contour.at(e);
    e = centre(e - log(at.sum / delta) * at.sum / at.slope);
    rounding = at.sum.upper_end() - at.sum.lower_end();
    slope = at.slope;
    known *= known;
  } while (known > width / 10);
  Ball reach = (abs((contour.margin(e) + rounding) / slope) + ldexp(e, 12 - Ball::precision())).upper_end();
  for (int i = 0; i < 60 && reach.finite(); ++i, reach = ldexp(reach, 1)) {
    const Ball low = max(Ball(0), (e - reach).lower_end()), up = (e + reach).upper_end();
    if (certainly(contour.delta(up) <= delta) && (low.is_zero() || certainly(contour.delta(low) > delta)))
      return {near, Ball::hull(low, up)};
  }
  return {near, unknown<Ball>()};
}

// What is left of the work that is allowed. To choose a line takes so much for each place of the rough law.
class Allowance {
 public:
  explicit Allowance(double work) : left_(work) {}
  bool allows(const TruncatedLaws& truncated) const { return planning(truncated) <= std::max(left_, 2e7); }
  void spend(const TruncatedLaws& truncated, const Line& line) { left_ -= planning(truncated) / 4 + line.work; }
  double left() const { return std::max(left_, 0.0); }

 private:
  static double planning(const TruncatedLaws& truncated) {
    double places = 0;
    for (const MomentLaw& law : truncated.laws) places += static_cast<double>(law.loss.size());
    return 1e4 * places;
  }
  double left_;
};

constexpr double deepest = -1e6;  // logarithm of a delta for which moments are still taken

}  // namespace

Ball contour_delta(const MomentLaws& laws, const Ball& eps, const Request& request) {
  const double width = request.width;
  const Ball::Precision scope(least_bits);
  Ball best = unknown<Ball>();
  double log_delta = -60, expected = log_delta, below = 12;
  Allowance allowance(request.work);
  std::optional<TruncatedLaws> truncated;
  for (int pass = 0; pass < 12; ++pass) {  // delta is guessed at first; the next lines are drawn for what was found
    truncated.emplace(laws, log_delta + std::log(0.02 * width));
    SaddlePoint saddle = pld::saddle_point(truncated->cumulants, {eps, {}});
    saddle.log_delta = best.finite() ? log_delta : rough_log_delta(*truncated, eps.midpoint(), saddle.log_delta);
    if (!best.finite() && saddle.log_delta < log_delta) {
      log_delta =
          std::max(1.5 * saddle.log_delta, 4 * log_delta);  // what a law that is cut too short says is too little
      expected = log_delta;
      if (!(log_delta > deepest)) break;
      continue;
    }
    expected = saddle.log_delta;
    if (!allowance.allows(*truncated)) break;
    const auto line =
        best_line(*truncated, {eps.midpoint(), log_tolerance_of_delta(saddle, width), allowance.left()}, saddle.theta);
    if (!line) break;
    allowance.spend(*truncated, *line);
    const Ball::Precision finer(line->bits);
    best = intersection(best, Contour(truncated->laws, *line).delta(eps));
    const Ball low = best.lower_end(), high = best.upper_end();
    if (!best.finite() || !certainly(high > 0) || is_narrow(best, width)) break;
    // Where nothing is proved from below yet, the next line is drawn for something below what is proved from above, and
    // then for something well below.
    log_delta = certainly(low > 0) ? log(low).midpoint() : log(high).midpoint() - below;
    below *= 2;
  }
  if (is_narrow(best, 0.5)) return best;
  const Ball most = Chernoff(truncated->laws, chernoff_orders(*truncated, eps.midpoint(), expected - 5)).delta(eps);
  return most.finite() ? intersection(best, Ball::hull(Ball(0), most)) : best;
}

Ball contour_epsilon(const MomentLaws& laws, const Ball& delta, const Request& request) {
  const double width = request.width;
  const Ball::Precision scope(least_bits);
  const double log_delta = log(delta).midpoint();
  const TruncatedLaws truncated(laws, log_delta + std::log(0.01 * width));
  SaddlePoint saddle = pld::saddle_point(truncated.cumulants, {{}, delta});
  saddle.log_delta = log_delta;
  saddle.eps = rough_epsilon(truncated, log_delta, saddle.eps);
  Ball best = unknown<Ball>();
  Allowance allowance(request.work);
  int coarse_lines = 0;
  for (int pass = 0; pass < 8; ++pass) {  // the first line is drawn for a guess of eps, the next ones for what it gave
    if (!allowance.allows(truncated) || allowance.left() <= 0) break;
    const auto draw = [&](double wanted, double most) {
      return best_line(truncated, {saddle.eps, log_tolerance_of_eps(saddle, wanted), most}, saddle.theta);
    };
    auto line = draw(width, pass == 0 ? std::min(allowance.left(), 1e7) : allowance.left());
    const bool coarse = !line;  // a long one, and not for a mere guess
    if (coarse && ++coarse_lines > 3) break;
    if (coarse) line = draw(std::max(width, 0.03), allowance.left());
    if (!line) break;
    allowance.spend(truncated, *line);
    const Ball::Precision finer(line->bits);
    const auto [near, found] = solve(Contour(truncated.laws, *line), delta, saddle.eps, width);
    best = intersection(best, found);
    if (is_narrow(found, width) || found.is_zero()) break;
    if (pass > 0 && std::abs(near - saddle.eps) < (coarse ? 1e-3 : width) * saddle.eps) break;
    if (near <= 0 && pass == 0 && certainly(contour_delta(laws, Ball(0), {1e-4, allowance.left()}) <= delta))
      return Ball(0);
    // no crossing: the body, which is left out, was too large
    const double smaller = near > 0 ? near : saddle.eps / 8;
    saddle = pld::saddle_point(truncated.cumulants, {Ball(smaller), {}});
    saddle.log_delta = log_delta;
  }
  if (is_narrow(best, 0.5) || best.is_zero()) return best;
  const Ball most = Chernoff(truncated.laws, chernoff_orders(truncated, saddle.eps, log_delta - 5)).epsilon(delta);
  return most.finite() ? intersection(best, Ball::hull(Ball(0), most)) : best;
}

}  // namespace epsilary::solvers
