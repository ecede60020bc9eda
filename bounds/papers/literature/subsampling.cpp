#include "bounds/theory/subsampling.hpp"

#include <span>

#include "bounds/core/bound.hpp"

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
          .assumes = {exactly(
              "q delta0 <= delta",
              [](const auto& x) { return !x.has(delta0) || !x.has(delta) || x[q] * x[delta0] <= x[delta]; })},
          .evaluate = each_number([]<Real R>(const Values<R>& x) {
            Answer<R> answer = with_cap(subsampled(x[eps0], x[q]), x[eps0]);
            if (x.has(delta0) && certainly(x[q] * x[delta0] > 0)) answer.log_delta_total = log(x[q] * x[delta0]);
            answer.within = x.has(delta);  // the hypothesis saw to it
            return answer;
          }),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
