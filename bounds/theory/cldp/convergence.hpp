// Convergence of CLDP-SGD on convex losses: Girgis et al. 2021, Lemmas 4 and 5 and Theorem 1, part 3. Gradients
// have l_p norm at most L; the server averages k = q n messages a round.
#pragma once

#include "bounds/theory/checkin/risk.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds::cldp {

// (e^{eps0} + 1) / (e^{eps0} - 1), the factor by which a sign must be stretched to stay unbiased.
template <Real R>
R coth_half(const R& eps0) {
  return 1 / tanh(eps0 / 2);
}

// Lemma 4: L^2 stretch (1 + c d/k coth^2(eps0/2)).
template <Real R>
R second_moment(const R& lipschitz, const R& dim, const R& stretch, const R& messages, const R& eps0, int c) {
  const R coth = coth_half(eps0);
  return lipschitz * lipschitz * stretch * (1 + c * dim / messages * coth * coth);
}

// (6), with the constant of the O(.) taken as 1: L D log T sqrt(stretch c d/(k T)) coth(eps0/2).
template <Real R>
R risk_rate(const R& lipschitz, const R& diameter, const R& dim, const R& stretch, const R& messages, const R& eps0,
            const R& T, int c) {
  return lipschitz * diameter * log(T) * sqrt(stretch * c * dim / (messages * T)) * coth_half(eps0);
}

// The constants c as printed, and those that the variances of the mechanisms give.
template <Real R>
int printed_c(const Values<R>& x) {
  return is_sign_norm(x) ? 4 : 14;
}
template <Real R>
int tight_c(const Values<R>& x) {
  return is_sign_norm(x) ? 1 : 6;
}

template <Real R>
R moment(const Values<R>& x, int c) {
  return second_moment(x[Param::lipschitz], x[Param::dim], squared_stretch(x), x[Param::per_round], x[Param::eps0], c);
}

}  // namespace epsilary::bounds::cldp
