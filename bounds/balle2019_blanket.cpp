#include "bounds/balle2019_blanket.hpp"

#include <span>

#include "bounds/bound.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace balle2019;

template <Real R>
Shuffle<R> shuffle(const Values<R>& x) {
  return {x[eps0], x[n], x.has(k) ? x[k] : R(2)};
}

// Two forms of one bound: delta at eps, and eps at delta.
template <class LogDelta>
void add(std::vector<Bound>& out, Bound form) {
  if (form.protocol.empty()) form.protocol = "shuffle";
  form.needs.insert(form.needs.begin(), {eps0, n});
  form.falls = {n};

  Bound at_eps = form;
  at_eps.quantity = Quantity::delta;
  at_eps.needs.push_back(eps);
  at_eps.assumes = {exactly("0 < eps < eps0: from eps0 on, the randomizer alone gives delta = 0",
                            [](const auto& x) { return x[eps] > 0 && x[eps] < x[eps0]; })};
  at_eps.evaluate = each_number([]<Real R>(const Values<R>& x) {
    const R log_delta = LogDelta{}(x[eps], shuffle(x));
    return Answer<R>{.value = exp(log_delta), .cap = R(1), .beside = {{"log_delta", log_delta}}};
  });
  out.push_back(at_eps);

  form.needs.push_back(delta);
  form.falls.push_back(delta);
  form.evaluate = each_number([]<Real R>(const Values<R>& x) {
    return with_cap(balle2019::epsilon(LogDelta{}, shuffle(x), R(log(x[delta]))), x[eps0]);
  });
  out.push_back(form);
}

const char* const hoeffding_formula =
    R"(\delta=\frac{b^2}{4a\gamma n}\left(1-\gamma+\gamma e^{-2a^2/b^2}\right)^n,\quad a=e^\varepsilon-1)";
const char* const bennett_formula =
    R"(\delta=\frac{b_+}{\log(1+t)\gamma n}\left((1-\gamma+\gamma e^{-x})^n-(1-\gamma)^n\right),\ t=\frac{ab_+}{c},\ x=\frac{c}{b_+^2}((1+t)\log(1+t)-t))";
const char* const joint_formula =
    R"(\delta=\frac{B^2}{4an}\Bigl(1-\min_{g\in\{e^{-\varepsilon_0},1\}}g\bigl(1-e^{-2a^2/(gB)^2}\bigr)\Bigr)^n)";
const char* const source = "Balle, Bell, Gascon and Nissim 2019, Section 5";

}  // namespace

std::span<const Bound> balle2019_blanket() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add<Stated>(
        out,
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
    add<Hoeffding<Generic>>(
        out, {
                 .id = "balle2019-hoeffding",
                 .title = "Privacy blanket by Hoeffding's inequality, any randomizer",
                 .source = source,
                 .formula = hoeffding_formula,
                 .note = "gamma = e^{-eps0} in the blanket and gamma = 1 in the range, as in the authors' own code",
                 .proof = "blanket",
                 .rises = {eps0},
             });
    add<Bennett<Generic>>(
        out, {
                 .id = "balle2019-bennett",
                 .title = "Privacy blanket by Bennett's inequality, any randomizer",
                 .source = source,
                 .formula = bennett_formula,
                 .note = "gamma = e^{-eps0} in the blanket and gamma = 1 in the maximum and the second moment",
                 .proof = "blanket",
                 .rises = {eps0},
             });
    add<Hoeffding<RandomisedResponse>>(
        out, {
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
    add<Bennett<RandomisedResponse>>(
        out, {
                 .id = "balle2019-bennett-rr",
                 .title = "Privacy blanket by Bennett's inequality, randomised response",
                 .protocol = "shuffle-rr",
                 .source = source,
                 .formula = bennett_formula,
                 .note = "for k = 2 it holds for the mechanism R_infinity of Girgis et al. 2021 as well",
                 .proof = "blanket",
                 .needs = {k},
             });
    add<Hoeffding<Laplace>>(out, {
                                     .id = "balle2019-hoeffding-laplace",
                                     .title = "Privacy blanket by Hoeffding's inequality, Laplace noise on [0, 1]",
                                     .protocol = "shuffle-laplace",
                                     .source = source,
                                     .formula = hoeffding_formula,
                                     .proof = "blanket",
                                     .rises = {eps0},
                                 });
    add<Bennett<Laplace>>(out, {
                                   .id = "balle2019-bennett-laplace",
                                   .title = "Privacy blanket by Bennett's inequality, Laplace noise on [0, 1]",
                                   .protocol = "shuffle-laplace",
                                   .source = source,
                                   .formula = bennett_formula,
                                   .proof = "blanket",
                                   .rises = {eps0},
                               });
    add<Joint<Generic>>(
        out,
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
    add<Joint<GenericTight>>(
        out,
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
    add<Bennett<GenericTight>>(
        out, {
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

}  // namespace bounds
