// The privacy blanket of Balle, Bell, Gascon and Nissim 2019 with one gamma throughout and tight moments.
#include "bounds/forms/blanket.hpp"

#include <span>

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace blanket;

const char* const joint_formula =
    R"(\delta=\frac{B^2}{4an}\Bigl(1-\min_{g\in\{e^{-\varepsilon_0},1\}}g\bigl(1-e^{-2a^2/(gB)^2}\bigr)\Bigr)^n)";

}  // namespace

std::span<const Bound> epsilary_blanket() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, Inequality::joint,
        {
            .id = "epsilary-blanket-joint",
            .title = "Privacy blanket by Hoeffding's inequality, one gamma throughout",
            .source = "epsilary; Balle, Bell, Gascon and Nissim 2019, Theorem 5.3",
            .formula = joint_formula,
            .note =
                "the worst gamma in [e^{-eps0}, 1] is an end of the interval; below balle2019-stated and -hoeffding",
            .proof = "blanket",
            .rises = {eps0},
        });
    add(out, Inequality::joint_tight,
        {
            .id = "epsilary-blanket-tight",
            .title = "Privacy blanket by Hoeffding's inequality, one gamma and the tight range",
            .source = "epsilary; Balle, Bell, Gascon and Nissim 2019, Theorem 5.3",
            .formula = joint_formula,
            .note = "B = (e^eps + 1)(e^{eps0} - 1): no likelihood is below the blanket, so the lower end is gamma and "
                    "not gamma e^{-eps0}",
            .proof = "blanket",
            .rises = {eps0},
        });
    add(out, Inequality::bennett_tight,
        {
            .id = "epsilary-blanket-bennett",
            .title = "Privacy blanket by Bennett's inequality, tight moments",
            .source = "epsilary; Balle, Bell, Gascon and Nissim 2019, Section 5",
            .formula = bennett_formula,
            .note = "maximum e^{eps0} - e^eps and second moment e^{eps0}(e^{2 eps} + 1) - 2 e^eps at gamma = 1",
            .proof = "blanket",
            .rises = {eps0},
        });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
