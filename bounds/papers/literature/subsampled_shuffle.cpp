#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/checkin/shuffled_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> literature_subsampled_shuffle() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    add_forms(
        list,
        {
            .id = "girgis2021b-shuffle",
            .title = "Shuffling k out of n reports",
            .protocol = "shuffled-sample",
            .source = "Girgis, Data and Diggavi 2021, Theorem 1",
            .formula =
                R"(\frac{1}{\lambda-1}\log\Big(1+4\tbinom\lambda2r^2\tfrac{(e^{\varepsilon_0}-1)^2}{\bar ke^{\varepsilon_0}}+\sum_{j=3}^\lambda\tbinom\lambda jr^jj\Gamma(\tfrac j2)\big(\tfrac{2(e^{2\varepsilon_0}-1)^2}{\bar ke^{2\varepsilon_0}}\big)^{j/2}+\Upsilon e^{-(k-1)/(8e^{\varepsilon_0})}\Big),\ r=\tfrac kn,\ \bar k=\big\lfloor\tfrac{k-1}{2e^{\varepsilon_0}}\big\rfloor+1)",
            .standing = Standing::published,
            .note =
                "quoted and not derived again; epsilary-subsampled-clones is proved and at least 6 times smaller where "
                "compared",
            .needs = {eps0, n, per_round},
            .rises = {eps0},
            .assumes = {assume::integer_order(), assume::within<per_round, n>()},
        },
        shuffled::of_sample());
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
