// The generic conversion of Self check-in 2022, Section 4.1, in valid forms.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/generic_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

// The forms with beta given, and after T rounds with beta found.
void add_valid(std::vector<Bound>& list, const Bound& form, const generic::Valid& formulas) {
  add_forms(list, form, formulas.rounds);
  Bound found = list.back();
  found.title += ", the whole delta given";
  std::erase(found.needs, beta);
  found.takes = {lambda};
  found.evaluate = formulas.best_beta;
  list.push_back(std::move(found));
}

const char* const shuffle_source =
    "epsilary; Section 4.1 of self check-in 2022 made valid, with Feldman, McMillan and Talwar 2021, Theorem 3.1, for "
    "each number of check-ins";

void add_generic(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-generic-a",
      .title = "Generic conversion of a subsampled shuffle, valid: randomised response for each number of check-ins",
      .protocol = "shuffled-checkin",
      .source = shuffle_source,
      .formula =
          R"(\frac{1}{\lambda-1}\log\Big(1+\frac{\mathrm E[(1-\delta_K)m_{RR}(\varepsilon_K)]}{1-\gamma\beta}\Big);\quad\delta'=\delta+T\gamma\beta)",
      .standing = Standing::published,
      .note =
          "valid given the closed form of the shuffle, which is quoted; gamma beta more of delta is spent in each "
          "round",
      .proof = "approximate, response, mixture; the shuffle's epsilon from feldman2021-closed",
      .needs = {eps0, n, gamma, beta},
      .rises = {eps0},
  };
  add_valid(list, form, generic::by_response());
  form.id = "epsilary-generic-b";
  form.proof = "subsampling, approximate, mixture; the shuffle's epsilon from feldman2021-closed";
  form.title = "Generic conversion of a subsampled shuffle, valid: the subsampled trade-off function";
  form.formula =
      R"(\frac{1}{\lambda-1}\log\Big(1+\frac{\mathrm E[x_K(\rho_K^\lambda-1)(1-\rho_K^{1-\lambda})]}{1-\gamma\beta}\Big),\ x=\tfrac{1-\beta}{1+e^{\varepsilon_s}},\ \rho=1+\tfrac Kn(e^{\varepsilon_s}-1);\quad\delta'=\delta+T\gamma\beta)";
  add_valid(list, form, generic::by_tradeoff());
  form.id = "epsilary-generic-b-wang";
  form.standing = Standing::unsound;
  form.proof = "subsampling";
  form.title = "Generic conversion of a subsampled shuffle by Wang et al.";
  form.note =
      "needs one decomposition for three laws where the quoted theorem gives one for each pair; epsilary-generic-b, "
      "which "
      "needs only that, is smaller";
  form.formula = R"(\text{Wang et al. 2019 on randomised response at }\varepsilon_s(k)\text{, averaged over }K)";
  form.assumes = {assume::integer_order()};
  add_valid(list, form, generic::by_ternary_sum());
}

}  // namespace

std::span<const Bound> epsilary_generic() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_generic(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
