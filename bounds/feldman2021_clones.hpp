// Hiding among the clones: Feldman, McMillan and Talwar 2021. n clients apply the same eps0-LDP randomizer and
// the reports are shuffled.
#pragma once

#include "bounds/renyi.hpp"

namespace bounds::feldman2021 {

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

// The pair that dominates every such shuffle: C ~ Bin(n-1, clone) others look like one of the two inputs, A of them
// like the first by fair coins, and the client itself does with probability alpha = e^{eps0}/(1+e^{eps0}) under P
// and 1 - alpha under Q. With i = a - 1 of c coins on the observed first count a, P and Q have mass pmf(i) times
// alpha + (1-alpha) t and (1-alpha) + alpha t, t = (c - i)/(i + 1).
template <Real M>
struct Clones {
  M n, eps0, clone;
  M alpha = 1 / (1 + exp(-eps0)), other = exp(-eps0) * alpha;

  Clones(const M& n_, const M& eps0_, const M& leak = M(0)) : n(n_), eps0(eps0_), clone(exp(-eps0_) * (1 - leak)) {}

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
            const M t = (M(c) - i) / (i + 1);
            return t > last ? M(0) : M(f(t));
          },
          [&](double, const M&) { return ceiling; }, [&](double, double) { return ceiling; });
    };
    return binomial_mean(
        Binomial<M>{n - 1, clone, 1 - clone}, 0.0, M(0), given, [](double, const M& v) { return v; },
        [&](double a, double) { return given(a); });
  }

  // P(S) - e^eps Q(S) at its largest. Positive terms only: pmf(i) (A - B t), A = alpha - e^eps (1-alpha), where the
  // ratio P/Q exceeds e^eps.
  M delta(const M& eps) const {
    if (!(eps < eps0)) return M(0);
    const M A = -other * expm1(eps - eps0) * exp(eps0), B = exp(eps) * alpha - other;
    return mean(M(A / B), A, [&](const M& t) { return max(M(0), M(A - B * t)); });
  }
  // Q(S) for the same S, which is -e^{-eps} times the derivative of delta.
  M null_mass(const M& eps) const {
    const M A = -other * expm1(eps - eps0) * exp(eps0), B = exp(eps) * alpha - other;
    return mean(M(A / B), M(1), [&](const M& t) { return other + alpha * t; });
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

// The epsilon at which the clones' delta is the one asked. In balls both ends are checked.
template <Real R>
R clones_epsilon(const R& eps0, const R& n, const R& delta, const R& leak) {
  const Clones<Scaled> nearby{Scaled(to_double(n)), Scaled(to_double(eps0)), Scaled(to_double(leak))};
  const double target = to_double(R(log(delta))), most = to_double(eps0);
  const auto excess = [&](double e) { return target - to_double(log(nearby.delta(e))); };
  if (excess(0.0) >= 0) return R(0);
  const double top = most * (1 - 1e-15);
  const double guess = excess(top) <= 0 ? top : find_root<double>(excess, 0.0, top).value;
  if constexpr (std::same_as<R, double>) {
    return guess;
  } else {
    const Clones<R> pair{n, eps0, leak};
    const auto above = [&](const R& e) { return R(log(delta) - log(pair.delta(e))); };
    const auto rate = [&](const R& e) { return R(exp(e) * pair.null_mass(e) / pair.delta(e)); };
    // Newton's method from the double, whose 45 bits double with each step.
    R e(guess);
    for (long known = 45; known < carried_bits<R>(); known *= 2) {
      e = e - above(e) / rate(e);
      if constexpr (std::same_as<R, Ball>) mag_zero(arb_radref(e.arb()));
    }
    if constexpr (std::same_as<R, Ball>) return prove_root(above, e);
    return e;
  }
}

}  // namespace bounds::feldman2021
