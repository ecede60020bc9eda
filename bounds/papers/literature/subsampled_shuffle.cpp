#include <span>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/shuffled.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

struct Girgis {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const ShuffleMoment<M> base{M(x[eps0]), M(order)};
    return {renyi::divergence<R>(base.at(M(x[per_round]), M(x[per_round] / x[n])), order)};
  }
};

}  // namespace

std::span<const Bound> literature_subsampled_shuffle() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    add_forms<Girgis>(
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
            .assumes = {exactly(
                            "lambda is an integer >= 2",
                            [](const auto& x) { return !x.has(lambda) || (is_integer(x[lambda]) && x[lambda] >= 2); }),
                        exactly("per_round <= n", [](const auto& x) { return x[per_round] <= x[n]; })},
        });
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
