#include "bounds/forms/blanket.hpp"

#include <span>

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace blanket;

const char* const hoeffding_formula =
    R"(\delta=\frac{b^2}{4a\gamma n}\left(1-\gamma+\gamma e^{-2a^2/b^2}\right)^n,\quad a=e^\varepsilon-1)";
const char* const source = "Balle, Bell, Gascon and Nissim 2019, Section 5";

}  // namespace

std::span<const Bound> balle2019_blanket() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, Inequality::stated,
        {
            .id = "balle2019-stated",
            .title = "Privacy blanket, closed form",
            .source = "Balle, Bell, Gascon and Nissim 2019, Theorem 5.3",
            .formula =
                R"(\delta=\frac{B^2}{4na}e^{-Cn\min(a^2/B^2,\gamma)},\ B=(e^\varepsilon+1)(e^{\varepsilon_0}-e^{-\varepsilon_0}),\ C=1-e^{-2},\ \gamma=e^{-\varepsilon_0})",
            .note = "follows from Hoeffding's form, since 1 - e^{-2y} >= C min(y, 1)",
            .proof = "blanket",
            .rises = {eps0},
        });
    add(out, Inequality::hoeffding,
        {
            .id = "balle2019-hoeffding",
            .title = "Privacy blanket by Hoeffding's inequality, any randomizer",
            .source = source,
            .formula = hoeffding_formula,
            .note = "gamma = e^{-eps0} in the blanket and gamma = 1 in the range, as in the authors' own code",
            .proof = "blanket",
            .rises = {eps0},
        });
    add(out, Inequality::bennett,
        {
            .id = "balle2019-bennett",
            .title = "Privacy blanket by Bennett's inequality, any randomizer",
            .source = source,
            .formula = bennett_formula,
            .note = "gamma = e^{-eps0} in the blanket and gamma = 1 in the maximum and the second moment",
            .proof = "blanket",
            .rises = {eps0},
        });
    add(out, Inequality::hoeffding_response,
        {
            .id = "balle2019-hoeffding-rr",
            .title = "Privacy blanket by Hoeffding's inequality, randomised response",
            .protocol = "shuffle-rr",
            .source = source,
            .formula = hoeffding_formula,
            .note = "for k = 2 it holds for the mechanism R_infinity of Girgis et al. 2021 as well",
            .proof = "blanket",
            .needs = {k},
            .rises = {eps0},
        });
    add(out, Inequality::bennett_response,
        {
            .id = "balle2019-bennett-rr",
            .title = "Privacy blanket by Bennett's inequality, randomised response",
            .protocol = "shuffle-rr",
            .source = source,
            .formula = bennett_formula,
            .note = "for k = 2 it holds for the mechanism R_infinity of Girgis et al. 2021 as well",
            .proof = "blanket",
            .needs = {k},
        });
    add(out, Inequality::hoeffding_laplace,
        {
            .id = "balle2019-hoeffding-laplace",
            .title = "Privacy blanket by Hoeffding's inequality, Laplace noise on [0, 1]",
            .protocol = "shuffle-laplace",
            .source = source,
            .formula = hoeffding_formula,
            .proof = "blanket",
            .rises = {eps0},
        });
    add(out, Inequality::bennett_laplace,
        {
            .id = "balle2019-bennett-laplace",
            .title = "Privacy blanket by Bennett's inequality, Laplace noise on [0, 1]",
            .protocol = "shuffle-laplace",
            .source = source,
            .formula = bennett_formula,
            .proof = "blanket",
            .rises = {eps0},
        });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
