// Sums of turning phases, the terms of the contour integral.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/losses/contour/contour.hpp"

namespace epsilary::solvers::contour {

// E e^{cX} at most.
inline Ball total(const Tilted& law) {
  Ball sum = law.error;
  for (const auto& n : law.nodes) sum += n.ahead.real() + n.behind.real();
  return sum;
}

// e^{ih loss} of every node, turned on step by step, in long double or, to be fine, in the precision of balls; not as
// balls, since products of complex balls widen by up to sqrt(2) each. No phase exceeds 1 in modulus. A product of
// complex numbers is wrong by less than 3 units of rounding, the first factor by less than 2, so after k steps a phase
// is wrong by less than 6 k units, and a sum of n phases with weights by less than 6 k + 2 n + 16 units of the sum of
// the weights. One more unit allows phases below a unit to be forgotten. What the balls of factors and weights do not
// know is charged beside: a factor that may be off by r makes the k-th phase wrong by at most k r e^{kr}.
class Phases {
 public:
  static constexpr double wide_unit = std::numeric_limits<long double>::epsilon() / 2;

  Phases(const Tilted& law, double h, bool fine)
      : error_(law.error),
        unit_(fine ? ldexp(Ball(1), 4 - Ball::precision()) : Ball(wide_unit)),
        count_(static_cast<double>(law.nodes.size())) {
    for (const auto& node : law.nodes) {
      const ComplexBall turn = exp(ComplexBall(-Ball(h) * node.loss.imag(), Ball(h) * node.loss.real())),
                        even = node.ahead + node.behind, odd = node.ahead - node.behind;
      const Ball weight = abs(node.ahead) + abs(node.behind), unsure = radius(turn);
      mass_ += weight;
      drift_ += weight * unsure;
      widest_ = max(widest_, unsure);
      if (!fine) {
        error_ += radius(even) + radius(odd);
        wide_.push_back({1, 0, wide(turn.real()), wide(turn.imag()), wide(even.real()), wide(even.imag()),
                         wide(odd.real()), wide(odd.imag())});
        continue;
      }
      Fine& n = fine_.emplace_back(Fine{1, turn, even, odd});
      acb_get_mid(n.step.acb(), n.step.acb());
    }
  }

  // The moment at the next point of the line.
  ComplexBall next() {
    const ComplexBall sum = wide_.empty() ? sum_fine() : sum_wide();
    const Ball k(steps_), rounding = mass_ * unit_ * (6 * k + 2 * Ball(count_) + 17);
    const ComplexBall out = sum.widened(error_ + rounding + drift_ * k * exp(k * widest_));
    if (std::fmod(++steps_, 32) == 0) forget();
    return out;
  }

 private:
  // How far the numbers of a complex ball are from its midpoint, at most.
  static Ball radius(const ComplexBall& z) {
    const auto half = [](const Ball& x) { return (x.upper_end() - x.lower_end()) / 2; };
    return (half(z.real()) + half(z.imag())).upper_end();
  }

  using Wide = long double;
  struct WideNode {
    Wide re, im, step_re, step_im, even_re, even_im, odd_re, odd_im;
  };
  struct Fine {
    ComplexBall phase, step;  // of radius zero
    ComplexBall even, odd;
  };

  static Wide wide(const Ball& x) {
    const double head = x.midpoint();
    return static_cast<Wide>(head) + static_cast<Wide>((x - Ball(head)).midpoint());
  }
  static Ball exactly(Wide value) {
    const double head = static_cast<double>(value);
    const double tail = static_cast<double>(value - static_cast<Wide>(head));
    return Ball(head) + Ball(tail);
  }

  ComplexBall sum_wide() {
    Wide re = 0, im = 0;
    for (WideNode& n : wide_) {
      re += n.even_re * n.re - n.even_im * n.im;
      im += n.odd_re * n.im + n.odd_im * n.re;
      const Wide x = n.re * n.step_re - n.im * n.step_im;
      n.im = n.re * n.step_im + n.im * n.step_re;
      n.re = x;
    }
    return {exactly(re), exactly(im)};
  }
  ComplexBall sum_fine() {
    const slong bits = Ball::precision();
    Ball real, imag;
    for (Fine& n : fine_) {
      const arf_ptr re = arb_midref(acb_realref(n.phase.acb())), im = arb_midref(acb_imagref(n.phase.acb()));
      arb_addmul_arf(real.arb(), acb_realref(n.even.acb()), re, bits);
      arb_submul_arf(real.arb(), acb_imagref(n.even.acb()), im, bits);
      arb_addmul_arf(imag.arb(), acb_realref(n.odd.acb()), im, bits);
      arb_addmul_arf(imag.arb(), acb_imagref(n.odd.acb()), re, bits);
      arf_complex_mul(re, im, re, im, arb_midref(acb_realref(n.step.acb())), arb_midref(acb_imagref(n.step.acb())),
                      bits, ARF_RND_DOWN);
    }
    return {real, imag};
  }
  static void arb_submul_arf(arb_ptr out, arb_srcptr x, arf_srcptr y, slong bits) {
    arb_neg(out, out);
    arb_addmul_arf(out, x, y, bits);
    arb_neg(out, out);
  }

  void forget() {
    std::erase_if(wide_, [](const WideNode& n) { return std::abs(n.re) + std::abs(n.im) < 1e-20L * 0x1p-8L; });
    std::erase_if(fine_, [](const Fine& n) { return certainly(abs(n.phase) < ldexp(Ball(1), -Ball::precision())); });
  }

  std::vector<WideNode> wide_;
  std::vector<Fine> fine_;
  Ball error_, mass_, unit_, drift_, widest_;
  double steps_ = 0, count_;
};

}  // namespace epsilary::solvers::contour
