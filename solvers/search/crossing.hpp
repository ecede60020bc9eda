// The first point, from the left, at which a function that starts above zero comes down to it.
// Meant for bounds delta(eps) - delta: any point at or below zero is a valid answer, so the search in double
// needs no proof; the ends of the enclosure are proved in balls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "solvers/search/enclose.hpp"

namespace epsilary::solvers {

// Where it comes down.
struct Descent {
  double low, high;  // the function is above zero at low and not at high
};

// The first of 64 even places in (from, to] at which f is not above zero, and the place before it. At the
// very first place one walks on to the left by halves, since `from` may be a pole.
template <class F>
std::optional<Descent> first_bracket(F f, double from, double to) {
  constexpr int places = 64;
  for (int j = 1; j <= places; ++j) {
    double high = from + (to - from) * j / places, low = from + (to - from) * (j - 1) / places;
    if (!(f(high) <= 0)) continue;
    if (j > 1 || from > 0) return Descent{low, high};
    for (low = high / 2; low > 1e-290 && f(low) <= 0; low /= 2) high = low;
    return Descent{low, high};
  }
  return {};
}

// The root in 50 digits: near the one known in double, else anywhere in the bracket; none if there is no
// change of sign (the walk to the left has its end).
template <class F>
std::optional<mp50> sharpen_crossing(F f, double near, const Descent& within) {
  for (double width = 1e-10; width < 1; width *= 1000) {
    const mp50 low = std::max(near * (1 - width), within.low), high = std::min(near * (1 + width), within.high);
    if (f(low) > 0 && f(high) <= 0) return find_root<mp50>(f, low, high).value;
  }
  const auto root = find_root<mp50>(f, mp50(within.low), mp50(within.high));
  return root.status != Solved::no_bracket ? std::optional(root.value) : std::nullopt;
}

// The same root in balls, with both signs proved at the ends; indeterminate when they cannot be. Newton's
// method with one divided difference as the slope finds the centre; it gains a third of the bits a step.
template <class F>
Ball enclose_crossing(F f, const mp50& guess) {
  Ball x = centre(guess);
  const std::int64_t bits = Ball::precision();
  if (bits > 150) {
    const Ball step = centre(ldexp(x, -bits / 3)), slope = centre((f(centre(x + step)) - f(x)) / step);
    for (int i = 0; i < 40; ++i) {
      const Ball move = centre(f(x) / slope);
      x = centre(x - move);
      if (certainly(abs(move) <= ldexp(abs(x), 4 - bits))) break;
    }
  }
  return prove_root(f, x);
}

}  // namespace epsilary::solvers
