// Renyi differential privacy: what a mechanism's divergence of order lambda is, and what it says about
// (eps, delta). A moment is always carried as E_Q[(P/Q)^lambda] - 1: in the figures it is 1e-9 to 1e-5.
#pragma once

#include <concepts>
#include <type_traits>

#include "bounds/theory/composition.hpp"
#include "solvers/sums/expectation.hpp"

namespace epsilary::bounds::renyi {

using solvers::Moment;
using solvers::Scaled;

// Turns a moment minus one into the divergence, log(1 + m1) / (lambda - 1).
template <Real R>
R divergence(const Moment<R>& m1, const R& lambda) {
  const Moment<R> log_moment = log1p(m1);
  return plain<R>(log_moment) / (lambda - 1);
}

// Randomised response, the worst of all eps-DP mechanisms at every order:
// e^{lambda eps} + e^{(1-lambda) eps} - 1 - e^eps = (e^{lambda eps} - 1)(1 - e^{(1-lambda) eps}).
template <Real M>
M response_moment(const M& eps, const M& lambda) {
  return expm1(lambda * eps) * -expm1((1 - lambda) * eps) / (1 + exp(eps));
}
template <Real R>
R response(const R& eps, const R& lambda) {
  using M = Moment<R>;
  return divergence<R>(response_moment(M(eps), M(lambda)), lambda);
}

// N(mu, 1) against N(0, 1).
template <Real R>
R gaussian(const R& mu, const R& lambda) {
  return lambda * mu * mu / 2;
}

// What Lemma 2 adds to the divergence at order lambda = 1 + s, given l = log(1/delta):
// (l + s log(s/(1+s)) - log(1+s)) / s.
template <Real R>
R conversion_cost(const R& lambda, const R& log_delta) {
  const R s = lambda - 1;
  return (-log_delta - s * log1p(1 / s) - log1p(s)) / s;
}
template <Real R>
R to_epsilon(const R& rdp, const R& lambda, const R& log_delta) {
  return max(R(0), R(rdp + conversion_cost(lambda, log_delta)));
}
template <Real R>
R to_log_delta(const R& rdp, const R& lambda, const R& eps) {
  const R s = lambda - 1;
  return s * (rdp - eps) - s * log1p(1 / s) - log1p(s);
}

// The pair of the optimal conversion (Asoodeh et al. 2021): among all P, Q with P(S) - e^eps Q(S) = delta for
// some S, the least divergence is that of (r, 1 - r) against (q, 1 - q), q = (r - delta) e^{-eps}, for the r
// at which g(r) = r^lambda (r - delta)^{1-lambda} + (1 - r)^lambda (e^eps - r + delta)^{1-lambda} is least.
// g is convex with slope h(u) - h(v), h(x) = x^{lambda-1} (lambda - (lambda - 1) x), u = r/(r - delta),
// v = (1 - r)/(e^eps - r + delta), so r lies in [lambda delta, 1] and we solve for s = r - lambda delta.
template <Real R>
struct OptimalPair {
  R lambda, eps, delta;

  R r(const R& s) const { return lambda * delta + s; }
  R v(const R& s) const { return exp(log_v(s)); }
  // log h(u) - log h(v) at s = e^t: increasing in t. As lambda - (lambda - 1) u = s/(r - delta), every part is
  // small where lambda - 1 is.
  R slope_sign(const R& t) const {
    const R s = exp(t), ratio = log((lambda - 1) * delta) - t;  // log of (r - delta)/s - 1
    const R log_ratio = certainly(ratio > 30) ? R(ratio + log1p(exp(-ratio))) : R(log1p(exp(ratio)));
    return (lambda - 1) * log1p(delta / ((lambda - 1) * delta + s)) - log_ratio - log_h_v(s);
  }
  // Its derivative in t.
  R slope_rate(const R& t) const {
    const R s = exp(t), x = r(s), vs = v(s), E = exp(eps);
    const R dv = -(E - 1 + delta) / ((E - x + delta) * (E - x + delta));
    const R dlog_h = (lambda - 1) * lambda * (1 - vs) / (vs * (lambda - (lambda - 1) * vs)) * dv;
    return 1 + s * (-(lambda - 1) * delta / (x * (x - delta)) - 1 / (x - delta) - dlog_h);
  }

 private:
  R log_v(const R& s) const {
    const R x = r(s);
    return log1p(-x) - eps - log1p((delta - x) * exp(-eps));
  }
  R log_h_v(const R& s) const {
    const R lv = log_v(s);
    return (lambda - 1) * lv + log1p((lambda - 1) * -expm1(lv));
  }
};

// log s of the best r. The bracket is widened from the root of the equation with h(v) frozen.
template <Real R>
R optimal_log_s(const OptimalPair<R>& pair) {
  const R end = log(1 - pair.lambda * pair.delta);
  R low = min(R(end - 1), R(log(pair.delta) - (pair.lambda - 1) * pair.eps)), high = low;
  for (R step = 1; pair.slope_sign(low) > 0; step = 2 * step) low = low - step;
  for (R gap = end - high; pair.slope_sign(high) < 0; gap = gap / 2) high = end - gap / 2;
  return find_root<R>([&](const R& t) { return pair.slope_sign(t); }, low, high).value;
}

// The r itself, for lambda delta < 1. In balls it is enclosed, so that what is computed from it is too.
template <Real R>
R optimal_r(const R& lambda, const R& eps, const R& delta) {
  const OptimalPair<R> pair{lambda, eps, delta};
  if constexpr (!std::same_as<R, Ball>) {
    return pair.r(exp(optimal_log_s(pair)));
  } else {
    const OptimalPair<mp50> nearby{to_mp50(lambda), to_mp50(eps), to_mp50(delta)};
    return pair.r(exp(enclose_root<Ball>([&](const Ball& t) { return pair.slope_sign(t); },
                                         [&](const Ball& t) { return pair.slope_rate(t); }, optimal_log_s(nearby))));
  }
}

// At r = 1, the best where lambda delta >= 1: the divergence is eps - log(1 - delta).
template <Real R>
R divergence_of_certain_event(const R& lambda, const R& eps, const R& delta) {
  const R at_one = eps - log1p(-delta);
  if constexpr (std::same_as<R, Ball>) {
    // Where balls cannot tell lambda delta from 1, the tangent of g at 1 bounds what a smaller r could gain.
    const Ball off = 1 - lambda * delta;
    if (!certainly(off <= 0)) return Ball::hull(at_one, at_one + log1p(-off * off / (1 - delta)) / (lambda - 1));
  }
  return at_one;
}

// The least divergence of order lambda among all pairs with P(S) - e^eps Q(S) >= delta for some S. As the two
// outcomes' ratios have mean one, only their excess over it is summed, and nothing cancels.
template <Real R>
R least_divergence(const R& lambda, const R& eps, const R& delta) {
  using M = Moment<R>;
  if (certainly(delta <= 0)) return R(0);
  if (!certainly(lambda * delta < 1)) return divergence_of_certain_event(lambda, eps, delta);
  const R r = optimal_r(lambda, eps, delta);
  const M q = M(r - delta) * exp(M(-eps)), order(lambda);
  const M gap = M(-r * expm1(-eps)) + M(delta) * exp(M(-eps));  // r - q
  const M m1 = q * power_excess(order, M(gap / q)) + (1 - q) * power_excess(order, M(-gap / (1 - q)));
  return divergence<R>(m1, lambda);
}

// d/d eps of the above: (r - delta)(u^lambda - v^lambda) / g(r), between 0 and 1.
template <Real R>
R least_divergence_rate(const R& lambda, const R& eps, const R& delta) {
  if (!certainly(lambda * delta < 1)) return R(1);
  const R r = optimal_r(lambda, eps, delta), u = r / (r - delta), v = (1 - r) / (exp(eps) - r + delta);
  const R U = pow(u, lambda), V = pow(v, lambda);
  return (r - delta) * (U - V) / ((r - delta) * U + (exp(eps) - r + delta) * V);
}

// The optimal conversion: (lambda, rdp)-RDP gives (eps, delta)-DP once least_divergence(eps, delta) >= rdp, and
// for an ordered pair not before. In balls both ends of the answer are checked.
template <Real R>
R to_epsilon_optimal(const R& rdp, const R& lambda, const R& delta) {
  if (certainly(least_divergence(lambda, R(0), delta) >= rdp)) return R(0);
  const auto root = [](const auto& d, const auto& order, const auto& delta_) {
    using S = std::decay_t<decltype(d)>;
    const S high = to_epsilon(d, order, S(log(delta_)));
    return find_root<S>([&](const S& e) { return S(least_divergence(order, e, delta_) - d); }, S(0), S(high * 2)).value;
  };
  if constexpr (!std::same_as<R, Ball>) {
    return root(rdp, lambda, delta);
  } else {
    return enclose_root<Ball>([&](const Ball& e) { return least_divergence(lambda, e, delta) - rdp; },
                              [&](const Ball& e) { return least_divergence_rate(lambda, e, delta); },
                              root(to_mp50(rdp), to_mp50(lambda), to_mp50(delta)));
  }
}

}  // namespace epsilary::bounds::renyi
