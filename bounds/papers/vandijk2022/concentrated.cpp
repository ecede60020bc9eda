// Advanced composition, and concentrated privacy converted.
#include "bounds/theory/concentrated.hpp"

#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/composition_formulas.hpp"
#include "bounds/theory/dpsgd/limit_formulas.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

std::vector<Bound> conversions() {
  return {
      {
          .id = "vandijk2022-advanced",
          .title = "Advanced composition of T mechanisms",
          .protocol = "composition",
          .source = "van Dijk and Nguyen 2022, section 3.2",
          .formula =
              R"(\sqrt{2T\log(1/\delta)}\,\varepsilon_0+T\varepsilon_0(e^{\varepsilon_0}-1)/2;\quad \delta'=T\delta_0+\delta)",
          .standing = Standing::repaired,
          .note = "delta = 0, allowed in print, gives an infinite epsilon",
          .proof = "composition",
          .needs = {eps0, delta0, T, delta},
          .takes = {share},
          .rises = {eps0, T, delta0},
          .falls = {delta},
          .evaluate = composed::half_drift_approximate(),
      },
      {
          .id = "vandijk2022-zcdp",
          .title = "epsilon of rho-zCDP, best order",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.3; Canonne, Kamath and Steinke 2020, Proposition 12",
          .formula = R"(\min_\alpha \rho\alpha+\log\frac{\alpha-1}{\alpha}+\frac{\log(1/\delta)-\log\alpha}{\alpha-1})",
          .note = "the divergence is printed with 1 - alpha in place of alpha - 1",
          .proof = "concentrated",
          .needs = {rho, delta},
          .rises = {rho},
          .falls = {delta},
          .evaluate = each_number([](const auto& x) { return zcdp_epsilon(x[rho], x[delta]); }),
      },
      {
          .id = "vandijk2022-zcdp-simple",
          .title = "epsilon of rho-zCDP, closed form",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.3",
          .formula = R"(\rho+2\sqrt{\rho\log(1/\delta)})",
          .proof = "concentrated",
          .needs = {rho, delta},
          .rises = {rho},
          .falls = {delta},
          .evaluate = each_number([](const auto& x) { return zcdp_epsilon_simple(x[rho], x[delta]); }),
      },
      {
          .id = "vandijk2022-zcdp-pure",
          .title = "rho of a pure mechanism",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.3, with the sharp constant",
          .formula = R"(\varepsilon_0\tanh(\varepsilon_0/2)\le\varepsilon_0^2/2)",
          .quantity = Quantity::rdp,
          .proof = "concentrated",
          .needs = {eps0},
          .rises = {eps0},
          .evaluate = each_number([]<Real R>(const Values<R>& x) { return R(x[eps0] * tanh(x[eps0] / 2)); }),
      },
      {
          .id = "vandijk2022-zcdp-gdp",
          .title = "Renyi divergence of mu-Gaussian differential privacy",
          .protocol = "gaussian",
          .source = "van Dijk and Nguyen 2022, section 4.7",
          .formula = R"(\lambda\mu^2/2)",
          .quantity = Quantity::rdp,
          .side = Side::exact,
          .proof = "response",
          .needs = {mu, lambda},
          .rises = {mu, lambda},
          .evaluate = each_number([]<Real R>(const Values<R>& x) { return renyi::gaussian(x[mu], x[lambda]); }),
      },
      {
          .id = "vandijk2022-tcdp",
          .title = "epsilon of (rho, omega)-tCDP, best order",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.3; Canonne, Kamath and Steinke 2020, Proposition 12",
          .formula =
              R"(\min_{\alpha\le\omega} \rho\alpha+\log\frac{\alpha-1}{\alpha}+\frac{\log(1/\delta)-\log\alpha}{\alpha-1})",
          .proof = "concentrated",
          .needs = {rho, omega, delta},
          .rises = {rho},
          .falls = {omega, delta},
          .evaluate = each_number([](const auto& x) { return tcdp_epsilon(x[rho], x[omega], x[delta]); }),
      },
      {
          .id = "vandijk2022-tcdp-simple",
          .title = "epsilon of (rho, omega)-tCDP, closed form",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.3",
          .formula = R"(\rho+2\sqrt{\rho\log(1/\delta)}\ \text{or}\ \rho\omega+\frac{\log(1/\delta)}{\omega-1})",
          .proof = "concentrated",
          .needs = {rho, omega, delta},
          .rises = {rho},
          .falls = {omega, delta},
          .evaluate = each_number([](const auto& x) { return tcdp_epsilon_simple(x[rho], x[omega], x[delta]); }),
      },
      {
          .id = "vandijk2022-tcdp-tail",
          .title = "Tail of the privacy loss under (rho, omega)-tCDP",
          .protocol = "any",
          .source = "van Dijk and Nguyen 2022, section 3.3",
          .formula = R"(e^{-t^2/(4\rho)}\ \text{or}\ e^{(\omega-1)^2\rho-(\omega-1)t})",
          .quantity = Quantity::delta,
          .standing = Standing::repaired,
          .note = "printed with < in place of <=",
          .proof = "concentrated",
          .needs = {rho, omega, t},
          .rises = {rho},
          .falls = {omega, t},
          .evaluate = each_number([](const auto& x) { return tcdp_tail(x[rho], x[omega], x[t]); }),
      },
  };
}

}  // namespace

std::span<const Bound> vandijk2022_concentrated() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = conversions();
    for (Bound& b : out) b.adjacency = Adjacency::either;
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
