// The least divergence of a pair that is not better than (eps, delta): a lower bound, which one paper prints as an
// upper one.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/renyi.hpp"

namespace epsilary::bounds {

inline Bound least_divergence_form() {
  using enum Param;
  return {
      .id = "asoodeh2021-divergence",
      .title = "Least Renyi divergence of a pair that is not better than (eps, delta)",
      .protocol = "renyi",
      .source = "Asoodeh, Liao, Calmon, Kosut and Sankar 2021",
      .formula =
          R"(\varepsilon+\tfrac{1}{\lambda-1}\log\min_{\delta<r\le1}\left[r^\lambda(r-\delta)^{1-\lambda}+(1-r)^\lambda(e^\varepsilon-r+\delta)^{1-\lambda}\right])",
      .quantity = Quantity::rdp,
      .side = Side::lower,
      .proof = "conversion",
      .needs = {eps, delta, lambda},
      .rises = {eps, delta, lambda},
      .evaluate = each_number([]<Real R>(const Values<R>& x) {
        using enum Param;
        Answer<R> answer{.value = renyi::least_divergence(x[lambda], x[eps], x[delta])};
        const bool inside = x.is_exact(lambda) && x.is_exact(delta) ? x.exact(lambda) * x.exact(delta) < 1
                                                                    : certainly(x[lambda] * x[delta] < 1);
        answer.beside.push_back({"r", inside ? renyi::optimal_r(x[lambda], x[eps], x[delta]) : R(1)});
        return answer;
      }),
  };
}

}  // namespace epsilary::bounds
