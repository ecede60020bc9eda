#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/renyi_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> literature_renyi_subsampling() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound form{
        .id = "wang2019-subsampling",
        .title = "Subsampling without replacement under Renyi privacy, Gaussian mechanism",
        .protocol = "subsampling",
        .source = "Wang, Balle and Kasiviswanathan 2019, the bound of subsampled mechanisms",
        .formula =
            R"(\frac{1}{\lambda-1}\log\Big(1+q^2\tbinom\lambda2\min\{4(e^{\varepsilon(2)}-1),e^{\varepsilon(2)}\min\{2,(e^{\varepsilon(\infty)}-1)^2\}\}+\sum_{j=3}^\lambda q^j\tbinom\lambda je^{(j-1)\varepsilon(j)}\min\{2,(e^{\varepsilon(\infty)}-1)^j\}\Big))",
        .proof = "wang",
        .needs = {mu, q},
        .rises = {mu, q},
        .assumes = {assume::integer_order()},
    };
    add_forms(out, form, renyi::sampled_gaussian());
    form.title = "Subsampling without replacement under Renyi privacy, any eps0-DP mechanism";
    form.needs = {eps0, q};
    form.rises = {eps0, q};
    add_forms(out, form, renyi::sampled_pure());
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
