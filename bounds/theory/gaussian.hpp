// Gaussian differential privacy: the trade-off function G_mu, its (eps, delta) profile and their inverses.
#pragma once

#include <concepts>

#include "solvers/numbers/functions.hpp"
#include "solvers/search/enclose.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds {

using namespace solvers;

// delta(eps) of G_mu, equation (6), in any number type without cancelling more than the precision pays for.
template <Real R>
R gdp_delta(const R& eps, const R& mu) {
  return normal_cdf(R(mu / 2 - eps / mu)) - exp(eps) * normal_cdf(R(-mu / 2 - eps / mu));
}
// In double through the Mills ratio r: delta = phi(A) (r(-A) - r(-B)), A, B = -eps/mu +- mu/2.
double gdp_log_delta(double eps, double mu);
double gdp_delta(double eps, double mu);
template <Real R>
R gdp_log_delta(const R& eps, const R& mu) {
  return log(gdp_delta(eps, mu));
}

// d log delta / d eps = -e^eps Phi(B) / delta and d log delta / d mu = phi(A) / delta, for Newton's steps alone.
template <Real R>
R gdp_delta_by_eps(const R& eps, const R& mu) {
  return -exp(eps) * normal_cdf(R(-mu / 2 - eps / mu));
}
template <Real R>
R normal_density(const R& x) {
  return exp(-x * x / 2) / sqrt(2 * pi<R>());
}

// Phi(-x)/phi(x) of a large x, 1/x - 1/x^3 + 3/x^5 - ..., which is off by less than the first term left out.
template <Real R>
R far_mills_ratio(const R& x) {
  const R small = ldexp(R(1), -carried_bits<R>());
  R term = 1 / x, sum = term;
  for (int odd = 1;; odd += 2) {
    term *= -odd / (x * x);
    if (certainly(abs(term) <= sum * small)) break;
    sum += term;
  }
  if constexpr (std::same_as<R, Ball>) sum = Ball::hull(sum - abs(term), sum + abs(term));
  return sum;
}

// Of a large mu, with eps = mu^2/2 + mu z: delta = Phi(-z) - phi(z) Phi(-mu - z)/phi(mu + z), and no exponential of
// eps.
template <Real R>
R far_gdp_epsilon(const R& delta, const R& mu) {
  const auto at = [&]<Real N>(const N& z) {
    return N(normal_cdf(N(-z)) - normal_density(z) * far_mills_ratio(N(number_as<N>(mu) + z)));
  };
  const auto excess = [&]<Real N>(const N& z) { return N(log(at(z)) - log(number_as<N>(delta))); };
  const auto slope = [&](const R& z) { return R(-normal_density(z) * mu * far_mills_ratio(R(mu + z)) / at(z)); };
  const mp50 d = to_mp50(delta);
  const R z = enclose_root<R>(excess, slope, -sqrt(2 * mp50(1 - log(mp50(1 - d)))), sqrt(2 * mp50(1 - log(d))));
  return mu * (mu / 2 + z);
}

// The least eps with delta(eps) <= delta; 0 when delta(0) = erf(mu / sqrt 8) is already below.
template <Real R>
R gdp_epsilon(const R& delta, const R& mu) {
  if (certainly(mu >= R(10000)) && certainly(delta <= R(0.5))) return far_gdp_epsilon(delta, mu);
  const R at_zero = gdp_delta(R(0), mu);
  if (certainly(at_zero <= delta)) return R(0);
  const mp50 target = log(to_mp50(delta)), mid_mu = to_mp50(mu);
  const mp50 reach = mid_mu * (mid_mu / 2 + sqrt(2 * mp50(1 - target)));  // Phi(A) <= delta/e there
  const auto excess = [&]<Real N>(const N& e) {
    return N(gdp_log_delta(e, number_as<N>(mu)) - log(number_as<N>(delta)));
  };
  const auto slope = [&](const R& e) { return R(gdp_delta_by_eps(e, mu) / gdp_delta(e, mu)); };
  return enclose_root<R>(excess, slope, mp50(0), reach);
}

// The largest mu with delta(eps) <= delta.
template <Real R>
R gdp_mu(const R& eps, const R& delta) {
  const auto excess = [&]<Real N>(const N& m) {
    return N(gdp_log_delta(number_as<N>(eps), m) - log(number_as<N>(delta)));
  };
  const auto slope = [&](const R& m) { return R(normal_density(R(m / 2 - eps / m)) / gdp_delta(eps, m)); };
  mp50 low = 1, high = 1;
  while (excess(low) > 0) low = low / 2;
  while (excess(high) < 0) high = high * 2;
  return enclose_root<R>(excess, slope, low, high);
}

// G_mu(alpha) = Phi(-Phi^{-1}(alpha) - mu): no 1 - alpha.
template <Real R>
R gdp_tradeoff(const R& alpha, const R& mu) {
  if (certainly(alpha <= 0)) return R(1);
  if (certainly(alpha >= 1)) return R(0);
  return normal_cdf(R(-normal_quantile(alpha) - mu));
}

}  // namespace epsilary::bounds
