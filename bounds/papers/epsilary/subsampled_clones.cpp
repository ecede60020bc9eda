#include <span>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/shuffle/clones.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using clones::Clones;

struct SubsampledClones {
  static constexpr Orders orders = Orders::real;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Clones<M> pair{M(x[per_round]), M(x[eps0])};
    return {renyi::divergence<R>(pair.subsampled_moment(M(order), M(x[per_round] / x[n])), order)};
  }
};

}  // namespace

std::span<const Bound> epsilary_subsampled_clones() {
  static const std::vector<Bound> out = [] {
    std::vector<Bound> list;
    list.push_back({
        .id = "epsilary-subsampled-clones",
        .title = "Shuffling k out of n reports, any order",
        .protocol = "shuffled-sample",
        .source = "epsilary; the clones' trade-off function under subsampling without replacement",
        .formula =
            R"(\frac{1}{\lambda-1}\log\left(1+\sum_{P>Q}Q(\rho^\lambda-1)(1-\rho^{1-\lambda})\right),\ \rho=1+\tfrac kn(P/Q-1))",
        .quantity = Quantity::rdp,
        .note = clones::one_randomizer,
        .proof = "clones, subsampling",
        .needs = {eps0, n, per_round, lambda},
        .rises = {eps0, lambda},
        .assumes = {exactly("per_round <= n", [](const auto& x) { return x[per_round] <= x[n]; })},
        .evaluate = each_number([]<Real R>(const Values<R>& x) {
          using M = Moment<R>;
          const M m1 = Clones<M>{M(x[per_round]), M(x[eps0])}.subsampled_moment(M(x[lambda]), M(x[per_round] / x[n]));
          Answer<R> answer{.value = renyi::divergence<R>(m1, x[lambda])};
          answer.beside.push_back({"moment", plain<R>(m1)});
          return answer;
        }),
    });
    Bound rounds = list.back();
    rounds.quantity = Quantity::epsilon;
    rounds.needs = {eps0, n, per_round, T, delta};
    rounds.takes = {lambda};
    rounds.rises = {eps0, T};
    rounds.falls = {delta};
    rounds.evaluate = each_number([]<Real R>(const Values<R>& x) { return after_rounds<SubsampledClones>(x); });
    list.push_back(rounds);
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
