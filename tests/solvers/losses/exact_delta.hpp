// The profile of one lattice pair composed with itself, by polynomials over balls: slow, and nothing to argue about.
#pragma once

#if __has_include(<flint/arb_poly.h>)
#include <flint/arb_poly.h>
#else
#include <arb_poly.h>
#endif

#include "solvers/losses/pair.hpp"

namespace epsilary::solvers {

inline Ball exact_delta(const Masses& masses, double step, unsigned long times, const Ball& eps) {
  arb_poly_t one, all;
  arb_poly_init(one);
  arb_poly_init(all);
  const long first = masses.at.front();
  for (std::size_t i = 0; i < masses.at.size(); ++i)
    arb_poly_set_coeff_arb(one, masses.at[i] - first, masses.p[i].arb());
  arb_poly_pow_ui(all, one, times, Ball::precision());
  Ball sum;
  for (slong i = 0; i < arb_poly_length(all); ++i) {
    const Ball y = Ball(step) * Ball(i + first * static_cast<long>(times)) - eps;
    if (certainly(y <= 0)) continue;
    Ball p;
    arb_poly_get_coeff_arb(p.arb(), all, i);
    sum += p * max(Ball(0), -expm1(-y));
  }
  arb_poly_clear(one);
  arb_poly_clear(all);
  return sum;
}

}  // namespace epsilary::solvers
