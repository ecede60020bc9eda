// What no analysis of shuffled check-in can beat: binary randomised response on equal data, Self check-in 2022,
// Theorem 3, and its exact divergence.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/shuffled.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds::equal_data {

// C(lambda,2) gamma (e^{eps0}-1)^2 / (n e^{eps0}): the second-order term, where E[(K/n)^2 / K] = gamma/n exactly.
template <Real R>
R second_order(const R& eps0, const R& n, const R& gamma, const R& lambda) {
  return lambda * (lambda - 1) / 2 * gamma * expm1(eps0) * expm1(eps0) / (n * exp(eps0));
}
// What the printed Chernoff bound leaves of it.
template <Real R>
R chernoff_share(const R& Delta, const R& expected) {
  return -expm1(-Delta * Delta * expected / (2 + Delta)) / (1 + Delta);
}

// The moment minus one of k shuffled responses of n, all clients holding 0 and the one in question 1 with probability
// r under P: P/Q = 1 + z, z = 2 r sinh(eps0) (m/k - p), m ~ Bin(k, p) ones, p = 1/(e^{eps0}+1). As z has mean zero
// only its excess is summed. nu = lambda is E_Q (P/Q)^lambda, nu = 1 - lambda the other direction.
template <Real M>
M response_moment(const M& eps0, double k, const M& r, const M& nu) {
  const M p = 1 / (1 + exp(eps0)), q = 1 / (1 + exp(-eps0)), x = r * expm1(eps0) * (1 + exp(-eps0)), reports(k);
  const auto z = [&](double m) { return x * (M(m) / reports - p); };
  const auto f = [&](double m) { return power_excess(nu, z(m)); };
  // The excess is convex and zero at z = 0. Above, it is below (1 + z)^nu, or below -nu x m/k if nu is negative.
  const auto above = [&](double m, const M&) {
    return branch(
        nu > M(0), [&] { return M(exp(nu * log1p(z(m)))); }, [&] { return M(-nu * x * M(m) / reports); });
  };
  const M degree = branch(
      nu > M(0), [&] { return nu; }, [] { return M(1); });
  return binomial_mean(Binomial<M>{reports, p, q}, 0.0, degree, f, above, [&](double a, double) { return f(a); });
}

// The same for check-in. Given K = k the pair is log(1 + x)-DP, x = r (e^{eps0} - 1), so its moment is at most that of
// randomised response, ((1+x)^lambda - 1)(1 - (1+x)^{1-lambda})/(2 + x). As y e^y/(e^y - 1) <= 1 + y and y/(e^y - 1) <=
// 1 it grows from k to k + 1 at most by (1 + 1/k)^2 e^s, s = lambda (e^{eps0} - 1)/n: under the law tilted by e^{sK}
// only the square is left. Where s is large, by (1 + 1/k)^{lambda + 1}: both hold everywhere. nu is as above.
template <Real M>
M response_checkin_moment(const M& eps0, const M& n, const Chance<M>& gamma, const M& lambda, const M& nu) {
  const auto at_most = [&](double k) { return renyi::response_moment(subsampled(eps0, M(M(k) / n)), lambda); };
  const M steep = lambda * expm1(eps0) / n;
  const bool tilts = certainly(steep < M(0.25));
  const M s = tilts ? steep : M(0), odds = gamma.yes * expm1(s);
  const Binomial<M> tilted{n, gamma.yes * exp(s) / (1 + odds), gamma.no / (1 + odds)};
  const auto untilted = [&](double k) { return exp(n * log1p(odds) - s * M(k)); };
  return binomial_mean(
      tilted, 1.0, tilts ? M(2) : M(lambda + 1),
      [&](double k) { return untilted(k) * response_moment(eps0, k, M(M(k) / n), nu); },
      [&](double k, const M&) { return untilted(k) * at_most(k); },
      [&](double a, double b) { return untilted(a) * at_most(b); });
}

template <Real R>
Moment<R> checkin_moment(const Values<R>& x, const R& nu) {
  using M = Moment<R>;
  return response_checkin_moment(M(x[Param::eps0]), M(x[Param::n]), chance_of<M>(x, Param::gamma), M(x[Param::lambda]),
                                 M(nu));
}
template <Real R>
Moment<R> given_moment(const Values<R>& x, const R& nu) {
  using M = Moment<R>;
  return response_moment(M(x[Param::eps0]), count_of(x[Param::per_round]), M(x[Param::per_round] / x[Param::n]), M(nu));
}

// The larger of both directions, as neither dominates the other.
template <Real R>
Answer<R> both_directions(const Moment<R>& forward, const Moment<R>& reverse, const R& order) {
  const R there = renyi::divergence<R>(forward, order), back = renyi::divergence<R>(reverse, order);
  return {.value = max(there, back),
          .beside = {{"forward", there},
                     {"reverse", back},
                     {"forward_moment", plain<R>(forward)},
                     {"reverse_moment", plain<R>(reverse)}}};
}

}  // namespace epsilary::bounds::equal_data
