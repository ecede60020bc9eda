// Random balls and exact points inside them, in the manner of FLINT's own tests: a function of a ball, at any
// precision, must hold the function of every point of it.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "solvers/numbers/decimal.hpp"
#include "solvers/numbers/real.hpp"

namespace random_balls {

using namespace epsilary::solvers;

constexpr long fine_bits = 1000;

class Source {
 public:
  explicit Source(unsigned seed) : random_(seed) {}

  long whole(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random_); }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  bool coin() { return whole(0, 1) == 1; }
  // Any, and more often those that are used.
  long bits() { return whole(0, 3) ? whole(53, 400) : whole(20, 1200); }

  // An exact number strictly between: anywhere, or next to an end.
  Ball exact(const Ball& low, const Ball& high) {
    const Ball::Precision wide(fine_bits);
    const Ball width = high - low;
    switch (whole(0, 3)) {
      case 0: return midpoint(low + ldexp(width, -whole(1, 120)));
      case 1: return midpoint(high - ldexp(width, -whole(1, 120)));
      default: return midpoint(low + ldexp(width * whole(1, (1L << 40) - 1), -40));
    }
  }
  Ball exact(double low, double high) { return exact(Ball(low), Ball(high)); }
  // A ball inside the open interval: a point, or narrow, or wide.
  Ball between(double low, double high) {
    const Ball::Precision wide(fine_bits);
    const Ball a = exact(low, high);
    if (whole(0, 4) == 0) return a;
    const Ball other = exact(low, high);
    const Ball b = whole(0, 4) ? midpoint(a + ldexp(other - a, -whole(1, 150))) : other;
    return Ball::hull(a, b);
  }
  // Of any sign and size, e^-most to e^most.
  Ball any(double most = 40) {
    const Ball::Precision wide(fine_bits);
    const Ball size = midpoint(exp(between(-most, most)));
    Ball x = coin() ? size : -size;
    if (whole(0, 4)) arb_add_error(x.arb(), ldexp(size, -whole(0, 150)).arb());
    return x;
  }
  // An exact point of the ball, its ends among them.
  Ball point_of(const Ball& x) {
    Ball r;
    arf_t reach;
    arf_init(reach);
    arf_set_mag(reach, arb_radref(x.arb()));
    const long part = whole(0, 5) ? whole(-(1L << 20), 1L << 20) : (coin() ? 1 : -1) * (1L << 20);
    arf_mul_si(reach, reach, part, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(reach, reach, -20);
    arf_add(arb_midref(r.arb()), arb_midref(x.arb()), reach, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_clear(reach);
    return r;
  }

  static Ball midpoint(const Ball& x) {
    Ball r;
    arf_set(arb_midref(r.arb()), arb_midref(x.arb()));
    return r;
  }

 private:
  std::mt19937_64 random_;
};

inline std::string words(const Ball& x) {
  const Ball::Precision wide(fine_bits);
  return "[" + decimal(x, 30, Rounding::down) + ", " + decimal(x, 30, Rounding::up) + "]";
}

// f of balls, at a random precision, against `truth` of points of them, known to many more digits. The two may be
// written differently; the share of results that say something is returned.
template <class F, class Truth, class... Balls>
bool holds_every_point(Source& source, F f, Truth truth, const Balls&... balls) {
  const long bits = source.bits();
  Ball found;
  {
    const Ball::Precision scope(bits);
    found = f(balls...);
  }
  if (!found.finite()) return false;
  for (int i = 0; i < 4; ++i) {
    const Ball::Precision scope(fine_bits);
    const Ball exact = [&](const auto&... points) { return truth(points...); }(source.point_of(balls)...);
    const bool held = exact.finite() && found.overlaps(exact);
    if (!held) {
      std::string given;
      ((given += words(balls) + " "), ...);
      FAIL_CHECK("at " << bits << " bits of " << given << "is " << words(found) << ", and of a point " << words(exact));
      return true;
    }
  }
  return true;
}

}  // namespace random_balls
