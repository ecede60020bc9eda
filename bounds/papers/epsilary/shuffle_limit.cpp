// What no analysis of shuffling can beat in the limit of many users.
#include <span>

#include "bounds/theory/shuffle/response_formulas.hpp"

namespace epsilary::bounds {

std::span<const Bound> epsilary_shuffle_limit() {
  using enum Param;
  static const char* const variance =
      R"(\mu^2=\tfrac1n\max\Bigl\{\tfrac{2(e^{\varepsilon_0}-1)^2}{e^{\varepsilon_0}+2},\tfrac{(e^{\varepsilon_0}-1)^2}{e^{\varepsilon_0}}\Bigr\})";
  static const Bound list[] = {
      {
          .id = "epsilary-shuffle-limit",
          .title = "The Gaussian mechanism that a shuffle of many reports comes to at worst",
          .protocol = "shuffle-limit",
          .source = "epsilary; the largest distance of two laws over the covariance of the other reports",
          .formula = variance,
          .quantity = Quantity::mu,
          .side = Side::exact,
          .note = "the largest n d^T C^+ d over all eps0-LDP randomizers, records and data of the others; attained by "
                  "ternary response with the others on the third value, for e^eps0 < 2 by binary response",
          .proof = "limit",
          .needs = {eps0, n},
          .rises = {eps0},
          .falls = {n},
          .evaluate = responses::worst_limit(),
      },
      {
          .id = "epsilary-shuffle-limit",
          .title = "Epsilon of a shuffle of many reports at worst, in the limit",
          .protocol = "shuffle",
          .source = "epsilary; the normal law of many reports",
          .formula = variance,
          .side = Side::estimate,
          .standing = Standing::approximate,
          .note =
              "the normal law stands for the sum of n reports: what no analysis can beat as n grows, and no bound at "
              "any n",
          .proof = "limit",
          .needs = {eps0, n, delta},
          .rises = {eps0},
          .falls = {n, delta},
          .evaluate = responses::worst_limit_epsilon(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
