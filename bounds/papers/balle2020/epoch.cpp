// One epoch of random check-ins: Corollary 3.3 of Balle et al. 2020.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

Hypothesis eps0_within_repetitions() {
  return provably("eps0 <= (2/3) log(n / (8 sqrt(m)))", [](const Values<Ball>& x) { return epoch_margin_eps0(x); });
}
std::vector<Hypothesis> closed_form_hypotheses() {
  return {assume::slots_divide_users(), eps0_within_repetitions(),
          provably("n >= (e^eps0 - 1)^2 e^eps0 sqrt(m) log(1/beta)",
                   [](const Values<Ball>& x) { return epoch_margin_n(x); }),
          provably("log(1/beta) >= 1/512", [](const Values<Ball>& x) { return -512 * log(x[beta]) - 1; })};
}

Bound as_composed() {
  return {
      .id = "balle2020-cor3.3",
      .title = "One epoch of random check-ins, n/m repetitions composed",
      .protocol = "checkin-epoch",
      .source = "Balle et al. 2020, Corollary 3.3, equation (7)",
      .formula =
          R"(\varepsilon_1\sqrt{2\frac{n}{m}\log(1/\delta)}+\frac{n}{m}\varepsilon_1(e^{\varepsilon_1}-1),\ \varepsilon_1=\text{Theorem 3.2 at } p_0=\frac{m}{n},\beta;\quad \delta'=\frac{n}{m}\beta+\delta)",
      .standing = Standing::repaired,
      .note =
          "the whole delta is n beta/m + delta, not the delta of the statement; the last display of the "
          "proof has log(1/beta) for log(1/delta) and a root too long",
      .proof = "epoch, composition",
      .needs = {eps0, n, m, beta, delta},
      .rises = {eps0},
      .falls = {beta, delta},
      .assumes = {assume::slots_divide_users()},
      .evaluate = epoch().parts_given,
  };
}
Bound closed() {
  return {
      .id = "balle2020-cor3.3-closed",
      .title = "One epoch of random check-ins, closed form",
      .protocol = "checkin-epoch",
      .source = "Balle et al. 2020, Corollary 3.3, last display of the proof",
      .formula =
          R"(4(e^{\varepsilon_0}-1)\sqrt{\frac{e^{\varepsilon_0}\log(1/\beta)\log(1/\delta)}{n}}+\frac{12(e^{\varepsilon_0}-1)^2e^{\varepsilon_0}\log(1/\beta)}{n};\quad \delta'=\frac{n}{m}\beta+\delta)",
      .standing = Standing::repaired,
      .note =
          "12 is right under both printed hypotheses together; the proof derives eps1 <= 1/2 from the first "
          "alone, which does not give it",
      .proof = "epoch",
      .needs = {eps0, n, m, beta, delta},
      .rises = {eps0},
      .falls = {beta, delta},
      .assumes = closed_form_hypotheses(),
      .evaluate = epoch_closed().parts_given,
  };
}
Bound closed_loose() {
  return {
      .id = "balle2020-cor3.3-closed-loose",
      .title = "One epoch of random check-ins, closed form with a constant that needs less",
      .protocol = "checkin-epoch",
      .source = "Balle et al. 2020, Corollary 3.3, with e^x - 1 <= (e - 1) x for eps1 <= 1",
      .formula =
          R"(4(e^{\varepsilon_0}-1)\sqrt{\frac{e^{\varepsilon_0}\log(1/\beta)\log(1/\delta)}{n}}+\frac{8(e-1)(e^{\varepsilon_0}-1)^2e^{\varepsilon_0}\log(1/\beta)}{n};\quad \delta'=\frac{n}{m}\beta+\delta)",
      .standing = Standing::repaired,
      .note = "8 (e - 1) = 13.7463 in place of 12: valid and not needed",
      .proof = "epoch",
      .needs = {eps0, n, m, beta, delta},
      .rises = {eps0},
      .falls = {beta, delta},
      .assumes = closed_form_hypotheses(),
      .evaluate = epoch_closed_loose().parts_given,
  };
}

// The closed forms need m to divide n, and the first hypothesis does not depend on the parts.
Bound closed_of_whole(const Bound& printed, const Evaluator& evaluator) {
  Bound b = parts_found(printed, {eps0, n, m, delta}, evaluator);
  b.assumes = {assume::slots_divide_users(), eps0_within_repetitions()};
  return b;
}
Bound composed_of_whole() {
  Bound b = parts_found(as_composed(), {eps0, n, m, delta}, epoch().whole_given);
  b.assumes = {assume::slots_divide_users()};
  return b;
}

}  // namespace

std::span<const Bound> balle2020_epoch() {
  static const Bound list[] = {
      as_composed(),  composed_of_whole(),
      closed(),       closed_of_whole(closed(), epoch_closed().whole_given),
      closed_loose(), closed_of_whole(closed_loose(), epoch_closed_loose().whole_given),
  };
  return list;
}

}  // namespace epsilary::bounds
