#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/dpsgd/renyi_formulas.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

// Divergence of one step, and epsilon after T of them for a data set with batches or for a rate.
std::vector<Bound> forms(const Bound& common, const RenyiForms& formulas, const std::string& step_title,
                         const std::string& epsilon_title) {
  Bound step = common, data = common, plain = common;
  step.title = step_title;
  step.quantity = Quantity::rdp;
  step.formula = common.formula;
  step.needs = {q, mu, lambda};
  step.rises = {q, mu, lambda};
  step.evaluate = formulas.one_step;
  for (Bound* b : {&data, &plain}) {
    b->title = epsilon_title;
    b->falls = {sigma, delta};
    b->evaluate = formulas.accounted;
  }
  data.needs = {n, batch, sigma, delta};
  data.takes = {T, epochs, lambda};
  data.rises = {T, epochs};
  data.assumes = dpsgd_hypotheses();
  plain.needs = {q, sigma, T, delta};
  plain.takes = {lambda};
  plain.rises = {q, T};
  for (Bound* b : {&step, &plain}) b->assumes = {assume::positive<q>()};
  return {step, data, plain};
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
      .evaluate = advanced_composition(),
  };
  Bound data = common, plain = common;
  data.needs = {n, batch, sigma, delta};
  data.takes = {T, epochs};
  data.rises = {T, epochs};
  data.assumes = dpsgd_hypotheses();
  plain.needs = {q, sigma, T, delta};
  plain.rises = {q, T};
  plain.assumes = {assume::positive<q>()};
  return {data, plain};
}

}  // namespace

std::span<const Bound> vandijk2022_renyi() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = forms(
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
        renyi_of_fixed_size(), "Renyi divergence of one step of DP-SGD", "epsilon of DP-SGD by Renyi accounting");
    for (Bound& b : forms(
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
             renyi_of_poisson(), "Renyi divergence of one step of DP-SGD with Poisson sampling",
             "epsilon of DP-SGD with Poisson sampling by Renyi accounting"))
      out.push_back(std::move(b));
    for (Bound& b : advanced_forms()) out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
