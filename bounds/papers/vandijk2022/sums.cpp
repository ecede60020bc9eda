// What adds up: mu of unequal Gaussian mechanisms, zCDP and tCDP over rounds and groups, and the trade-off function of
// composed DP-SGD.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/dpsgd/composed.hpp"
#include "bounds/theory/dpsgd/limit_formulas.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

Bound tradeoff() {
  return {
      .id = "vandijk2022-composed-tradeoff",
      .title = "Trade-off function of DP-SGD, from below, by composing its privacy losses",
      .protocol = "dp-sgd",
      .source = "van Dijk and Nguyen 2022, sections 4.4 and, for a group, 4.6",
      .formula =
          R"(f(\alpha)=\max_\varepsilon 1-\delta(\varepsilon)-e^{\varepsilon}\alpha,\ C_q(G_{1/\sigma})^{\otimes T};\quad 1-(1-f)^{\circ g})",
      .quantity = Quantity::error,
      .side = Side::lower,
      .note =
          "a line below the function that touches it near alpha, at the eps told; fixed-size batches drawn afresh at "
          "each step, replace-one neighbours",
      .proof = "batches, subsampling, domination, tradeoff",
      .needs = {q, sigma, T, alpha},
      .takes = {group},
      .rises = {sigma},
      .falls = {q, T, alpha, group},
      .assumes = {exactly("q >= 1e-8", [](const Values<Rational>& x) { return 100000000 * x[q] >= 1; }),
                  exactly("0.05 <= sigma <= 10000",
                          [](const Values<Rational>& x) { return 20 * x[sigma] >= 1 && x[sigma] <= 10000; }),
                  assume::at_most<T, 9>(),
                  exactly("1e-9 <= alpha <= 1 - 1e-9",
                          [](const Values<Rational>& x) {
                            return 1000000000 * x[alpha] >= 1 && 1000000000 * (1 - x[alpha]) >= 1;
                          }),
                  exactly("group <= 10", [](const Values<Rational>& x) { return !x.has(group) || x[group] <= 10; })},
      .remark = fixed_size_remark,
      .example = "--q 0.01 --sigma 1 --T 1000 --alpha 0.05",
      .width = composed_width,
      .evaluate = tradeoff_below(),
  };
}

std::vector<Bound> concentrated_sums() {
  const Bound zcdp{
      .id = "vandijk2022-zcdp-compose",
      .title = "rho of T rounds of rho-zCDP, for a group",
      .protocol = "any",
      .source = "van Dijk and Nguyen 2022, section 3.3; Bun and Steinke 2016",
      .formula = R"(k\rho,\quad g^2\rho)",
      .quantity = Quantity::rdp,
      .note = "a divergence over its order; k = T rounds, adaptively, and groups of g",
      .proof = "concentrated",
      .adjacency = Adjacency::either,
      .needs = {rho, T},
      .takes = {group},
      .rises = {rho, T, group},
      .evaluate = summed_rho(),
  };
  Bound tcdp = zcdp;
  tcdp.id = "vandijk2022-tcdp-compose";
  tcdp.title = "rho of T rounds of (rho, omega)-tCDP, for a group";
  tcdp.source = "van Dijk and Nguyen 2022, section 3.3; Bun, Dwork, Rothblum and Steinke 2018";
  tcdp.formula = R"((k\rho,\omega),\quad (g^2\rho,\omega/g))";
  tcdp.note =
      "a divergence over its order, for orders below the omega beside it; k = T rounds, adaptively, groups of g";
  tcdp.needs = {rho, omega, T};
  tcdp.assumes = {exactly("omega > group, so that an order is left",
                          [](const Values<Rational>& x) { return !x.has(group) || x[omega] > x[group]; })};
  tcdp.evaluate = summed_rho_truncated();
  Bound zcdp_epsilons = zcdp, tcdp_epsilons = tcdp;
  zcdp_epsilons.title = "epsilon of T rounds of rho-zCDP, for a group";
  zcdp_epsilons.evaluate = epsilon_of_summed_rho();
  tcdp_epsilons.title = "epsilon of T rounds of (rho, omega)-tCDP, for a group";
  tcdp_epsilons.evaluate = epsilon_of_summed_rho_truncated();
  tcdp_epsilons.falls = {omega};
  for (Bound* b : {&zcdp_epsilons, &tcdp_epsilons}) {
    b->quantity = Quantity::epsilon;
    b->note = "by the best order; k = T rounds, adaptively, and groups of g";
    b->needs.push_back(delta);
    b->falls.push_back(delta);
  }
  return {zcdp, zcdp_epsilons, tcdp, tcdp_epsilons};
}

}  // namespace

std::span<const Bound> vandijk2022_sums() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    out.push_back({
        .id = "vandijk2022-gdp-compose",
        .title = "mu of Gaussian mechanisms with a mu of their own each",
        .protocol = "gaussian",
        .source = "van Dijk and Nguyen 2022, section 4.3; Dong, Roth and Su 2022, Corollary 3.3",
        .formula = R"(\sqrt{\sum_i\mu_i^2})",
        .quantity = Quantity::mu,
        .side = Side::exact,
        .note = "the steps are the mu of the mechanisms",
        .proof = "tradeoff",
        .adjacency = Adjacency::either,
        .needs = {steps},
        .evaluate = summed_mu(),
    });
    for (Bound& b : concentrated_sums()) out.push_back(std::move(b));
    out.push_back(tradeoff());
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
