#include <span>

#include "bounds/theory/checkin/mixture_formulas.hpp"
#include "bounds/theory/checkin/overlapping_mixtures.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

}  // namespace

std::span<const Bound> balle2020_lemmas() {
  static const Bound list[] = {
      {
          .id = "balle2020-lemA.1",
          .title = "Overlapping mixtures",
          .protocol = "lemma",
          .source = "Balle et al. 2020, Lemma A.1",
          .formula = R"(\frac{e^{\varepsilon_0}}{1+q(e^{\varepsilon_0}-1)})",
          .quantity = Quantity::ratio,
          .proof = "overlap",
          .adjacency = Adjacency::none,
          .needs = {eps0, q},
          .rises = {eps0},
          .falls = {q},
          .evaluate = each_number([](const auto& x) { return overlapping_mixture(x[eps0], x[q]); }),
      },
      {
          .id = "balle2020-lemA.2",
          .title = "Composition of steps whose posterior grows linearly",
          .protocol = "lemma",
          .source = "Balle et al. 2020, Lemma A.2",
          .formula = R"(\frac{A}{2}+\sqrt{2A\log(1/\delta)},\quad A=\frac{a^2}{T(1-b)})",
          .proof = "posterior, composition",
          .adjacency = Adjacency::either,
          .needs = {a, b, T, delta},
          .rises = {a, b},
          .falls = {T, delta},
          .evaluate = steps_of_linear_posterior(),
      },
      {
          .id = "balle2020-lemA.3",
          .title = "Largest delta0 that a pure randomizer at 8 eps0 can stand in for",
          .protocol = "lemma",
          .source = "Balle et al. 2020, Lemma A.3, with a whole number of repetitions",
          .formula =
              R"(\frac{(1-e^{-\varepsilon_0})\delta_1}{4e^{\varepsilon_0}(2+\lceil T\rceil)},\quad T=\frac{\log(2/\delta_1)}{\log(1/(1-e^{-5\varepsilon_0}))})",
          .quantity = Quantity::limit,
          .side = Side::lower,
          .standing = Standing::repaired,
          .note = "T must be a whole number; clipping proves far more: every delta0 <= delta1, at 2 eps0",
          .proof = "clip",
          .adjacency = Adjacency::none,
          .needs = {eps0, delta1},
          .rises = {delta1},
          .evaluate = admissible_local_delta(),
      },
      {
          .id = "balle2020-lemA.3-printed",
          .title = "Largest delta0 that a pure randomizer at 8 eps0 can stand in for, as printed",
          .protocol = "lemma",
          .source = "Balle et al. 2020, Lemma A.3",
          .formula =
              R"(\frac{(1-e^{-\varepsilon_0})\delta_1}{4e^{\varepsilon_0}\left(2+\frac{\log(2/\delta_1)}{\log(1/(1-e^{-5\varepsilon_0}))}\right)})",
          .quantity = Quantity::limit,
          .side = Side::lower,
          .standing = Standing::repaired,
          .note = "the number of repetitions is not rounded up, and in the text at hand the proof has 1-e^{5 eps0}, "
                  "which is negative; true because clipping needs only delta0 <= delta1",
          .proof = "clip",
          .adjacency = Adjacency::none,
          .needs = {eps0, delta1},
          .rises = {delta1},
          .evaluate = admissible_local_delta_printed(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
