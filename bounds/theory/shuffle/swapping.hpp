// Amplification by shuffling: Theorem 5.1 and A.7 of Balle et al. 2020, and Theorem 7 of Erlingsson,
// Feldman, Mironov, Raghunathan, Talwar and Thakurta 2019, to which their Figure 2 compares it.
#pragma once

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/composition.hpp"

namespace epsilary::bounds::shuffling {

// A = e^{3 eps0} (e^{eps0} - 1)^2 / n.
template <Real R>
R swapping_squares(const R& eps0, const R& n) {
  const R x0 = expm1(eps0), E0 = 1 + x0;
  return E0 * E0 * E0 * x0 * x0 / n;
}
template <Real R>
R by_swapping(const R& eps0, const R& n, const R& delta) {
  return checkin::two_term(swapping_squares(eps0, n), delta);
}

// Strong composition of n mechanisms of 2 e^{2 eps0} (e^{eps0} - 1) / n each.
template <Real R>
R by_swaps_composed(const R& eps0, const R& n, const R& delta) {
  return strong_composition(R(2 * exp(2 * eps0) * expm1(eps0) / n), n, delta);
}

}  // namespace epsilary::bounds::shuffling
