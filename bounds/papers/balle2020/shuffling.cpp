#include <algorithm>
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

// A row of Table 1: e^{halves eps0 / 2} / sqrt(n).
template <int halves>
Bound table1(const std::string& id, const std::string& title, const std::string& protocol, const std::string& formula) {
  return {
      .id = id,
      .title = title,
      .protocol = protocol,
      .source = "Balle et al. 2020, Table 1",
      .formula = formula,
      .side = Side::estimate,
      .standing = Standing::rate,
      .note = "a rate for eps0 > 1: constants and logarithms are dropped",
      .needs = {eps0, n},
      .rises = {eps0},
      .falls = {n},
      .evaluate = each_number([](const auto& x) { return exp(halves * x[eps0] / 2) / sqrt(x[n]); }),
  };
}

const char* const pure_formula =
    R"(\frac{e^{3\varepsilon_0}(e^{\varepsilon_0}-1)^2}{2n} + e^{3\varepsilon_0/2}(e^{\varepsilon_0}-1)\sqrt{\frac{2\log(1/\delta)}{n}})";

Bound approximate() {
  return {
      .id = "balle2020-thm5.1-approx",
      .title = "Amplification by shuffling, approximate randomizer",
      .protocol = "shuffle",
      .source = "Balle et al. 2020, Theorem 5.1, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem 5.1 at } 8\varepsilon_0,\quad \delta' = \delta + n(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note = "the conference text at hand has e^{-delta eps0} for e^{-5 eps0} in the hypothesis",
      .proof = "clip, swap",
      .needs = {eps0, delta0, n, delta, delta1},
      .rises = {eps0},
      .falls = {delta},
      .turns = {n},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = checkin::replaced_in_shuffle().parts_given,
  };
}
Bound approximate_printed() {
  return {
      .id = "balle2020-thmA.7-approx-printed",
      .title = "Amplification by swapping, approximate randomizer, as printed",
      .protocol = "shuffle",
      .source = "Balle et al. 2020, Theorem A.7, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem A.7 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note = "true, though not by the proof in the text, which counts m calls of n: at most two calls need clipping",
      .proof = "clip, swap",
      .needs = {eps0, delta0, n, m, delta, delta1},
      .rises = {eps0},
      .falls = {delta},
      .turns = {n},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = checkin::replaced_in_shuffle_m_calls().parts_given,
  };
}
// What n calls cost rises in n, and the theorem falls.
Bound found(const Bound& printed, std::vector<Param> needs, const Evaluator& evaluator) {
  Bound b = parts_found(printed, std::move(needs), evaluator);
  b.rises.push_back(delta0);
  b.turns = {n};
  b.example = std::ranges::count(b.needs, m) ? "--eps0 0.1 --delta0 1e-18 --n 1000000 --m 1000 --delta 1e-6"
                                             : "--eps0 0.1 --delta0 1e-18 --n 1000000 --delta 1e-6";
  return b;
}

}  // namespace

std::span<const Bound> balle2020_shuffling() {
  static const Bound list[] = {
      {
          .id = "balle2020-thm5.1",
          .title = "Amplification by shuffling",
          .protocol = "shuffle",
          .source = "Balle et al. 2020, Theorem 5.1, case delta0 = 0",
          .formula = pure_formula,
          .proof = "swap, overlap, composition",
          .needs = {eps0, n, delta},
          .rises = {eps0},
          .falls = {n, delta},
          .evaluate = checkin::swapped(),
      },
      approximate(),
      found(approximate(), {eps0, delta0, n, delta}, checkin::replaced_in_shuffle().whole_given),
      {
          .id = "balle2020-thmA.7",
          .title = "Amplification by swapping",
          .protocol = "shuffle",
          .source = "Balle et al. 2020, Theorem A.7",
          .formula = pure_formula,
          .standing = Standing::repaired,
          .note =
              "the case delta0 > 0 has m for n in the text; sums in the proof carry spurious factors (i-1) and (n-i)",
          .proof = "swap, overlap, composition",
          .needs = {eps0, n, delta},
          .rises = {eps0},
          .falls = {n, delta},
          .evaluate = checkin::swapped(),
      },
      approximate_printed(),
      found(approximate_printed(), {eps0, delta0, n, m, delta}, checkin::replaced_in_shuffle_m_calls().whole_given),
      {
          .id = "balle2020-table1-none",
          .title = "Table 1: no amplification",
          .protocol = "shuffle",
          .source = "Balle et al. 2020, Table 1",
          .formula = R"(\varepsilon_0)",
          .side = Side::estimate,
          .standing = Standing::rate,
          .needs = {eps0, n},
          .rises = {eps0},
          .evaluate = each_number([](const auto& x) { return x[eps0]; }),
      },
      table1<2>("balle2020-table1-subsampling", "Table 1: uniform subsampling", "subsampling",
                R"(e^{\varepsilon_0}/\sqrt{n})"),
      table1<6>("balle2020-table1-shuffling19", "Table 1: shuffling, Erlingsson et al.", "shuffle",
                R"(e^{3\varepsilon_0}/\sqrt{n})"),
      table1<5>("balle2020-table1-shuffling51", "Table 1: shuffling, Theorem 5.1", "shuffle",
                R"(e^{2.5\varepsilon_0}/\sqrt{n})"),
      table1<3>("balle2020-table1-checkin32", "Table 1: random check-ins, Theorem 3.2", "checkin-fixed",
                R"(e^{1.5\varepsilon_0}/\sqrt{n})"),
  };
  return list;
}

}  // namespace epsilary::bounds
