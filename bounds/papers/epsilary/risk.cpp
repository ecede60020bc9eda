#include <span>

#include "bounds/theory/checkin/risk_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

}  // namespace

std::span<const Bound> epsilary_risk() {
  static const Bound list[] = {
      {
          .id = "epsilary-averaged-risk",
          .title = "Excess risk with averaged updates, steps indexed by performed updates",
          .protocol = "checkin-averaged",
          .source = "epsilary; Shamir and Zhang 2013, Theorem 2, given the loads",
          .formula = R"(\frac{2RG(2+\log T)}{\sqrt T},\quad G^2=L^2+p\sigma^2,\ T=\text{number of non-empty bins})",
          .quantity = Quantity::risk,
          .standing = Standing::published,
          .note = "given the loads, the T non-empty bins are T steps of SGD on fresh clients; rests on a published "
                  "theorem not derived again here",
          .adjacency = Adjacency::none,
          .needs = {radius, lipschitz, dim, noise, T},
          .rises = {radius, lipschitz, dim, noise},
          .evaluate = risk_of_performed_updates(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
