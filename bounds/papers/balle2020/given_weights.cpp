// Approximate randomizers in Theorems A.4 and A.5 of Balle et al. 2020, where the weights or the loads are given.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

Hypothesis loads_are_whole() {
  return exactly("load^2 >= n, as loads are whole and add up to n",
                 [](const Values<Rational>& x) { return x[load] * x[load] >= x[n]; });
}

Bound replacement() {
  return {
      .id = "balle2020-thmA.4-approx",
      .title = "Random replacement with weights at most w, approximate randomizer",
      .protocol = "random-replacement",
      .source = "Balle et al. 2020, Theorem A.4, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem A.4 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note =
          "in the text at hand its condition on delta0 has e^{-2 eps0}, and that of Lemma A.3, which its proof uses "
          "and "
          "which is taken here, e^{-5 eps0}; epsilary-replacement-clip is far tighter",
      .proof = "clip",
      .needs = {eps0, delta0, m, w, delta, delta1},
      .rises = {eps0, w},
      .falls = {delta},
      .turns = {m},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = replaced_in_weighted_slots().parts_given,
  };
}
Bound loads() {
  return {
      .id = "balle2020-thmA.5-approx",
      .title = "Averaged updates given the loads of the bins, approximate randomizer",
      .protocol = "averaged-given-loads",
      .source = "Balle et al. 2020, Theorem A.5, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem A.5 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note =
          "true, though not by the argument of the text, which counts m calls of the randomizer where n are made: at "
          "most two calls need clipping, at 2 eps0, and the squared loads add up to n at least",
      .proof = "clip, swap",
      .needs = {eps0, delta0, n, m, load, delta, delta1},
      .rises = {eps0, load},
      .falls = {delta},
      .assumes = {assume::within<load, n>(), loads_are_whole(), assume::lemma_a3_admits_delta0()},
      .example = "--eps0 0.05 --delta0 1e-20 --n 100000 --m 1000 --load 3200 --delta 1e-6 --delta1 1e-15",
      .evaluate = replaced_given_loads().parts_given,
  };
}

Bound whole(const Bound& printed, std::vector<Param> needs, const Evaluator& evaluator, std::string example) {
  Bound b = parts_found(printed, std::move(needs), evaluator);
  b.rises = {eps0, delta0};
  b.falls = {delta};
  b.turns.clear();
  b.example = std::move(example);
  return b;
}

}  // namespace

std::span<const Bound> balle2020_given_weights() {
  static const std::vector<Bound> list = [] {
    Bound by_loads = whole(loads(), {eps0, delta0, n, m, load, delta}, replaced_given_loads().whole_given,
                           "--eps0 0.05 --delta0 1e-20 --n 100000 --m 1000 --load 3200 --delta 1e-6");
    by_loads.assumes = {assume::within<load, n>(), loads_are_whole()};
    return std::vector<Bound>{
        replacement(),
        whole(replacement(), {eps0, delta0, m, w, delta}, replaced_in_weighted_slots().whole_given,
              "--eps0 0.1 --delta0 1e-18 --m 10000 --w 0.1 --delta 1e-6"),
        loads(),
        by_loads,
    };
  }();
  return list;
}

}  // namespace epsilary::bounds
