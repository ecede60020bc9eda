#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"
#include "bounds/theory/checkin/overlapping_mixtures.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const pure_formula =
    R"(\frac{e^{4\varepsilon_0}(e^{\varepsilon_0}-1)^2\varepsilon_1^2}{2}+\varepsilon_1e^{2\varepsilon_0}(e^{\varepsilon_0}-1)\sqrt{2\log(1/\delta)},\ \varepsilon_1=\sqrt{\tfrac1n+\tfrac1m}+\sqrt{\tfrac{\log(1/\delta_2)}{n}};\quad \delta'=\delta+\delta_2)";

Bound theorem() {
  return {
      .id = "balle2020-thm4.1",
      .title = "Random check-ins with averaged updates",
      .protocol = "checkin-averaged",
      .source = "Balle et al. 2020, Theorem 4.1, case delta0 = 0",
      .formula = pure_formula,
      .note =
          "always above Theorem 5.1 with the same n, which holds for this protocol too: given the loads, "
          "averaging only post-processes a shuffle",
      .proof = "bins, composition",
      .needs = {eps0, n, m, delta, delta2},
      .rises = {eps0},
      .falls = {n, m, delta, delta2},
      .evaluate = averaged_updates(),
  };
}
Bound approximate() {
  return {
      .id = "balle2020-thm4.1-approx",
      .title = "Random check-ins with averaged updates, approximate randomizer",
      .protocol = "checkin-averaged",
      .source = "Balle et al. 2020, Theorem 4.1, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem 4.1 at } 8\varepsilon_0,\quad \delta' = \delta+\delta_2+n(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note =
          "with the factor n, as the randomizer is called n times; the factor m of the text holds too "
          "(balle2020-thm4.1-approx-printed)",
      .proof = "clip, bins",
      .needs = {eps0, delta0, n, m, delta, delta1, delta2},
      .rises = {eps0},
      .falls = {delta, delta2},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = replaced_in_averaged().parts_given,
  };
}
Bound approximate_printed() {
  return {
      .id = "balle2020-thm4.1-approx-printed",
      .title = "Random check-ins with averaged updates, approximate randomizer, as printed",
      .protocol = "checkin-averaged",
      .source = "Balle et al. 2020, Theorem 4.1, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem 4.1 at } 8\varepsilon_0,\quad \delta' = \delta+\delta_2+m(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note =
          "true, though not by the proof in the text, which applies Lemma A.3 to the m bins, where two data sets may "
          "differ in two records and the randomizer is called n times: at most two calls need clipping",
      .proof = "clip, averaged, swap",
      .needs = {eps0, delta0, n, m, delta, delta1, delta2},
      .rises = {eps0},
      .falls = {delta, delta2},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = replaced_in_averaged_m_calls().parts_given,
  };
}
Bound theorem_of_whole() {
  Bound b = parts_found(theorem(), {eps0, n, m, delta}, averaged_best_split());
  b.falls = {n, m, delta};
  return b;
}
Bound found(const Bound& printed, const Evaluator& evaluator) {
  Bound b = parts_found(printed, {eps0, delta0, n, m, delta}, evaluator);
  b.rises.push_back(delta0);
  b.example = "--eps0 0.05 --delta0 1e-18 --n 100000 --m 1000 --delta 1e-6";
  return b;
}

}  // namespace

std::span<const Bound> balle2020_averaged() {
  static const Bound list[] = {
      theorem(),
      theorem_of_whole(),
      {
          .id = "balle2020-thm4.1-split",
          .title = "Random check-ins with averaged updates, best split of delta",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, Theorem 4.1, with delta + delta2 given and the split optimised",
          .formula = R"(\min_{0<f<1}\ \text{Theorem 4.1 at } f\delta,\ (1-f)\delta)",
          .proof = "bins, composition",
          .needs = {eps0, n, m, delta},
          .rises = {eps0},
          .falls = {n, m, delta},
          .evaluate = averaged_best_split(),
      },
      approximate(),
      found(approximate(), replaced_in_averaged().whole_given),
      approximate_printed(),
      found(approximate_printed(), replaced_in_averaged_m_calls().whole_given),
      {
          .id = "balle2020-thmA.5",
          .title = "Averaged updates given the loads of the bins",
          .protocol = "averaged-given-loads",
          .source = "Balle et al. 2020, Theorem A.5",
          .formula =
              R"(\frac{A}{2}+\sqrt{2A\log(1/\delta)},\quad A=e^{4\varepsilon_0}(e^{\varepsilon_0}-1)^2\frac{\|\ell\|_2^2}{n^2})",
          .standing = Standing::repaired,
          .note = "the loads lie in {0,..,n}^m; the replaced element is not uniform given the past, but its law does "
                  "not depend on the changed record, which is what the proof uses",
          .proof = "bins",
          .needs = {eps0, n, load, delta},
          .rises = {eps0, load},
          .falls = {n, delta},
          .assumes = {assume::within<load, n>()},
          .evaluate = averaged_loads(),
      },
      {
          .id = "balle2020-lemA.6",
          .title = "Euclidean norm of the loads, with high probability",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, Lemma A.6",
          .formula = R"(\sqrt{n+n^2/m}+\sqrt{n\log(1/\delta)})",
          .quantity = Quantity::count,
          .proof = "bins",
          .adjacency = Adjacency::none,
          .needs = {n, m, delta},
          .rises = {n},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) { return load_norm(x[n], x[m], x[delta]); }),
      },
      {
          .id = "balle2020-lemA.6-tightmean",
          .title = "Euclidean norm of the loads, with the exact mean square",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, Lemma A.6, with E|L|^2 = n (1 - 1/m) + n^2/m",
          .formula = R"(\sqrt{n(1-1/m)+n^2/m}+\sqrt{n\log(1/\delta)})",
          .quantity = Quantity::count,
          .proof = "bins",
          .adjacency = Adjacency::none,
          .needs = {n, m, delta},
          .rises = {n},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) { return load_norm_exact_mean(x[n], x[m], x[delta]); }),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
