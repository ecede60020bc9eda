// Private mean estimation with few bits: Girgis et al. 2021, Theorems 2, 3 and 4, Algorithm 2 and Lemma 2.
// n clients hold vectors of l_p norm at most `radius` in `dim` dimensions; the error is squared Euclidean.
#pragma once

#include "bounds/theory/cldp/communication.hpp"
#include "bounds/theory/cldp/convergence.hpp"

namespace epsilary::bounds::cldp {

// Lemma 2: E |R(x) - x|^2 = a^2 d^2 coth^2(eps0/2) - |x|^2, because |R(x)| is constant and its mean is x.
template <Real R>
R squared_length(const R& radius, const R& dim, const R& eps0) {
  const R length = radius * dim * coth_half(eps0);
  return length * length;
}

// Theorem 4 for p = 1 and p = 2: factor a^2 d coth^2(eps0/2) / n.
template <Real R>
R mean_risk(const R& radius, const R& dim, const R& n, const R& eps0, int factor) {
  const R coth = coth_half(eps0);
  return factor * radius * radius * dim / n * coth * coth;
}

// The risk of guessing 0: the longest vector of the ball, squared.
template <Real R>
R guessing_risk(const Values<R>& x) {
  return x[Param::radius] * x[Param::radius] * squared_stretch(x);
}

// Theorem 2, the order of the minimax risk: below p = 2 and from p = 2 on.
template <Real R>
R minimax_rate_small(const R& radius, const R& dim, const R& n, const R& eps0) {
  return radius * radius * min(R(1), R(dim / (n * eps0 * eps0)));
}
template <Real R>
R minimax_rate_large(const R& radius, const R& dim, const R& stretch, const R& n, const R& eps0) {
  return radius * radius * stretch * min(R(1), R(dim / (n * min(eps0, R(eps0 * eps0)))));
}

// The risk left by messages from B symbols, decoded one by one and averaged. All clients may hold the same x,
// so the risk is at least |x - y(x)|^2 with y(x) in the hull of the B decoded vectors, which has at most B - 1
// dimensions; of x and -x one misses the part of x orthogonal to them. From p = 2 on some x of the ball has at least
// (d - B + 1)^{1 - 2/p} of it, the Kolmogorov width; below, on average over coordinate vectors, (d - B + 1)/d, and some
// unit vector has all of it (PROOFS.md, messages).
template <Real R>
R few_symbols_risk(const R& radius, const R& dim, const R& p, const R& symbols) {
  const R left = dim - symbols + 1;
  return radius * radius *
         branch(
             p < R(2), [&] { return R(max(R(pow(dim, R(1 - 2 / p))), R(left / dim))); },
             [&] { return R(pow(max(R(1), left), R(1 - 2 / p))); });
}
template <Real R>
R few_symbols_risk(const R& radius, const R& dim, const R& symbols) {
  return radius * radius * max(R(1), R(dim - symbols + 1));
}

}  // namespace epsilary::bounds::cldp
