// A root of a monotone function to all the digits of its number type; for balls, an enclosure whose ends were proved.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "solvers/search/root.hpp"

namespace epsilary::solvers {

// The middle of a ball, exactly; a guess made a ball.
inline Ball centre(Ball x) {
  mag_zero(arb_radref(x.arb()));
  return x;
}
inline Ball centre(const mp50& x) { return number_as<Ball>(x); }

// The narrowest interval around x, as far as the digits tell, at whose ends f is proved to have opposite signs;
// indeterminate when there is none.
template <class F>
Ball prove_root(F f, const Ball& x) {
  if (!x.finite()) return unknown<Ball>();
  for (std::int64_t spared = 6; spared < Ball::precision() - 16; spared += std::max(std::int64_t{6}, spared / 8)) {
    const Ball reach = ldexp(abs(x), spared - Ball::precision()), low = x - reach, high = x + reach;
    const Ball left = f(low), right = f(high);
    if (certainly((left < 0 && right > 0) || (left > 0 && right < 0))) return Ball::hull(low, high);
  }
  return unknown<Ball>();
}

// The root of a monotone function near a guess of 50 digits. In balls the guess is polished by Newton's method on
// midpoints, with the slope df, and then proved; other numbers have no use for more digits.
template <Real R, class F, class D>
R enclose_root(F f, D df, const mp50& guess) {
  if constexpr (!std::same_as<R, Ball>) {
    return number_as<R>(guess);
  } else {
    Ball x = centre(guess);
    for (std::int64_t known = 100; known < Ball::precision(); known *= 2) {
      const Ball next = centre(x - f(x) / df(x));
      if (!next.finite()) break;
      x = next;
    }
    return prove_root(f, x);
  }
}

// The same where f changes sign between low and high.
template <Real R, class F, class D>
R enclose_root(F f, D df, const mp50& low, const mp50& high) {
  if constexpr (std::same_as<R, Ball>)
    return enclose_root<Ball>(f, df, find_root<mp50>(f, low, high).value);
  else
    return find_root<R>(f, number_as<R>(low), number_as<R>(high)).value;
}

}  // namespace epsilary::solvers
