#include "bounds/theory/gaussian.hpp"

#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"
#include "bounds/theory/gaussian_tradeoff.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

const char* const profile_formula =
    R"(\Phi\left(-\frac{\varepsilon}{\mu}+\frac{\mu}{2}\right)-e^{\varepsilon}\Phi\left(-\frac{\varepsilon}{\mu}-\frac{\mu}{2}\right))";

std::vector<Bound> profiles() {
  return {
      {
          .id = "vandijk2022-gdp-delta",
          .title = "delta of mu-Gaussian differential privacy",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, equation (6); Dong, Roth and Su 2022, Corollary 2.13",
          .formula = profile_formula,
          .quantity = Quantity::delta,
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {mu, eps},
          .rises = {mu},
          .falls = {eps},
          .evaluate = each_number([](const auto& x) { return gdp_delta(x[eps], x[mu]); }),
      },
      {
          .id = "vandijk2022-gdp-delta",
          .title = "delta of T Gaussian mechanisms with noise sigma times their sensitivity",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, equation (6) at mu = sqrt(T)/sigma",
          .formula = profile_formula,
          .quantity = Quantity::delta,
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {sigma, T, eps},
          .rises = {T},
          .falls = {sigma, eps},
          .evaluate =
              each_number([]<Real R>(const Values<R>& x) { return gdp_delta(x[eps], R(sqrt(x[T]) / x[sigma])); }),
      },
      {
          .id = "vandijk2022-gdp-epsilon",
          .title = "epsilon of mu-Gaussian differential privacy",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, equation (6) solved for epsilon",
          .formula = R"(\min\{\varepsilon\ge0:\delta_\mu(\varepsilon)\le\delta\})",
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {mu, delta},
          .rises = {mu},
          .falls = {delta},
          .evaluate = each_number([](const auto& x) { return gdp_epsilon(x[delta], x[mu]); }),
      },
      {
          .id = "vandijk2022-gdp-epsilon",
          .title = "epsilon of T Gaussian mechanisms with noise sigma times their sensitivity",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, equation (6) at mu = sqrt(T)/sigma solved for epsilon",
          .formula = R"(\min\{\varepsilon\ge0:\delta_{\sqrt T/\sigma}(\varepsilon)\le\delta\})",
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {sigma, T, delta},
          .rises = {T},
          .falls = {sigma, delta},
          .evaluate =
              each_number([]<Real R>(const Values<R>& x) { return gdp_epsilon(x[delta], R(sqrt(x[T]) / x[sigma])); }),
      },
      {
          .id = "vandijk2022-gdp-mu",
          .title = "mu that (epsilon, delta) allows",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, equation (6) solved for mu",
          .formula = R"(\max\{\mu:\delta_\mu(\varepsilon)\le\delta\})",
          .quantity = Quantity::mu,
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {eps, delta},
          .rises = {eps, delta},
          .evaluate = each_number([](const auto& x) { return gdp_mu(x[eps], x[delta]); }),
      },
  };
}

std::vector<Bound> tradeoffs() {
  return {
      {
          .id = "vandijk2022-gdp-tradeoff",
          .title = "Trade-off function of the Gaussian mechanism",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, section 4.1",
          .formula = R"(\Phi(\Phi^{-1}(1-\alpha)-\mu))",
          .quantity = Quantity::error,
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {mu, alpha},
          .falls = {mu, alpha},
          .evaluate = each_number([](const auto& x) { return gdp_tradeoff(x[alpha], x[mu]); }),
      },
      {
          .id = "vandijk2022-dp-tradeoff",
          .title = "Trade-off function of (epsilon, delta)-differential privacy",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 4; Wasserman and Zhou 2010",
          .formula = R"(\max\{0,1-\delta-e^{\varepsilon}\alpha,e^{-\varepsilon}(1-\delta-\alpha)\})",
          .quantity = Quantity::error,
          .side = Side::lower,
          .standing = Standing::repaired,
          .note = "printed with min in place of max",
          .proof = "tradeoff",
          .needs = {eps, delta, alpha},
          .falls = {eps, delta, alpha},
          .evaluate = each_number([](const auto& x) { return approximate_tradeoff(x[alpha], x[eps], x[delta]); }),
      },
      {
          .id = "vandijk2022-subsampled-tradeoff",
          .title = "Trade-off function of the subsampled Gaussian mechanism",
          .protocol = "dp-sgd-step",
          .source = "van Dijk and Nguyen 2022, section 4.2; Dong, Roth and Su 2022, Theorem 4.2",
          .formula = R"(C_q(G_\mu)=\min\{f_q,f_q^{-1}\}^{**},\quad f_q=qG_\mu+(1-q)\mathrm{Id})",
          .quantity = Quantity::error,
          .side = Side::lower,
          .note = "batches of fixed size without replacement, replace-one neighbours",
          .proof = "batches, subsampling",
          .needs = {q, mu, alpha},
          .falls = {q, mu, alpha},
          .remark = fixed_size_remark,
          .evaluate = each_number([](const auto& x) { return subsampled_tradeoff(x[alpha], x[q], x[mu]); }),
      },
      {
          .id = "vandijk2022-subsampled-tradeoff",
          .title = "Trade-off function of a subsampled (epsilon, delta)-private mechanism",
          .protocol = "dp-sgd-step",
          .source = "van Dijk and Nguyen 2022, section 4.2",
          .formula =
              R"(C_q(f_{\varepsilon,\delta})=\max\{0,1-q\delta-r\alpha,1-q\delta-\tfrac{(r-1)(1-\delta)}{1+e^\varepsilon}-\alpha,\tfrac{1-q\delta-\alpha}r\},\ r=1+q(e^\varepsilon-1))",
          .quantity = Quantity::error,
          .side = Side::lower,
          .note = "batches of fixed size without replacement, replace-one neighbours",
          .proof = "batches, subsampling, tradeoff",
          .needs = {q, eps, delta, alpha},
          .falls = {q, eps, delta, alpha},
          .remark = fixed_size_remark,
          .evaluate = each_number(
              [](const auto& x) { return subsampled_approximate_tradeoff(x[alpha], x[q], x[eps], x[delta]); }),
      },
      {
          .id = "vandijk2022-subsampled",
          .title = "delta of one subsampled Gaussian step",
          .protocol = "dp-sgd-step",
          .source = "van Dijk and Nguyen 2022, section 4.2",
          .formula = R"(q\,\delta_\mu(\log(1+(e^{\varepsilon}-1)/q)))",
          .quantity = Quantity::delta,
          .note = "batches of fixed size without replacement, replace-one neighbours",
          .proof = "batches, subsampling",
          .needs = {q, mu, eps},
          .rises = {q, mu},
          .falls = {eps},
          .remark = fixed_size_remark,
          .evaluate = each_number([](const auto& x) { return subsampled_delta(x[eps], x[q], x[mu]); }),
      },
      {
          .id = "vandijk2022-subsampled",
          .title = "epsilon of one subsampled Gaussian step",
          .protocol = "dp-sgd-step",
          .source = "van Dijk and Nguyen 2022, section 4.2",
          .formula = R"(\log(1+q(e^{\varepsilon_\mu(\delta/q)}-1)))",
          .note = "batches of fixed size without replacement, replace-one neighbours",
          .proof = "batches, subsampling",
          .needs = {q, mu, delta},
          .rises = {q, mu},
          .falls = {delta},
          .remark = fixed_size_remark,
          .evaluate = each_number([](const auto& x) { return subsampled_epsilon(x[delta], x[q], x[mu]); }),
      },
  };
}

std::vector<Bound> groups() {
  const Hypothesis few = exactly("group <= 1000000", [](const auto& x) { return x[group] <= 1000000; });
  return {
      {
          .id = "vandijk2022-group",
          .title = "delta of a group at epsilon times its size",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.2",
          .formula = R"(g\,e^{(g-1)\varepsilon}\delta)",
          .quantity = Quantity::delta,
          .standing = Standing::repaired,
          .note = "printed g e^{g-1}; the exponent lacks epsilon",
          .proof = "tradeoff",
          .needs = {eps, delta, group},
          .rises = {eps, delta, group},
          .evaluate = each_number(
              []<Real R>(const Values<R>& x) { return with_cap(group_delta(x[eps], x[delta], x[group]), R(1)); }),
      },
      {
          .id = "vandijk2022-group-sharp",
          .title = "delta of a group at epsilon times its size, the sum itself",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.2, before bounding the sum",
          .formula = R"(\frac{e^{g\varepsilon}-1}{e^{\varepsilon}-1}\delta)",
          .quantity = Quantity::delta,
          .proof = "tradeoff",
          .needs = {eps, delta, group},
          .rises = {eps, delta, group},
          .evaluate = each_number(
              []<Real R>(const Values<R>& x) { return with_cap(group_delta_sharp(x[eps], x[delta], x[group]), R(1)); }),
      },
      {
          .id = "vandijk2022-group-tradeoff",
          .title = "Trade-off function of a group under (epsilon, delta)",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 4.6",
          .formula = R"(1-(1-f_{\varepsilon,\delta})^{\circ g})",
          .quantity = Quantity::error,
          .side = Side::lower,
          .proof = "tradeoff",
          .needs = {eps, delta, group, alpha},
          .falls = {eps, delta, group, alpha},
          .assumes = {few},
          .evaluate = each_number([](const auto& x) { return group_tradeoff(x[alpha], x[eps], x[delta], x[group]); }),
      },
      {
          .id = "vandijk2022-group-tradeoff",
          .title = "Trade-off function of a group under Gaussian differential privacy",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, section 4.6",
          .formula = R"(1-(1-G_\mu)^{\circ g}=G_{g\mu})",
          .quantity = Quantity::error,
          .side = Side::exact,
          .proof = "tradeoff",
          .needs = {mu, group, alpha},
          .falls = {mu, group, alpha},
          .evaluate =
              each_number([]<Real R>(const Values<R>& x) { return gdp_tradeoff(x[alpha], R(x[group] * x[mu])); }),
      },
  };
}

}  // namespace

std::span<const Bound> vandijk2022_gaussian() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = profiles();
    for (auto* more : {tradeoffs, groups})
      for (Bound& b : more()) out.push_back(std::move(b));
    for (Bound& b : out)
      if (b.protocol != "dp-sgd-step") b.adjacency = Adjacency::either;
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
