// Random check-ins with a fixed window: Theorem 3.2, Corollary 3.3, Theorem A.4, and sharper forms.
#pragma once

#include <optional>
#include <utility>

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/composition.hpp"

namespace epsilary::bounds::checkin {

// Theorem 3.2 (w = p0), Theorem A.4, Theorem 4.3 (w = 1): one of m slots holds the record with
// probability at most w. A = w^2 e^{eps0} (e^{eps0} - 1)^2 / m.
template <Real R>
R replacement_squares(const R& eps0, const R& m, const R& w) {
  const R x0 = expm1(eps0), used = w * x0;
  return used * used * (1 + x0) / m;
}
template <Real R>
R random_replacement(const R& eps0, const R& m, const R& w, const R& delta) {
  return two_term(replacement_squares(eps0, m, w), delta);
}

// For eps0 <= 1 and delta <= 1/100: 7 w eps0 sqrt(log(1/delta)/m).
template <Real R>
R random_replacement_simple(const R& w_eps0, const R& m, const R& delta) {
  return 7 * w_eps0 * sqrt(-log(delta) / m);
}

// The posterior of the chosen slot grows by 1/(1 - w (1 - e^{-eps0})) only, not by e^{eps0}: an earlier
// slot held the record with probability w at most. A = w^2 (e^{eps0} - 1)^2 / (m (1 - w (1 - e^{-eps0}))).
// Equal to Theorem 3.2 at w = 1.
template <Real R>
R posterior_left(const R& eps0, const R& w) {
  return (1 - w) + w * exp(-eps0);
}
template <Real R>
R posterior_squares(const R& eps0, const R& m, const R& w) {
  const R used = w * expm1(eps0);
  return used * used / (m * posterior_left(eps0, w));
}
template <Real R>
R random_replacement_posterior(const R& eps0, const R& m, const R& w, const R& delta) {
  return two_term(posterior_squares(eps0, m, w), delta);
}

// Log of what an (eps0, delta0) randomizer costs whose own calls are clipped to the call of another record:
// w delta0 (1 + e^eps + (2 + e^{eps0}) Lam), Lam = log(1/(1-b))/b, 1-b as above; nothing at w delta0 = 0.
template <Real R>
std::optional<R> log_clipping_cost(const R& eps0, const R& delta0, const R& w, const R& eps) {
  if (certainly(w * delta0 <= 0)) return {};
  const R left = posterior_left(eps0, w);
  const R lam = -log(left) / (w * -expm1(-eps0));
  return log(w * delta0) + log_add(eps, R(log(1 + (2 + exp(eps0)) * lam)));
}

// A slot is used unless every one of n clients misses it, each of whom picks it with probability p0/m:
// 1 - (1 - p0/m)^n. Of a sliding window it is in the windows of n = m clients, p0 = 1.
template <Real R>
Chance<R> slot_is_used(const R& n, const R& m, const R& p0) {
  if (certainly(m <= p0)) return {R(1), R(0)};
  const R missed = n * log1p(-p0 / m);
  R yes = -expm1(missed), no = exp(missed);
  return {std::move(yes), std::move(no)};
}

// Corollary 3.3: n/m repetitions with p0 = m/n, each at failure probability beta.
template <Real R>
R repeated_once(const R& eps0, const R& n, const R& m, const R& beta) {
  return random_replacement(eps0, m, R(m / n), beta);
}
template <Real R>
R repeated(const R& eps0, const R& n, const R& m, const R& beta, const R& delta) {
  return strong_composition(repeated_once(eps0, n, m, beta), R(n / m), delta);
}
// The closed form needs neither of these to be negative, and log(1/beta) >= 1/512.
template <Real R>
R closed_margin_eps0(const R& eps0, const R& n, const R& m) {
  return 2 * log(n / (8 * sqrt(m))) / 3 - eps0;
}
template <Real R>
R closed_margin_n(const R& eps0, const R& n, const R& m, const R& beta) {
  const R x0 = expm1(eps0);
  return n + x0 * x0 * (1 + x0) * sqrt(m) * log(beta);
}
// The closed form 4 x0 sqrt(E0 l(beta) l(delta)/n) + constant x0^2 E0 l(beta)/n.
template <Real R>
R repeated_closed(const R& eps0, const R& n, const R& beta, const R& delta, const R& constant) {
  const R x0 = expm1(eps0), share = (1 + x0) * -log(beta) / n;
  return x0 * (4 * sqrt(share * -log(delta)) + constant * x0 * share);
}

}  // namespace epsilary::bounds::checkin
