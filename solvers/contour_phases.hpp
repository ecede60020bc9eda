// Sums of turning phases, the terms of the contour integral. Part of solvers/contour.
#pragma once

#if __has_include(<flint/acb.h>)
#include <flint/acb.h>
#else
#include <acb.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/contour.hpp"

namespace solvers::contour {

struct Complex {
  acb_t z;
  Complex() { acb_init(z); }
  Complex(Complex&& other) noexcept : Complex() { acb_swap(z, other.z); }
  Complex(const Complex&) = delete;
  Complex& operator=(const Complex&) = delete;
  ~Complex() { acb_clear(z); }
};

// E e^{cX} at most.
inline Ball total(const Tilted& law) {
  Ball sum = law.error;
  for (const auto& n : law.nodes) sum += n.ahead + n.behind;
  return sum;
}

// The largest loss that matters.
inline double farthest(const Tilted& law) {
  double most = 0;
  for (const auto& n : law.nodes)
    if ((n.ahead + n.behind).midpoint() > 1e-30) most = std::max(most, std::abs(n.loss.midpoint()));
  return most;
}

// e^{ih loss} of every node, turned on step by step, in long double or, to be fine, in the precision of balls; not as
// balls, since products of complex balls widen by up to sqrt(2) each. A product of complex numbers is wrong by less
// than 3 units of rounding, the first factor by less than 2, so after k steps a phase is wrong by less than 6 k units,
// and a sum of n phases with weights by less than 6 k + 2 n + 16 units of the sum of the weights.
class Phases {
 public:
  static constexpr double wide_unit = std::numeric_limits<long double>::epsilon() / 2;

  Phases(const Tilted& law, double h, bool fine)
      : error_(law.error), mass_(total(law)), unit_(fine ? ldexp(Ball(1), 4 - Ball::precision()) : Ball(wide_unit)) {
    for (const auto& node : law.nodes) {
      Ball sine, cosine;
      const Ball angle = Ball(h) * node.loss, even = node.ahead + node.behind, odd = node.ahead - node.behind;
      arb_sin_cos(sine.arb(), cosine.arb(), angle.arb(), Ball::precision());
      if (!fine) {
        wide_.push_back({1, 0, wide(cosine), wide(sine), wide(even), wide(odd)});
        continue;
      }
      Fine& n = fine_.emplace_back();
      acb_one(n.phase.z);
      arf_set(arb_midref(acb_realref(n.step.z)), arb_midref(cosine.arb()));
      arf_set(arb_midref(acb_imagref(n.step.z)), arb_midref(sine.arb()));
      n.even = even;
      n.odd = odd;
    }
  }

  // The moment at the next point of the line.
  void next(acb_t out) {
    if (wide_.empty())
      sum_fine(out);
    else
      sum_wide(out);
    const double n = static_cast<double>(wide_.size() + fine_.size());
    const Ball wrong = error_ + mass_ * unit_ * Ball(6 * steps_++ + 2 * n + 16);
    arb_add_error(acb_realref(out), wrong.arb());
    arb_add_error(acb_imagref(out), wrong.arb());
  }

 private:
  using Wide = long double;
  struct WideNode {
    Wide re, im, step_re, step_im, even, odd;
  };
  struct Fine {
    Complex phase, step;  // of radius zero
    Ball even, odd;
  };

  static Wide wide(const Ball& x) {
    const double head = x.midpoint();
    return static_cast<Wide>(head) + static_cast<Wide>((x - Ball(head)).midpoint());
  }
  static void set(arb_t x, Wide value) {
    const double head = static_cast<double>(value);
    const Ball both = Ball(head) + Ball(static_cast<double>(value - static_cast<Wide>(head)));
    arb_set(x, both.arb());
  }

  void sum_wide(acb_t out) {
    Wide re = 0, im = 0;
    for (WideNode& n : wide_) {
      re += n.even * n.re;
      im += n.odd * n.im;
      const Wide x = n.re * n.step_re - n.im * n.step_im;
      n.im = n.re * n.step_im + n.im * n.step_re;
      n.re = x;
    }
    set(acb_realref(out), re);
    set(acb_imagref(out), im);
  }
  void sum_fine(acb_t out) {
    const slong bits = Ball::precision();
    acb_zero(out);
    for (Fine& n : fine_) {
      const arf_ptr re = arb_midref(acb_realref(n.phase.z)), im = arb_midref(acb_imagref(n.phase.z));
      arb_addmul_arf(acb_realref(out), n.even.arb(), re, bits);
      arb_addmul_arf(acb_imagref(out), n.odd.arb(), im, bits);
      arf_complex_mul(re, im, re, im, arb_midref(acb_realref(n.step.z)), arb_midref(acb_imagref(n.step.z)), bits,
                      ARF_RND_DOWN);
    }
  }

  std::vector<WideNode> wide_;
  std::vector<Fine> fine_;
  Ball error_, mass_, unit_;
  double steps_ = 0;
};

}  // namespace solvers::contour
