#include <span>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/renyi.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

// Of an (eps0, delta0)-DP mechanism: up to probability delta0 a pair of laws that is eps0-DP.
struct ApproximateResponse {
  static constexpr Orders orders = Orders::real;
  static constexpr bool optimal = true;
  static constexpr bool closed = true;
  static constexpr std::string_view lacks = "T delta0 < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    return x[delta0];
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::response(x[eps0], order)};
  }
};

}  // namespace

std::span<const Bound> epsilary_approximate_rdp() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    add_forms<ApproximateResponse>(
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
        });
    for (Bound& b : list) b.adjacency = Adjacency::either;
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
