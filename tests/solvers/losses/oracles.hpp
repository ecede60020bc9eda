// Compositions that are known in closed form or as a plain sum, which brackets are held against.
#pragma once

#include "solvers/numbers/ball.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::solvers {

// delta(eps) of N(mu, 1) against N(0, 1).
inline Ball gaussian_delta(const Ball& mu, const Ball& eps) {
  return normal_cdf(mu / 2 - eps / mu) - exp(eps) * normal_cdf(-mu / 2 - eps / mu);
}

// delta(eps) of T randomised responses, Theorem 3.3 of Kairouz, Oh and Viswanath.
inline Ball randomised_response_delta(double eps0, int T, const Ball& eps) {
  Ball sum, binomial(1);
  const Ball e = exp(Ball(eps0));
  for (int l = 0; l <= T; ++l) {
    sum += binomial * max(Ball(0), exp(Ball(eps0) * Ball(T - l)) - exp(eps + Ball(eps0) * Ball(l)));
    binomial = binomial * Ball(T - l) / Ball(l + 1);
  }
  return sum / pow(1 + e, Ball(T));
}

}  // namespace epsilary::solvers
