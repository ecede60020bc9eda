#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/theory/shuffle/clones_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using clones::Hiding;

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
        .note = one_randomizer_note,
        .proof = "clones, subsampling",
        .needs = {eps0, n, per_round, lambda},
        .rises = {eps0, lambda},
        .assumes = {assume::within<per_round, n>()},
        .evaluate = clones::sample_divergence(Hiding::clones),
    });
    Bound rounds = list.back();
    rounds.quantity = Quantity::epsilon;
    rounds.needs = {eps0, n, per_round, T, delta};
    rounds.takes = {lambda};
    rounds.rises = {eps0, T};
    rounds.falls = {delta};
    rounds.evaluate = clones::sample_rounds(Hiding::clones);
    list.push_back(rounds);
    for (std::size_t i = 0; i < 2; ++i) {
      Bound b = list[i];
      b.id = "epsilary-subsampled-blanket";
      b.title = "Shuffling k out of n reports by the blanket's pair, any order";
      b.source = "epsilary; the trade-off function of the blanket's pair under subsampling without replacement";
      b.proof = "convex, subsampling";
      b.evaluate = b.quantity == Quantity::rdp ? clones::sample_divergence(Hiding::blanket)
                                               : clones::sample_rounds(Hiding::blanket);
      list.push_back(std::move(b));
    }
    return list;
  }();
  return out;
}

}  // namespace epsilary::bounds
