// Trade-off functions alpha -> beta: f_{eps,delta}, the subsampling operator C_p, group privacy.
#pragma once

#include "bounds/theory/gaussian.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds {

// f_{eps,delta}(alpha) = max{0, 1 - delta - e^eps alpha, e^{-eps} (1 - delta - alpha)}; the text prints min.
template <Real R>
R approximate_tradeoff(const R& alpha, const R& eps, const R& delta) {
  const R rest = 1 - delta;
  return max(R(0), max(R(rest - exp(eps) * alpha), R(exp(-eps) * (rest - alpha))));
}

// C_p of it: an infinite loss of mass p delta, masses x at log r and r x at -log r, r = 1 + p (e^eps - 1), the rest at
// 0 (PROOFS.md, subsampling). Its lines have the slopes -r, -1 and -1/r.
template <Real R>
R subsampled_approximate_tradeoff(const R& alpha, const R& p, const R& eps, const R& delta) {
  const R more = p * expm1(eps), x = (1 - delta) / (1 + exp(eps)), rest = 1 - p * delta;
  return max(R(0), max(R(rest - (1 + more) * alpha), max(R(rest - more * x - alpha), R((rest - alpha) / (1 + more)))));
}

// Groups of g under an (eps, delta) guarantee: g e^{(g-1) eps} delta, and the geometric sum it bounds.
template <Real R>
R group_delta(const R& eps, const R& delta, const R& g) {
  return g * exp((g - 1) * eps) * delta;
}
template <Real R>
R group_delta_sharp(const R& eps, const R& delta, const R& g) {
  if (certainly(eps <= 0)) return g * delta;
  return expm1(g * eps) / expm1(eps) * delta;
}

// 1 - (1 - f)^{o g} for f = f_{eps,delta}.
template <Real R>
R group_tradeoff(const R& alpha, const R& eps, const R& delta, const R& g) {
  R x = alpha;
  for (double i = 0, rounds = to_double(g); i < rounds; ++i) x = 1 - approximate_tradeoff(x, eps, delta);
  return 1 - x;
}

// The profile of C_p(G_mu) for eps >= 0: p delta_mu(log(1 + (e^eps - 1)/p)); and its inverse. Nobody chosen, nothing
// lost.
template <Real R>
R subsampled_delta(const R& eps, const R& p, const R& mu) {
  if (certainly(p <= R(0))) return R(0);
  return p * gdp_delta(R(log1p(expm1(eps) / p)), mu);
}
template <Real R>
R subsampled_epsilon(const R& delta, const R& p, const R& mu) {
  if (certainly(p <= R(0))) return R(0);
  const R inner = delta / p;
  if (certainly(inner >= 1)) return R(0);
  return subsampled(gdp_epsilon(inner, mu), p);
}

// C_p(G_mu) = min{f_p, f_p^{-1}}** with f_p = p G_mu + (1-p) Id. G_mu has slope -1 at x = Phi(-mu/2): f_p to the left
// of it, the line of slope -1 up to f_p(x), and the inverse of f_p beyond.
template <Real R>
R mixed_tradeoff(const R& alpha, const R& p, const R& mu) {
  return p * gdp_tradeoff(alpha, mu) + (1 - p) * (1 - alpha);
}
// The beta with f_p(beta) = alpha: at beta = Phi(-t), 1 - alpha = p Phi(mu - t) + (1-p) Phi(-t).
template <Real R>
R mixed_tradeoff_inverse(const R& alpha, const R& p, const R& mu) {
  if (certainly(alpha >= 1)) return R(0);
  if (certainly(alpha <= 0)) return R(1);
  const auto missed = []<Real N>(const N& t, const N& rate, const N& shift) {
    return N(rate * normal_cdf(N(shift - t)) + (1 - rate) * normal_cdf(N(-t)));
  };
  const auto excess = [&]<Real N>(const N& t) {
    return N(log(missed(t, number_as<N>(p), number_as<N>(mu))) - log(1 - number_as<N>(alpha)));
  };
  const auto slope = [&](const R& t) {
    return R(-(p * normal_density(R(mu - t)) + (1 - p) * normal_density(t)) / missed(t, p, mu));
  };
  const mp50 a = to_mp50(alpha), right = to_mp50(mu) + sqrt(2 * mp50(1 - log(1 - a))),
             left = -1 - sqrt(2 * mp50(1 - log(a)));
  return normal_cdf(R(-enclose_root<R>(excess, slope, left, right)));
}
template <Real R>
R subsampled_tradeoff(const R& alpha, const R& p, const R& mu) {
  const R x = normal_cdf(R(-mu / 2)), y = p * x + (1 - p) * (1 - x);  // G_mu(x) = x
  const auto right_of_x = [&] {
    return branch(
        alpha < y, [&] { return R(x + y - alpha); }, [&] { return mixed_tradeoff_inverse(alpha, p, mu); });
  };
  return branch(
      alpha <= x, [&] { return mixed_tradeoff(alpha, p, mu); }, right_of_x);
}

}  // namespace epsilary::bounds
