#include <span>

#include "bounds/forms/rounds.hpp"
#include "bounds/theory/renyi_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> epsilary_approximate_rdp() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    add_forms(
        list,
        {
            .id = "epsilary-approximate-rdp",
            .title = "Renyi accounting of an (eps0, delta0)-DP mechanism",
            .protocol = "renyi",
            .source = "epsilary; Kairouz, Oh and Viswanath 2015: with probability 1 - delta0 the pair is eps0-DP",
            .formula =
                R"(\varepsilon(\lambda)=\text{randomised response at }\varepsilon_0;\quad \delta'=\delta+T\delta_0)",
            .note =
                "an (eps0, delta0)-DP mechanism may have an infinite Renyi divergence; this one is of the part that "
                "has probability 1 - delta0 in each round",
            .proof = "approximate, response, conversion",
            .needs = {eps0, delta0},
            .rises = {eps0},
        },
        renyi::approximate_mechanism());
    for (Bound& b : list) b.adjacency = Adjacency::either;
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
