// A root of a monotone function to all the digits of its number type; for balls, an enclosure whose ends were proved.
#pragma once

#include "solvers/root.hpp"

namespace solvers {

// The same number in the kind a search works with; exact when the kinds agree.
template <Real N, Real R>
N as(const R& x) {
  if constexpr (std::same_as<N, R>)
    return x;
  else
    return to_mp50(x);
}

// f changes sign between low and high. For double and mp50 the root itself; for balls the mp50 root is polished by
// Newton's method with the derivative df, and the ends of the enclosure are shown to have opposite signs.
template <Real R, class F, class D>
R enclose_root(F f, D df, const mp50& low, const mp50& high) {
  if constexpr (!std::same_as<R, Ball>) {
    return find_root<R>(f, R(low), R(high)).value;
  } else {
    const mp50 start = find_root<mp50>(f, low, high).value;
    Ball x;
    arf_set_mpfr(arb_midref(x.arb()), start.backend().data());
    for (long bits = 100; bits < 2 * Ball::precision(); bits *= 2) {
      Ball next = x - f(x) / df(x);
      if (!next.finite()) break;
      mag_zero(arb_radref(next.arb()));
      x = next;
    }
    Ball radius = ldexp(abs(x), 8 - Ball::precision());
    for (int i = 0; i < 200 && radius < abs(x); ++i, radius = radius * 4) {
      const Ball left = f(x - radius), right = f(x + radius);
      if ((left < 0 && right > 0) || (left > 0 && right < 0)) return Ball::hull(x - radius, x + radius);
    }
    arb_zero_pm_inf(x.arb());  // nothing was proved
    return x;
  }
}

}  // namespace solvers
