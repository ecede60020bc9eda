// Excess risk of the check-in protocols on convex losses: Theorems 3.5 and 4.2 of Balle et al. 2020.
// R is the diameter of the model space, L the Lipschitz constant, p the dimension, sigma the noise.
#pragma once

#include "bounds/core/point.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds::checkin {

// The last iterate of SGD with steps c/sqrt(i), c = radius/G: 2 radius G (2 + log T)/sqrt(T)
// (Shamir and Zhang 2013, Theorem 2), from its rate radius G/sqrt(T).
template <Real R>
R risk_rate(const R& radius, const R& G, const R& T) {
  return radius * G / sqrt(T);
}
template <Real R>
R last_iterate(const R& rate, const R& T) {
  return 2 * rate * (2 + log(T));
}

// E[1/S; S > 0] for S ~ Binomial(n, 1/m): what averaging S messages leaves of their noise.
template <Real R>
R mean_inverse_load(const R& n, const R& m) {
  return binomial_sum(n, R(1 / m), R((m - 1) / m), 1.0, R(1), [](const R& k) { return R(1 / k); });
}

// p sigma^2 + L^2, the second moment of one noisy gradient.
template <Real R>
R noisy_gradient(const Values<R>& x) {
  return x[Param::dim] * x[Param::noise] * x[Param::noise] + x[Param::lipschitz] * x[Param::lipschitz];
}

// G of averaged updates, G^2 = L^2 + factor m p sigma^2 / n.
template <Real R>
R averaged_gradient(const Values<R>& x, int factor) {
  using enum Param;
  return sqrt(factor * x[m] * x[dim] * x[noise] * x[noise] / x[n] + x[lipschitz] * x[lipschitz]);
}

// G of steps of which some are dummies: real updates are rescaled by how often a slot is used.
template <Real R>
R gradient_with_dummies(const Values<R>& x, const Chance<R>& used) {
  using enum Param;
  return sqrt(noisy_gradient(x) / used.yes + used.no * x[dim] * x[noise] * x[noise]);
}

// R L, what any model has at most on a loss with Lipschitz constant L over a space of diameter R.
template <Real R>
R guessing_risk(const Values<R>& x) {
  return x[Param::lipschitz] * x[Param::radius];
}

// R L sqrt(1/samples + p/(eps reach)^2), the order of a risk at a given epsilon.
template <Real R>
R risk_at_epsilon(const Values<R>& x, const R& samples, const R& reach) {
  const R noisy = x[Param::eps] * reach;
  return guessing_risk(x) * sqrt(1 / samples + x[Param::dim] / (noisy * noisy));
}

}  // namespace epsilary::bounds::checkin
