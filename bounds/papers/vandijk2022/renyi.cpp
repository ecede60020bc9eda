#include "bounds/theory/dpsgd/renyi.hpp"

#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

struct SubsampledMoment {
  template <Real R>
  R operator()(const R& lambda_, const R& p, const R& mu_) const {
    return subsampled_log_moment(lambda_, p, mu_);
  }
  static double order(double p, double mu_, double T_, double delta_) {
    return best_subsampled_order(p, mu_, T_, delta_);
  }
};
struct PoissonMoment {
  template <Real R>
  R operator()(const R& lambda_, const R& p, const R& mu_) const {
    return poisson_log_moment(lambda_, p, mu_);
  }
  static double order(double p, double mu_, double T_, double delta_) { return best_poisson_order(p, mu_, T_, delta_); }
};

template <Real R, class M>
Answer<R> renyi(const Values<R>& x, M moment) {
  const R log_moment = moment(x[lambda], x[q], x[mu]);
  Answer<R> out{R(log_moment / (x[lambda] - 1))};
  if (const R m1 = expm1(log_moment); is_finite(m1)) out.beside.push_back({"moment", m1});
  return out;
}

template <Real R, class M>
Answer<R> accounted(const Values<R>& x, M moment) {
  const R p = x.has(q) ? x[q] : rate(x), T_ = x.has(q) ? x[T] : rounds(x), mu_ = 1 / x[sigma];
  // A decimal that the user can type again; the last digits of the best order do not show in epsilon.
  const auto found = [&] { return M::order(to_double(p), to_double(mu_), to_double(T_), to_double(x[delta])); };
  const R order = x.has(lambda) ? x[lambda] : from_rational<R>(Decimal::nearest(found(), 9).exact());
  Answer<R> out{renyi::to_epsilon(R(T_ * moment(order, p, mu_) / (order - 1)), order, R(log(x[delta])))};
  out.at.push_back({lambda, order});
  return out;
}

// Divergence of one step, and epsilon after T of them for a data set with batches or for a rate.
template <class M>
std::vector<Bound> forms(const Bound& common, const std::string& step_title, const std::string& epsilon_title) {
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
  plain.rises = {q, T};
  for (Bound* b : {&step, &plain}) b->assumes = {exactly("q > 0", [](const auto& x) { return x[q] > 0; })};
  return {step, data, plain};
}

template <Real R>
Answer<R> advanced(const Values<R>& x) {
  const R p = x.has(q) ? x[q] : rate(x), T_ = x.has(q) ? x[T] : rounds(x), half = x[delta] / 2;
  const R eps_ = subsampled_epsilon(R(half / T_), p, R(1 / x[sigma]));
  return with_cap(half_drift_composition(eps_, T_, half), R(T_ * eps_));
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
      .proof = "batches, composition",
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
            .proof = "batches, subsampling, conversion",
            .remark = fixed_size_remark,
        },
        "Renyi divergence of one step of DP-SGD", "epsilon of DP-SGD by Renyi accounting");
    for (Bound& b : forms<PoissonMoment>(
             {
                 .id = "vandijk2022-poisson-rdp",
                 .protocol = "dp-sgd-poisson",
                 .source = "Mironov, Talwar and Zhang 2019, for real orders",
                 .formula = R"(\frac{1}{\lambda-1}\log\int\varphi(t)\rho^\lambda dt,\ \rho=1+q(e^{\mu t-\mu^2/2}-1))",
                 .note = "Poisson sampling, add-or-remove neighbours, noise sigma times the clipping norm",
                 .proof = "poisson, removal, conversion",
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

}  // namespace epsilary::bounds
