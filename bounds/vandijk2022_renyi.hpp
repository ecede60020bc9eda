// Renyi moments of one step of DP-SGD, carried minus one.
#pragma once

#include "bounds/vandijk2022_concentrated.hpp"

namespace bounds::vandijk2022 {

// E_Q[(P/Q)^lambda] - 1 for Poisson sampling, P = (1-p) N(0,1) + p N(mu,1), Q = N(0,1); the other direction is smaller
// (Mironov, Talwar and Zhang 2019). It is the integral of phi(t) (rho^lambda - 1 - lambda (rho - 1)) over the line,
// rho = 1 + p (e^{mu t - mu^2/2} - 1), by the trapezoidal rule. In |Im t| <= a < pi/mu the integrand is analytic and
// |rho(t)| <= rho(Re t), so the rule errs by at most 2 e^{a^2/2} (M + 1 + 2 lambda)/(e^{2 pi a/h} - 1), where
// M = e^{lambda (lambda - 1) mu^2/2} bounds the moment. The terms are positive; beyond the ends they are below
// M phi(t - lambda mu) on the right and (lambda - 1) phi(t) on the left.
template <Real R>
R poisson_moment(const R& lambda, const R& p, const R& mu) {
  const double l = to_double(lambda), m = to_double(mu), rate = to_double(p);
  const double log_most = l * (l - 1) * m * m / 2;
  const double log_small = std::min(0.0, std::log(l * (l - 1) * rate * rate * std::expm1(std::min(m * m, 600.0)) / 2));
  const double nats = carried_bits<R>() * 0.6932 - log_small, a = std::min(3 / m, 6.0);
  const double h = 2 * M_PI * a / (nats + log_most + a * a / 2 + std::log(3 + 2 * l));
  const double reach = std::sqrt(2 * (nats + std::log(l + 1))), right = l * m + std::sqrt(2 * (nats + log_most));
  R sum = R(0);
  const double first = std::floor(-reach / h), last = std::ceil(right / h);
  for (double k = first; k <= last; ++k) {
    const R t = R(k) * R(h), loss = log1p(p * expm1(mu * t - mu * mu / 2));
    sum += exp(-t * t / 2) * (expm1(lambda * loss) - lambda * expm1(loss));
  }
  sum = sum * R(h) / sqrt(2 * pi<R>());
  if constexpr (std::same_as<R, Ball>) {
    const Ball most = exp(lambda * (lambda - 1) * mu * mu / 2), width(a), step(h);
    const Ball rule = 2 * exp(width * width / 2) * (most + 1 + 2 * lambda) / expm1(2 * Ball::pi() * width / step);
    const Ball left = step * Ball(first), top = step * Ball(last) - lambda * mu;
    const Ball ends = (lambda - 1) * (normal_cdf(left) + step * normal_density(left)) +
                      most * (normal_cdf(-top) + step * normal_density(top));
    return Ball::hull(sum - rule, sum + rule + ends);
  }
  return sum;
}

// The same for C_p(G_mu): the integral of phi (rho^lambda - 1)(1 - rho^{1-lambda}) over t > mu/2.
double subsampled_moment(double lambda, double p, double mu);
Ball subsampled_moment(const Ball& lambda, const Ball& p, const Ball& mu);
inline mp50 subsampled_moment(const mp50& lambda, const mp50& p, const mp50& mu) {
  const Ball::Precision bits(200);
  const auto ball = [](const mp50& x) {
    Ball r;
    arf_set_mpfr(arb_midref(r.arb()), x.backend().data());
    return r;
  };
  return to_mp50(subsampled_moment(ball(lambda), ball(p), ball(mu)));
}

}  // namespace bounds::vandijk2022
