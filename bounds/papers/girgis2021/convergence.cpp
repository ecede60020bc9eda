#include <span>

#include "bounds/forms/notes.hpp"
#include "bounds/theory/cldp/convergence_formulas.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace cldp;

const char* const risk_formula =
    R"(\frac{2DG(2+\log T)}{\sqrt T},\quad G^2=L^2\max\{d^{1-2/p},1\}\left(1+\frac{cd}{qn}\coth^2\frac{\varepsilon_0}{2}\right),\ \eta_t=\frac{D}{G\sqrt t})";

void add(std::vector<Bound>& out, Bound form) {
  form.protocol = "cldp-sgd";
  form.adjacency = Adjacency::none;
  out.push_back(std::move(form));
}

void add_tight(std::vector<Bound>& out) {
  Bound form{
      .id = "girgis2021-thm1-risk-tight",
      .title = "Excess risk of CLDP-SGD, tight constants, maximum norm",
      .source = "Girgis et al. 2021, Theorem 1, part 3, with the constants of Lemma 2 and Theorem 4",
      .formula = risk_formula,
      .quantity = Quantity::risk,
      .standing = Standing::published,
      .note =
          "c = 1: the mean of the sampled gradients is no longer than the longest, and the noise of each message "
          "has the variance of Lemma 2",
      .proof = "messages",
      .needs = {lipschitz, dim, per_round, eps0, radius, T},
      .rises = {lipschitz, dim, radius},
      .falls = {per_round, eps0},
      .evaluate = risk_tight(),
  };
  add(out, form);
  form.title = "Excess risk of CLDP-SGD, tight constants";
  form.note = constants_for_norms_1_and_2;
  form.needs.push_back(norm);
  form.assumes = {norm_with_a_mechanism()};
  add(out, form);
}

}  // namespace

std::span<const Bound> girgis2021_convergence() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, {
                 .id = "girgis2021-lem4",
                 .title = "Second moment of the averaged gradient",
                 .source = "Girgis et al. 2021, Lemma 4",
                 .formula = moment_formula,
                 .quantity = Quantity::variance,
                 .standing = Standing::published,
                 .note = "norm left out means infinity, where c = 1 is proved (epsilary-cldp-moment); otherwise the "
                         "proof is left to the supplement of the paper",
                 .needs = {lipschitz, dim, per_round, eps0},
                 .takes = {norm},
                 .rises = {lipschitz, dim},
                 .falls = {per_round, eps0},
                 .evaluate = second_moment_as_printed(),
             });
    add(out, {
                 .id = "girgis2021-lem5",
                 .title = "Excess risk of the last iterate of SGD",
                 .source = "Girgis et al. 2021, Lemma 5; Shamir and Zhang 2013, Theorem 2",
                 .formula = R"(\frac{2DG(2+\log T)}{\sqrt T},\quad \eta_t=\frac{D}{G\sqrt t})",
                 .quantity = Quantity::risk,
                 .standing = Standing::published,
                 .needs = {radius, gradient, T},
                 .rises = {radius, gradient},
                 .evaluate = risk_of_last_iterate(),
             });
    add(out,
        {
            .id = "girgis2021-thm1-risk",
            .title = "Excess risk of CLDP-SGD",
            .source = "Girgis et al. 2021, Theorem 1, part 3, from Lemmas 4 and 5",
            .formula = risk_formula,
            .quantity = Quantity::risk,
            .standing = Standing::published,
            .note = "norm left out means infinity; (6) drops the 1 in G^2 and is kept as girgis2021-thm1-risk-rate",
            .needs = {lipschitz, dim, per_round, eps0, radius, T},
            .takes = {norm},
            .rises = {lipschitz, dim, radius},
            .falls = {per_round, eps0},
            .evaluate = risk_as_printed(),
        });
    add(out, {
                 .id = "girgis2021-thm1-risk-rate",
                 .title = "Excess risk of CLDP-SGD, order of magnitude",
                 .source = "Girgis et al. 2021, Theorem 1, (6)",
                 .formula =
                     R"(\frac{LD\log T\max\{d^{1/2-1/p},1\}}{\sqrt T}\sqrt{\frac{cd}{qn}}\coth\frac{\varepsilon_0}{2})",
                 .quantity = Quantity::risk,
                 .side = Side::estimate,
                 .standing = Standing::rate,
                 .note = "drops the 1 of G^2, so it is the rate only where c d/(q n) coth^2(eps0/2) is not small; for "
                         "q n >> d it is far below the bound",
                 .needs = {lipschitz, dim, per_round, eps0, radius, T},
                 .takes = {norm},
                 .rises = {lipschitz, dim, radius},
                 .falls = {per_round, eps0},
                 .evaluate = risk_order(),
             });
    add_tight(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
