#include "bounds/theory/dpsgd/renyi.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <vector>

#include "bounds/theory/concentrated.hpp"
#include "solvers/search/minimise.hpp"
#include "solvers/sums/integrate.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds::dpsgd {
namespace {

double loss_at(double t, double p, double mu) {
  const double w = mu * t - mu * mu / 2;
  return w < 500 ? std::log1p(p * std::expm1(w)) : std::log(p) + w;
}

// Poisson sampling: m = E_Q[(P/Q)^lambda] - 1 is the integral of g = phi(t) (rho^lambda - 1 - lambda (rho - 1)) over
// the line, by the trapezoidal rule with step h. In |Im t| <= a < pi/mu the integrand is analytic and |rho(t)| <=
// rho(Re t), so the rule errs by at most eta (m + 2 + 2 lambda), eta = 2 e^{a^2/2}/(e^{2 pi a/h} - 1). The terms are
// positive; left of the first they are below (lambda - 1) phi(t), right of the last, beyond lambda mu, phi rho^lambda
// falls.
struct Rule {
  double a, h, first, last;
};
// About the logarithm of the integral where it is small; of an order next to one and of much noise a double holds
// neither lambda - 1 nor mu^2.
template <Real R>
double log_small(const R& lambda, const R& p, const R& mu) {
  const R square = mu * mu;
  return to_double(log(lambda * (lambda - 1) / 2)) + 2 * to_double(log(p)) +
         (to_double(square) < 600 ? to_double(log(R(expm1(square)))) : 600);
}
Rule rule_for(double lambda, double small, double mu, double bits) {
  const double nats = bits * 0.6932 - std::min(0.0, small), a = std::min(3 / mu, 6.0);
  const double h = 2 * M_PI * a / (nats + a * a / 2 + std::log(3 + 2 * lambda));
  const double left = std::sqrt(2 * (nats + std::log(lambda + 1))), right = lambda * mu + std::sqrt(2 * nats) + 1;
  return {a, h, std::floor(-left / h), std::ceil(right / h)};
}

template <Real R>
R poisson_sum(const R& lambda, const R& p, const R& mu, const Rule& rule) {
  R sum = R(0);
  if (!std::isfinite(rule.first) || !std::isfinite(rule.last)) return unknown<R>();
  for (double k = rule.first; k <= rule.last; ++k) {
    spend_on_term<R>();
    const R t = R(k) * R(rule.h), loss = log1p(p * expm1(mu * t - mu * mu / 2));
    sum += exp(-t * t / 2) * (expm1(lambda * loss) - lambda * expm1(loss));
  }
  return sum * R(rule.h) / sqrt(2 * pi<R>());
}

// Where mu is large both moments are p^lambda e^{lambda (lambda-1) mu^2/2}, nearly. With X = e^{mu t - mu^2/2}, whose
// moment of order lambda is M = e^{lambda (lambda-1) mu^2/2}, rho = 1 - p + p X has a norm of at most 1 - p + p
// M^{1/lambda} by Minkowski, and rho^lambda >= (p X)^lambda. The moment of the symmetric pair keeps t > mu/2 alone and
// there (rho^lambda - 1)(1 - rho^{1-lambda}) >= rho^lambda - 1 - rho; of M it loses Phi(-(lambda - 1/2) mu), and E(1 +
// rho) <= 2. So the logarithm of the moment lies between log(p^lambda M Phi - 1) and log(1 + (1 - p + p
// M^{1/lambda})^lambda), either way.
Ball far_log_moment(const Ball& lambda, const Ball& p, const Ball& mu) {
  const Ball norm = (lambda - 1) * mu * mu / 2;  // log M^{1/lambda}
  const Ball least = lambda * (log(p) + norm) + log1p(-normal_cdf(-(2 * lambda - 1) * mu / 2));
  if (!certainly(least > 1)) return unknown<Ball>();
  const Ball most = lambda * (log(p) + norm + log1p((1 - p) / p * exp(-norm)));
  return Ball::hull(least + log1p(-exp(-least)), most + log1p(exp(-most)));
}

// Losses with weights in double, for many orders.
struct Scan {
  std::vector<double> loss, weight, log_weight;
  bool symmetric;  // C_p(G_mu), where each loss has its mirror image
  double top = 0, mean = 0;

  void add(double l, double log_w) {
    const double w = std::exp(log_w);
    loss.push_back(l);
    weight.push_back(w);
    log_weight.push_back(log_w);
    top = std::max(top, l);
    mean += w * std::expm1(std::min(l, 700.0));
  }
  double log_moment(double lambda) const {
    double sum = 0;
    if (lambda * top < 600) {
      for (std::size_t i = 0; i < loss.size(); ++i)
        sum += weight[i] * std::expm1(lambda * loss[i]) * (symmetric ? -std::expm1((1 - lambda) * loss[i]) : 1);
      return std::log1p(sum - (symmetric ? 0 : lambda * mean));
    }
    double most = 0;
    for (std::size_t i = 0; i < loss.size(); ++i) most = std::max(most, lambda * loss[i] + log_weight[i]);
    if (most < 500) {  // the largest losses are too rare to matter as much
      for (std::size_t i = 0; i < loss.size(); ++i) {
        const double e = lambda * loss[i], far = std::exp(e + log_weight[i]);
        const double rise = e < 1 ? weight[i] * std::expm1(e) : far - weight[i];
        sum += symmetric ? rise * -std::expm1((1 - lambda) * loss[i]) : rise;
      }
      return std::log1p(sum - (symmetric ? 0 : lambda * mean));
    }
    for (std::size_t i = 0; i < loss.size(); ++i) sum += std::exp(lambda * loss[i] + log_weight[i] - most);
    return most + std::log(sum);
  }
};

Scan poisson_scan(double most_order, double p, double mu) {
  const Rule rule = rule_for(most_order, log_small(most_order, p, mu), mu, 50);
  Scan out{{}, {}, {}, false};
  for (double k = rule.first; k <= rule.last; ++k) {
    spend(30);
    const double t = k * rule.h;
    out.add(loss_at(t, p, mu), -t * t / 2 + std::log(rule.h / std::sqrt(2 * M_PI)));
  }
  return out;
}
Scan subsampled_scan(double most_order, double p, double mu) {
  using Gauss = boost::math::quadrature::gauss<double, 15>;
  const double top = std::max(most_order * mu, mu / 2) + 10, half = 0.25 / std::max(1.0, mu);
  Scan out{{}, {}, {}, true};
  for (double middle = mu / 2 + half; middle < top + half; middle += 2 * half)
    for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i)
      for (const int sign : {-1, 1}) {
        spend(30);
        if (i == 0 && sign < 0) continue;  // the middle once
        const double t = middle + sign * half * Gauss::abscissa()[i];
        out.add(loss_at(t, p, mu), -t * t / 2 + std::log(half * Gauss::weights()[i] / std::sqrt(2 * M_PI)));
      }
  return out;
}

// Any order above one will do; where the search has no doubles to work with, it is this one, which suits plain noise.
double plain_order(double mu, double T, double delta) {
  const double above = std::sqrt(-2 * std::log(delta) / T) / mu;
  return 1 + (above > 1e-6 ? std::min(above, 1e6) : 1e-6);
}

double best_order(Scan (*scan_for)(double, double, double), double p, double mu, double T, double delta) {
  if (!(p * mu > 1e-150) || !(mu < 50)) return plain_order(mu, T, delta);
  const double gaussian = std::sqrt(-std::log(delta) / T) / (p * mu);  // where small losses would put it
  const double explosion = 1 + 2 * std::log(1 / p) / (mu * mu);        // where large ones take over
  const double low = std::log(0.01), top = std::log(std::min(gaussian, explosion + 8 / mu) * 4 + 1);
  const Scan scan = scan_for(1 + std::exp(top), p, mu);
  const auto f = [&](double u) {
    const double order = 1 + std::exp(u);
    return renyi::to_epsilon(T * scan.log_moment(order) / (order - 1), order, std::log(delta));
  };
  const int cells = 20;
  double best = low, least = f(low);
  for (int i = 1; i <= cells; ++i) {
    const double u = low + (top - low) * i / cells, eps = f(u);
    if (eps < least) best = u, least = eps;
  }
  const double cell = (top - low) / cells;
  return 1 + std::exp(minimise<double>(f, best - cell, best + cell, 40).at.value);
}

}  // namespace

double poisson_log_moment(double lambda, double p, double mu) { return poisson_scan(lambda, p, mu).log_moment(lambda); }

mp50 poisson_log_moment(const mp50& lambda, const mp50& p, const mp50& mu) {
  return log1p(poisson_sum(lambda, p, mu, rule_for(to_double(lambda), log_small(lambda, p, mu), to_double(mu), 170)));
}

Ball poisson_log_moment(const Ball& lambda, const Ball& p, const Ball& mu) {
  if (const Ball far = far_log_moment(lambda, p, mu); far.accurate_bits() > Ball::precision() - 20) return far;
  const Rule rule =
      rule_for(to_double(lambda), log_small(lambda, p, mu), to_double(mu), static_cast<double>(Ball::precision() + 10));
  const Ball sum = poisson_sum(lambda, p, mu, rule), a(rule.a), h(rule.h);
  const Ball eta = 2 * exp(a * a / 2) / expm1(2 * Ball::pi() * a / h), spill = eta * (2 + 2 * lambda);
  const Ball left = h * Ball(rule.first), right = h * Ball(rule.last);
  const Ball falling = normal_density(right) * exp(lambda * log1p(p * expm1(mu * right - mu * mu / 2)));
  const Ball ends = (lambda - 1) * normal_cdf(left) + falling / (right - lambda * mu);
  return log1p(Ball::hull((sum - spill) / (1 + eta), (sum + ends + spill) / (1 - eta)));
}

double subsampled_log_moment(double lambda, double p, double mu) {
  return subsampled_scan(lambda, p, mu).log_moment(lambda);
}

// The integrand is below phi(t) rho^lambda. Beyond b this is below e^{lambda (lambda-1) mu^2/2} phi(t - lambda mu),
// since rho <= e^{mu t - mu^2/2}, and the integral is about p^lambda times as much or more. Where that is large the
// integral is a narrow bump around lambda mu: before a, rho^lambda <= 2^lambda (1 + p^lambda e^{lambda (mu t -
// mu^2/2)}). In parts, which find the bump.
Ball subsampled_log_moment(const Ball& lambda, const Ball& p, const Ball& mu) {
  if (const Ball far = far_log_moment(lambda, p, mu); far.accurate_bits() > Ball::precision() - 20) return far;
  const double l = to_double(lambda), m = to_double(mu), rate = to_double(p);
  const double log_most = l * (l - 1) * m * m / 2;
  const double nats = static_cast<double>(Ball::precision() + 10) * 0.6932 - std::min(0.0, log_small(lambda, p, mu));
  const double last = l * m + std::sqrt(2 * (nats + std::min(log_most, -l * std::log(rate))));
  const Ball half = mu * mu / 2, order = lambda - 1;
  const Integrand f = [&](acb_ptr value, acb_srcptr t, bool analytic, std::int64_t bits) {
    acb_t loss, w;
    acb_init(loss);
    acb_init(w);
    acb_mul_arb(w, t, mu.arb(), bits);
    acb_sub_arb(w, w, half.arb(), bits);
    acb_expm1(w, w, bits);
    acb_mul_arb(w, w, p.arb(), bits);
    acb_add_ui(w, w, 1, bits);
    acb_log_analytic(loss, w, analytic, bits);
    acb_mul_arb(w, loss, lambda.arb(), bits);
    acb_expm1(value, w, bits);
    acb_mul_arb(w, loss, order.arb(), bits);
    acb_neg(w, w);
    acb_expm1(w, w, bits);
    acb_neg(w, w);
    acb_mul(value, value, w, bits);
    acb_mul(w, t, t, bits);
    acb_mul_2exp_si(w, w, -1);
    acb_neg(w, w);
    acb_exp(w, w, bits);
    acb_mul(value, value, w, bits);
    acb_clear(loss);
    acb_clear(w);
  };
  const double log_bump = log_most + l * std::log(rate);
  const bool all_bump = log_bump > nats + l;
  const double first = all_bump ? std::max(m / 2, l * m - std::sqrt(2 * (nats + l))) : m / 2;
  const double parts = std::ceil((last - first) * std::max(1.0, m) / 16);
  Ball sum, from = all_bump && first > m / 2 ? Ball(first) : mu / 2;
  Ball before;
  if (all_bump && first > m / 2)
    before = exp(lambda * log(Ball(2))) *
             (normal_cdf(-mu / 2) + exp(lambda * (log(p) + order * half)) * normal_cdf(from - lambda * mu));
  if (!(parts < 1e9)) return unknown<Ball>();
  for (double k = 1; k <= parts; ++k) {
    const double end = first + (last - first) * k / parts;
    const Ball to(end);
    if (!certainly(to > from)) continue;
    sum += integrate(f, from, to);
    from = to;
  }
  sum = sum / sqrt(2 * Ball::pi());
  const Ball& b = from;
  const Ball tail = exp(lambda * order * half) * normal_cdf(lambda * mu - b);
  return log1p(Ball::hull(sum, sum + before + tail));
}

mp50 subsampled_log_moment(const mp50& lambda, const mp50& p, const mp50& mu) {
  const Ball::Precision bits(200);
  return to_mp50(subsampled_log_moment(number_as<Ball>(lambda), number_as<Ball>(p), number_as<Ball>(mu)));
}

double best_poisson_order(double p, double mu, double T, double delta) {
  return best_order(poisson_scan, p, mu, T, delta);
}
double best_subsampled_order(double p, double mu, double T, double delta) {
  return best_order(subsampled_scan, p, mu, T, delta);
}

}  // namespace epsilary::bounds::dpsgd
