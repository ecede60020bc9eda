// The least divergence of a pair that is not better than (eps, delta): a lower bound, which one paper prints as an
// upper one. Each paper that states it gives it an id.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/renyi_formulas.hpp"

namespace epsilary::bounds {

inline Bound least_divergence_form() {
  using enum Param;
  return {
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
      .evaluate = renyi::least_divergence_of_pair(),
  };
}

}  // namespace epsilary::bounds
