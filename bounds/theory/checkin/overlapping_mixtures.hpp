// The lemmas behind every theorem of Balle, Kairouz, McMahan, Thakkar and Thakurta,
// "Privacy Amplification via Random Check-Ins" (2020), Appendix A.
#pragma once

#include <optional>

#include "bounds/theory/subsampling.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::bounds::checkin {

// Lemma A.2 in the form every theorem uses it: steps whose squared epsilons sum to at most A give
// A/2 + sqrt(2 A log(1/delta)).
template <Real R>
R two_term(const R& A, const R& delta) {
  return A / 2 + sqrt(-2 * A * log(delta));
}

// Lemma A.1: the likelihood ratio left of e^{eps0} when the record is used with probability q,
// e^{eps0} / (1 + q (e^{eps0} - 1)).
template <Real R>
R overlapping_mixture(const R& eps0, const R& q) {
  return 1 / (q + (1 - q) * exp(-eps0));
}

// Lemma A.3: how often the rejection step repeats, log(2/delta1) / log(1/(1 - e^{-5 eps0})).
template <Real R>
R rejection_rounds(const R& eps0, const R& delta1) {
  return log(2 / delta1) / -log1mexp(R(5 * eps0));
}

// Lemma A.3: the largest delta0 it admits, when the rejection step repeats `rounds` times.
template <Real R>
R admissible_delta0(const R& eps0, const R& delta1, const R& rounds) {
  return -expm1(-eps0) * delta1 / (4 * exp(eps0) * (2 + rounds));
}

// Lemma A.6: with probability 1 - delta the bin loads have Euclidean norm at most this.
template <Real R>
R load_norm(const R& n, const R& m, const R& delta) {
  return sqrt(n + n * n / m) + sqrt(-n * log(delta));
}

// The same deviation around the exact mean of the squared norm, n (1 - 1/m) + n^2/m.
template <Real R>
R load_norm_exact_mean(const R& n, const R& m, const R& delta) {
  return sqrt(n * (m - 1 + n) / m) + sqrt(-n * log(delta));
}

// Lemma A.3: the least delta1 that admits delta0 > 0, as a number to search with; the hypothesis proves it.
template <Real R>
R least_delta1(const R& eps0, const R& delta0) {
  const R factor = 4 * exp(eps0) * delta0 / -expm1(-eps0);
  R delta1 = factor * (2 + rejection_rounds(eps0, delta0));
  for (int i = 0; i < 60; ++i) delta1 = factor * (2 + rejection_rounds(eps0, delta1));
  return delta1;
}

// log(count (e^eps + 1) distance): what replacing `count` calls of an approximate randomizer by a pure one at that
// total-variation distance costs; nothing at distance 0. eps may be far beyond log(1e300).
template <Real R>
std::optional<R> log_approximation_cost(const R& count, const R& eps, const R& distance) {
  if (certainly(distance <= 0)) return {};
  return log(count * distance) + eps + log1p(exp(-eps));
}

}  // namespace epsilary::bounds::checkin
