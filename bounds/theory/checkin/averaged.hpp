// Random check-ins with averaged updates: Theorem 4.1 and A.5 of Balle et al. 2020.
#pragma once

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds::checkin {

// Theorem A.5, given the Euclidean norm of the loads: A = e^{4 eps0} (e^{eps0} - 1)^2 (load/n)^2.
template <Real R>
R averaged_given_load(const R& eps0, const R& n, const R& load, const R& delta) {
  const R x0 = expm1(eps0), E0 = 1 + x0, root = E0 * E0 * x0 * load / n;
  return two_term(R(root * root), delta);
}

// Theorem 4.1: the loads exceed Lemma A.6 with probability delta2, so delta + delta2 is spent.
template <Real R>
R averaged(const R& eps0, const R& n, const R& m, const R& delta, const R& delta2) {
  return averaged_given_load(eps0, n, load_norm(n, m, delta2), delta);
}

// The share of the total delta that Theorem 4.1 should keep for itself. Every share gives a valid bound, so
// the search needs no proof. It is rounded to a short decimal so that the parts can be read off and reused.
template <Real R>
R best_share(const R& eps0, const R& n, const R& m, const R& total) {
  const auto at_logit = [&](const R& u) {
    const R f = 1 / (1 + exp(-u));
    return averaged(eps0, n, m, R(total * f), R(total * (1 - f)));
  };
  const R u = minimise<R>(at_logit, R(-12), R(12)).at.value;
  return 1 / (1 + exp(-u));
}

}  // namespace epsilary::bounds::checkin
