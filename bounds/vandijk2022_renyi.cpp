#include "bounds/vandijk2022_renyi.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <span>

#include "bounds/bound.hpp"
#include "bounds/vandijk2022_dpsgd.hpp"
#include "solvers/integrate.hpp"
#include "solvers/minimise.hpp"

namespace bounds {
namespace vandijk2022 {

double subsampled_moment(double lambda, double p, double mu) {
  const auto f = [&](double t) {
    const double loss = std::log1p(p * std::expm1(mu * t - mu * mu / 2));
    return std::exp(-t * t / 2) * std::expm1(lambda * loss) * -std::expm1((1 - lambda) * loss);
  };
  const double top = std::max(lambda * mu, mu / 2) + 10, panel = 0.5 / std::max(1.0, mu);
  double sum = 0;
  for (double t = mu / 2; t < top; t += panel)
    sum += boost::math::quadrature::gauss<double, 15>::integrate(f, t, t + panel);
  return sum / std::sqrt(2 * M_PI);
}

// Beyond b the integrand is below e^{lambda (lambda-1) mu^2/2} phi(t - lambda mu), since rho <= e^{mu t - mu^2/2}.
Ball subsampled_moment(const Ball& lambda, const Ball& p, const Ball& mu) {
  const double l = to_double(lambda), m = to_double(mu), rate = to_double(p);
  const double log_most = l * (l - 1) * m * m / 2;
  const double log_small = std::min(0.0, std::log(l * (l - 1) * rate * rate * m * m / 2));
  const double nats = static_cast<double>(Ball::precision() + 10) * 0.6932 - log_small;
  const Ball b(l * m + std::sqrt(2 * (nats + log_most)));
  const Ball half = mu * mu / 2, order = lambda - 1;
  const Integrand f = [&](acb_ptr value, acb_srcptr t, bool analytic, long bits) {
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
  const Ball sum = integrate(f, mu / 2, b) / sqrt(2 * Ball::pi());
  const Ball tail = exp(lambda * order * half) * normal_cdf(lambda * mu - b);
  return Ball::hull(sum, sum + tail);
}

namespace {

template <Real R>
using Moment = R (*)(const R&, const R&, const R&);

struct SubsampledMoment {
  template <Real R>
  R operator()(const R& lambda, const R& p, const R& mu) const {
    return subsampled_moment(lambda, p, mu);
  }
};
struct PoissonMoment {
  template <Real R>
  R operator()(const R& lambda, const R& p, const R& mu) const {
    return poisson_moment(lambda, p, mu);
  }
};

template <Real R, class M>
R renyi_epsilon(M moment, const R& lambda, const R& p, const R& mu, const R& T, const R& delta) {
  return converted(R(T * log1p(moment(lambda, p, mu)) / (lambda - 1)), lambda, delta);
}

// Any order is valid, so it is sought in double.
template <class M>
double best_order(M moment, double p, double mu, double T, double delta) {
  const auto f = [&](double u) {
    const double order = 1 + std::exp(u), rdp = T * std::log1p(moment(order, p, mu)) / (order - 1);
    return std::isfinite(rdp) ? converted(rdp, order, delta) : 1e300;  // the moment leaves the range of a double
  };
  const double gaussian = std::sqrt(-std::log(delta) / T) / (p * mu);  // where small losses would put it
  const double explosion = 1 + 2 * std::log(1 / p) / (mu * mu);        // where large ones take over
  const double low = std::log(0.01), top = std::log(std::min(gaussian, explosion + 8 / mu) * 4 + 1);
  const int cells = 16;
  double best = low, least = f(low);
  for (int i = 1; i <= cells; ++i) {
    const double u = low + (top - low) * i / cells, eps = f(u);
    if (eps < least) best = u, least = eps;
  }
  const double cell = (top - low) / cells;
  return 1 + std::exp(minimise<double>(f, best - cell, best + cell, 16).at.value);
}

}  // namespace
}  // namespace vandijk2022

namespace {

using enum Param;
using namespace vandijk2022;

template <Real R, class M>
Answer<R> renyi(const Values<R>& x, M moment) {
  const R m1 = moment(x[lambda], x[q], x[mu]);
  Answer<R> out{R(log1p(m1) / (x[lambda] - 1))};
  out.beside.push_back({"moment", m1});
  return out;
}

template <Real R, class M>
Answer<R> accounted(const Values<R>& x, M moment) {
  const R p = x.has(q) ? x[q] : rate(x), T_ = x.has(q) ? x[T] : rounds(x), mu_ = 1 / x[sigma];
  const R order = x.has(lambda)
                      ? x[lambda]
                      : R(best_order(moment, to_double(p), to_double(mu_), to_double(T_), to_double(x[delta])));
  Answer<R> out{renyi_epsilon(moment, order, p, mu_, T_, x[delta])};
  out.at.push_back({lambda, order});
  return out;
}

// Divergence of one step, and epsilon after T of them for a data set with batches or for a rate.
template <class M>
std::vector<Bound> forms(Bound common, std::string_view step_title, std::string_view epsilon_title) {
  Bound step = common, data = common, plain = common;
  step.title = step_title;
  step.quantity = Quantity::rdp;
  step.formula = common.formula;
  step.needs = {q, mu, lambda};
  step.rises = {q, mu, lambda};
  step.evaluate = each_number([](const auto& x) { return renyi(x, M{}); });
  for (Bound* b : {&data, &plain}) {
    b->title = epsilon_title;
    b->falls = {sigma, delta};
    b->evaluate = each_number([](const auto& x) { return accounted(x, M{}); });
  }
  data.needs = {n, batch, sigma, delta};
  data.takes = {T, epochs, lambda};
  data.rises = {T, epochs};
  data.assumes = dpsgd_hypotheses();
  plain.needs = {q, sigma, T, delta};
  plain.takes = {lambda};
  plain.rises = {T};  // not q: the order is found by a rough search, which showed in a comparison of nearby rates
  for (Bound* b : {&step, &plain}) b->assumes = {exactly("q > 0", [](const auto& x) { return x[q] > 0; })};
  return {step, data, plain};
}

template <Real R>
Answer<R> advanced(const Values<R>& x) {
  const R p = x.has(q) ? x[q] : rate(x), T_ = x.has(q) ? x[T] : rounds(x), half = x[delta] / 2;
  const R eps_ = subsampled_epsilon(R(half / T_), p, R(1 / x[sigma]));
  return with_cap(advanced_composition(eps_, T_, half), R(T_ * eps_));
}

std::vector<Bound> advanced_forms() {
  const Bound common{
      .id = "vandijk2022-composed-advanced",
      .title = "epsilon of DP-SGD by advanced composition",
      .protocol = "dp-sgd",
      .source = "van Dijk and Nguyen 2022, sections 3.2 and 4.4",
      .formula =
          R"(\sqrt{2T\log(2/\delta)}\,\varepsilon_0+T\varepsilon_0(e^{\varepsilon_0}-1)/2,\ \varepsilon_0=\varepsilon_{C_q(G_{1/\sigma})}(\delta/2T))",
      .note = "fixed-size batches drawn afresh at each step, replace-one neighbours; half of delta for the steps",
      .falls = {sigma, delta},
      .remark = fixed_size_remark,
      .evaluate = each_number([](const auto& x) { return advanced(x); }),
  };
  Bound data = common, plain = common;
  data.needs = {n, batch, sigma, delta};
  data.takes = {T, epochs};
  data.rises = {T, epochs};
  data.assumes = dpsgd_hypotheses();
  plain.needs = {q, sigma, T, delta};
  plain.rises = {q, T};
  plain.assumes = {exactly("q > 0", [](const auto& x) { return x[q] > 0; })};
  return {data, plain};
}

}  // namespace

std::span<const Bound> vandijk2022_renyi() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = forms<SubsampledMoment>(
        {
            .id = "vandijk2022-composed-rdp",
            .protocol = "dp-sgd",
            .source = "van Dijk and Nguyen 2022, section 4.4; Renyi divergence of C_q(G_mu)",
            .formula =
                R"(\frac{1}{\lambda-1}\log\left(1+\int_{\mu/2}^\infty\varphi(t)(\rho^\lambda-1)(1-\rho^{1-\lambda})dt\right),\ \rho=1+q(e^{\mu t-\mu^2/2}-1))",
            .note = "fixed-size batches drawn afresh at each step, replace-one neighbours",
            .remark = fixed_size_remark,
        },
        "Renyi divergence of one step of DP-SGD", "epsilon of DP-SGD by Renyi accounting");
    for (Bound& b : forms<PoissonMoment>(
             {
                 .id = "vandijk2022-poisson-rdp",
                 .protocol = "dp-sgd-poisson",
                 .source = "Mironov, Talwar and Zhang 2019, for real orders",
                 .formula = R"(\frac{1}{\lambda-1}\log\int\varphi(t)\rho^\lambda dt,\ \rho=1+q(e^{\mu t-\mu^2/2}-1))",
                 .standing = Standing::published,
                 .note = "Poisson sampling, add-or-remove neighbours, noise sigma times the clipping norm",
                 .adjacency = Adjacency::remove,
                 .remark = poisson_remark,
             },
             "Renyi divergence of one step of DP-SGD with Poisson sampling",
             "epsilon of DP-SGD with Poisson sampling by Renyi accounting"))
      out.push_back(std::move(b));
    for (Bound& b : advanced_forms()) out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace bounds
