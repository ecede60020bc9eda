// Hiding among the clones: Feldman, McMillan and Talwar 2021. n clients apply the same eps0-LDP randomizer and
// the reports are shuffled.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "bounds/theory/profile.hpp"
#include "bounds/theory/renyi.hpp"
#include "solvers/sums/expectation.hpp"

namespace epsilary::bounds::clones {

// Theorem 3.1: log(1 + tanh(eps0/2) (8 sqrt(e^{eps0} log(4/delta)/n) + 8 e^{eps0}/n)).
template <Real R>
R closed_form(const R& eps0, const R& n, const R& delta) {
  const R E = exp(eps0);
  return log1p(tanh(eps0 / 2) * (8 * sqrt(E * log(4 / delta) / n) + 8 * E / n));
}

// It needs eps0 <= log(n / (16 log(2/delta))).
template <Real R>
R closed_form_margin(const R& eps0, const R& n, const R& delta) {
  return log(n / (16 * log(2 / delta))) - eps0;
}

// Epsilon by the closed form, or eps0 where that does not apply.
template <Real R>
R closed_form_or_eps0(const R& eps0, const R& n, const R& delta) {
  return branch(
      closed_form_margin(eps0, n, delta) >= 0, [&] { return R(min(eps0, closed_form(eps0, n, delta))); },
      [&] { return eps0; });
}

// What an (eps0, delta0)-LDP randomizer spends beside delta, with the quoted constant.
template <Real R>
R closed_form_leak(const R& eps, const R& eps0, const R& n, const R& delta0) {
  return (exp(eps) + 1) * (1 + exp(-eps0) / 2) * n * delta0;
}

// The pair that dominates every such shuffle: C ~ Bin(n-1, clone) others look like one of the two inputs, A of them
// like the first by fair coins, and the client itself does with probability alpha = e^{eps0}/(1+e^{eps0}) under P
// and 1 - alpha under Q. With i = a - 1 of c coins on the observed first count a, P and Q have mass pmf(i) times
// alpha + (1-alpha) t and (1-alpha) + alpha t, t = (c - i)/(i + 1).
template <Real M>
struct Clones {
  M n, eps0, clone, no_clone;
  M alpha = 1 / (1 + exp(-eps0)), other = exp(-eps0) * alpha;

  Clones(const M& n_, const M& eps0_, const M& leak = M(0))
      : n(n_), eps0(eps0_), clone(exp(-eps0_) * (1 - leak)), no_clone(leak * exp(-eps0_) - expm1(-eps0_)) {}
  // The blanket's pair: others hide with probability 2/(e^{eps0}+1) (PROOFS.md, convex).
  static Clones under_blanket(const M& n, const M& eps0) {
    Clones pair(n, eps0);
    pair.clone = 2 / (1 + exp(eps0));
    pair.no_clone = expm1(eps0) / (1 + exp(eps0));
    return pair;
  }

  // sum over c of P(C = c) sum over i with t <= `last` of pmf_c(i) f(t), for f between 0 and `ceiling`. What is
  // summed over i must not rise in c: a further clone is a post-processing.
  template <class F>
  M mean(const M& last, const M& ceiling, F f) const {
    const auto given = [&](double c) {
      // (c - i)/(i + 1) <= last from i = (c - last)/(1 + last) on; f is zero at what rounding adds below.
      const double from = std::max(0.0, std::floor((c - to_double(last)) / (1 + to_double(last))) - 1);
      return binomial_mean(
          Binomial<M>{M(c), M(0.5), M(0.5)}, from, M(0),
          [&](double i) {
            const M t = (M(c) - M(i)) / (M(i) + 1);
            return branch(
                t > last, [] { return M(0); }, [&] { return M(f(t)); });
          },
          [&](double, const M&) { return ceiling; }, [&](double, double) { return ceiling; });
    };
    return binomial_mean(
        Binomial<M>{n - 1, clone, no_clone}, 0.0, M(0), given, [](double, const M& v) { return v; },
        [&](double a, double) { return given(a); });
  }

  // The moment minus one, at any order, of the pair of C_r(f) for the trade-off function f of (P, Q): what taking part
  // with probability r leaves. sum over P > Q of Q (rho^lambda - 1)(1 - rho^{1-lambda}), rho = 1 + r (P/Q - 1).
  M subsampled_moment(const M& lambda, const M& r) const {
    const auto excess = [&](const M& gain) {  // of P/Q - 1
      const M loss = log1p(r * gain);
      return expm1(lambda * loss) * -expm1((1 - lambda) * loss);
    };
    return mean(M(1), excess(expm1(eps0)), [&](const M& t) {
      const M q = other + alpha * t;
      return q * excess(M((alpha - other) * max(M(0), M(1 - t)) / q));
    });
  }
};

// The same pair by its labels, for one slot among m held by the client with probability w (w = 1: the shuffle): each
// other slot shows the first or the second label with probability s each, and the client's own the first with
// probability alpha under P, 1 - alpha under Q. Over the labels of m such slots
//   dP = 1 - w + (w/(m s)) (alpha a + (1-alpha) b),  dQ = 1 - w + (w/(m s)) ((1-alpha) a + alpha b).
// `Labels` tells s from eps0 and the leak: for the clones s = e^{-eps0}/2, for the blanket 1/(e^{eps0}+1).
template <Real N>
struct LabelChance {
  N s, rest;  // rest = 1 - 2 s
};
struct AmongClones {
  template <Real N>
  static LabelChance<N> chance(const N& eps0, const N& leak) {
    return {exp(-eps0) * (1 - leak) / 2, leak * exp(-eps0) - expm1(-eps0)};
  }
};
struct UnderBlanket {
  template <Real N>
  static LabelChance<N> chance(const N& eps0, const N& leak) {
    return {(1 - leak) / (1 + exp(eps0)), tanh(eps0 / 2) + 2 * leak / (1 + exp(eps0))};
  }
};
template <class Labels, Real R>
struct SlotsOf {
  R m, eps0, w, leak = R(0);

  // Zero from eps0 on; whether two balls are equal they cannot tell, so who knows eps and eps0 exactly asks first.
  ProfileAt<R> operator()(const R& eps) const;
  // What the two labels weigh cancels to e^{-eps0} of it: more than a long double has.
  ProfileAt<double> in_more_digits(const double& eps) const requires std::same_as<R, double> {
    const Ball::Precision bits(192);
    const auto [delta, null] = SlotsOf<Labels, Ball>{Ball(m), Ball(eps0), Ball(w), Ball(leak)}(Ball(eps));
    const auto scaled = [](const Ball& x) {
      return certainly(x > 0) ? Scaled::exp_of(log(x).midpoint()) : Scaled(std::max(0.0, x.midpoint()));
    };
    return {scaled(delta), scaled(null)};
  }
  // From here on delta is zero.
  double most() const {
    const double e0 = to_double(eps0), p = to_double(w), alpha = 1 / (1 + std::exp(-e0));
    const double odds = p / Labels::chance(e0, to_double(leak)).s;
    return std::log((1 - p + odds * alpha) / (1 - p + odds * alpha * std::exp(-e0)));
  }
};
template <Real R>
using LabelledSlots = SlotsOf<AmongClones, R>;
template <Real R>
using BlanketSlots = SlotsOf<UnderBlanket, R>;

// The epsilon at which the clones' delta is the one asked.
template <Real R>
R clones_epsilon(const R& eps0, const R& n, const R& delta, const R& leak);

}  // namespace epsilary::bounds::clones
