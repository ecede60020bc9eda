// Amplification by shuffling: Theorem 5.1 and A.7 of Balle et al. 2020, and Theorem 7 of Erlingsson,
// Feldman, Mironov, Raghunathan, Talwar and Thakurta 2019, to which their Figure 2 compares it.
#pragma once

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/composition.hpp"

namespace epsilary::bounds::balle2020 {

// A = e^{3 eps0} (e^{eps0} - 1)^2 / n.
template <Real R>
R shuffling(const R& eps0, const R& n, const R& delta) {
  const R x0 = expm1(eps0), E0 = 1 + x0;
  return two_term(R(E0 * E0 * E0 * x0 * x0 / n), delta);
}

}  // namespace epsilary::bounds::balle2020

namespace epsilary::bounds::erlingsson2019 {

// Strong composition of n mechanisms of 2 e^{2 eps0} (e^{eps0} - 1) / n each.
template <Real R>
R shuffling(const R& eps0, const R& n, const R& delta) {
  return strong_composition(R(2 * exp(2 * eps0) * expm1(eps0) / n), n, delta);
}

}  // namespace epsilary::bounds::erlingsson2019
