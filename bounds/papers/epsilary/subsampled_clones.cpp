#include <span>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/shuffle/clones.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using clones::Clones;

// The clones' pair, or the blanket's, of the reports drawn.
template <bool blanket>
struct Subsampled {
  static constexpr Orders orders = Orders::real;
  template <Real R>
  static Moment<R> moment(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const M reports(x[per_round]), local(x[eps0]);
    const Clones<M> pair = blanket ? Clones<M>::under_blanket(reports, local) : Clones<M>(reports, local);
    return pair.subsampled_moment(M(order), M(x[per_round] / x[n]));
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::divergence<R>(moment(x, order), order)};
  }
};

template <bool blanket>
Evaluator divergence_form() {
  return each_number([]<Real R>(const Values<R>& x) {
    const Moment<R> m1 = Subsampled<blanket>::moment(x, x[lambda]);
    Answer<R> answer{.value = renyi::divergence<R>(m1, x[lambda])};
    answer.beside.push_back({"moment", plain<R>(m1)});
    return answer;
  });
}
template <bool blanket>
Evaluator rounds_form() {
  return each_number([]<Real R>(const Values<R>& x) { return after_rounds<Subsampled<blanket>>(x); });
}

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
        .evaluate = divergence_form<false>(),
    });
    Bound rounds = list.back();
    rounds.quantity = Quantity::epsilon;
    rounds.needs = {eps0, n, per_round, T, delta};
    rounds.takes = {lambda};
    rounds.rises = {eps0, T};
    rounds.falls = {delta};
    rounds.evaluate = rounds_form<false>();
    list.push_back(rounds);
    for (std::size_t i = 0; i < 2; ++i) {
      Bound b = list[i];
      b.id = "epsilary-subsampled-blanket";
      b.title = "Shuffling k out of n reports by the blanket's pair, any order";
      b.source = "epsilary; the trade-off function of the blanket's pair under subsampling without replacement";
      b.proof = "convex, subsampling";
      b.evaluate = b.quantity == Quantity::rdp ? divergence_form<true>() : rounds_form<true>();
      list.push_back(std::move(b));
    }
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
