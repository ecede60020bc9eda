#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/shuffle/swapping.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> literature_shuffling() {
  static const Bound list[] = {
      {
          .id = "erlingsson2019-thm7",
          .title = "Amplification by shuffling, via swapping",
          .protocol = "shuffle",
          .source = "Erlingsson et al. 2019, Theorem 7, as restated in Balle et al. 2020, Section 5",
          .formula =
              R"(n\varepsilon_1(e^{\varepsilon_1}-1)+\varepsilon_1\sqrt{2n\log(1/\delta)},\quad \varepsilon_1=\frac{2e^{2\varepsilon_0}(e^{\varepsilon_0}-1)}{n})",
          .standing = Standing::published,
          .needs = {eps0, n, delta},
          .rises = {eps0},
          .falls = {n, delta},
          .evaluate = each_number(
              [](const auto& x) { return with_cap(shuffling::by_swaps_composed(x[eps0], x[n], x[delta]), x[eps0]); }),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
