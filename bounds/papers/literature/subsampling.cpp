#include <span>

#include "bounds/theory/composition_formulas.hpp"

namespace epsilary::bounds {

std::span<const Bound> literature_subsampling() {
  using enum Param;
  static const Bound list[] = {
      {
          .id = "balle2018-subsampling",
          .title = "Amplification by subsampling",
          .protocol = "subsampling",
          .source = "Balle, Barthe and Gaboardi 2018, Theorem 9",
          .formula = R"(\log(1+q(e^{\varepsilon_0}-1));\quad \delta'=q\delta_0)",
          .note = "uniform samples without replacement under replacement of one record; Poisson samples under removal",
          .proof = "subsampling",
          .adjacency = Adjacency::either,
          .needs = {eps0, q},
          .takes = {delta0, delta},
          .rises = {eps0, q},
          .assumes = {exactly("q delta0 <= delta",
                              [](const Values<Rational>& x) {
                                return !x.has(delta0) || !x.has(delta) || x[q] * x[delta0] <= x[delta];
                              })},
          .evaluate = composed::subsampled_mechanism(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
