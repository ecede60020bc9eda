// Concentrated privacy (zCDP, tCDP), its conversions, and the closed statements on DP-SGD.
#pragma once

#include <concepts>
#include <limits>

#include "bounds/theory/gaussian_tradeoff.hpp"
#include "bounds/theory/renyi.hpp"
#include "solvers/numbers/chance.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds {

// The order that converts rho-zCDP best: rho (alpha - 1)^2 = log(1/delta) - log alpha. Newton's method on it from the
// right, where it is convex; where a step would leave the orders above 1 it goes most of the way. Any order is valid,
// so for balls its midpoint is taken.
template <Real R>
R best_zcdp_order(const R& rho, const R& delta) {
  if constexpr (std::same_as<R, Ball>) {
    return number_as<Ball>(best_zcdp_order(to_mp50(rho), to_mp50(delta)));
  } else {
    const R l = -log(delta);
    R s = sqrt(l / rho);
    for (int i = 0; i < 100; ++i) {
      const R step = (rho * s * s - l + log1p(s)) / (2 * rho * s + 1 / (1 + s));
      s = max(R(s - step), R(s / 16));
      if (abs(step) <= abs(s) * std::numeric_limits<R>::epsilon()) break;
    }
    return 1 + s;
  }
}
template <Real R>
R zcdp_epsilon(const R& rho, const R& delta) {
  const R alpha = best_zcdp_order(rho, delta);
  return renyi::to_epsilon(R(rho * alpha), alpha, R(log(delta)));
}
template <Real R>
R zcdp_epsilon_simple(const R& rho, const R& delta) {
  return rho + 2 * sqrt(-rho * log(delta));
}
// (rho, omega)-tCDP: the orders stop at omega.
template <Real R>
R tcdp_epsilon(const R& rho, const R& omega, const R& delta) {
  const R best = best_zcdp_order(rho, delta), alpha = certainly(best < omega) ? best : omega;
  return renyi::to_epsilon(R(rho * alpha), alpha, R(log(delta)));
}
template <Real R>
R tcdp_epsilon_simple(const R& rho, const R& omega, const R& delta) {
  const R l = -log(delta), s = omega - 1;
  return branch(
      l < s * s * rho, [&] { return R(rho + 2 * sqrt(rho * l)); }, [&] { return R(rho * omega + l / s); });
}
// P[Z > t + rho] for (rho, omega)-tCDP.
template <Real R>
R tcdp_tail(const R& rho, const R& omega, const R& t) {
  const R s = omega - 1;
  return branch(
      t < 2 * rho * s, [&] { return R(exp(-t * t / (4 * rho))); }, [&] { return R(exp(s * s * rho - s * t)); });
}

// mu of the central limit theorem (Dong, Roth and Su 2022, Corollary 5.4) times n/(batch sqrt T), u = 1/sigma:
// sqrt(2 (e^{u^2} Phi(3u/2) + 3 Phi(-u/2) - 2)), written so that its leading term u^2/2 does not cancel.
template <Real R>
R clt_factor(const R& sigma) {
  const R u = 1 / sigma;
  return sqrt(2 * expm1(u * u) * normal_cdf(R(3 * u / 2)) + 2 * (normal_cdf(R(3 * u / 2)) - R(0.5)) -
              6 * (normal_cdf(R(u / 2)) - R(0.5)));
}
double clt_factor(double sigma);

// The adversary who is told which steps used the record: c ~ Binomial(T, p) Gaussian steps, the label revealed, so
// delta is the average of delta_{G_{sqrt(c)/sigma}}.
template <Real R>
R told_steps_delta(const R& eps, const R& T, const Chance<R>& p, const R& sigma) {
  return binomial_sum(T, p.yes, p.no, 1, R(1), [&](const R& c) { return gdp_delta(eps, R(sqrt(c) / sigma)); });
}

// A batch drawn afresh takes none of a group of g, or one of them at least.
template <Real R>
Chance<R> group_is_met(const R& n, const R& batch, double g) {
  R log_missed(0);
  for (double j = 0; j < g; ++j) log_missed += log1p(-batch / (n - R(j)));
  return {R(-expm1(log_missed)), R(exp(log_missed))};
}
// Two records, each epoch a partition that is told: c ~ Binomial(E, (b-1)/(n-1)) of the epochs have both in one batch.
template <Real R>
R two_records_delta(const R& eps, const R& epochs, const R& n, const R& batch, const R& sigma) {
  return binomial_sum(epochs, R((batch - 1) / (n - 1)), R((n - batch) / (n - 1)), 0, R(1),
                      [&](const R& c) { return gdp_delta(eps, R(sqrt(2 * (epochs + c)) / sigma)); });
}

// sqrt((1 +- 1/sqrt(2 g E)) g E)/sigma, the printed h (+) and h-bar (-).
template <Real R>
R told_steps_mu(const R& epochs, const R& sigma, const R& g, int sign) {
  const R hits = g * epochs;
  return sqrt((1 + sign / sqrt(2 * hits)) * hits) / sigma;
}

// All epochs at sigma but the last at sigma_hat.
template <Real R>
R adaptive_mu(const R& epochs, const R& sigma, const R& sigma_hat, const R& g) {
  return sqrt(g * ((epochs - 1) / (sigma * sigma) + 1 / (sigma_hat * sigma_hat)));
}

// sqrt(2 (eps + log(1/delta)) / eps).
template <Real R>
R claimed_sigma(const R& eps, const R& delta) {
  return sqrt(2 * (eps - log(delta)) / eps);
}

}  // namespace epsilary::bounds
