// Check-in over T rounds by the Renyi divergences of its privacy losses, at any real order: of the clones' pair and of
// the blanket's under subsampling.
#include <span>

#include "bounds/forms/composed_rounds.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;

void add_clones_divergence(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-shuffled-checkin-rdp",
      .title = "Shuffled check-in by the clones' divergence, any order",
      .protocol = "shuffled-checkin",
      .source =
          "epsilary; Feldman, McMillan and Talwar 2021, the clones' pair, under subsampling at rate k/n (Dong, Roth "
          "and Su 2022), mixed over the number of check-ins",
      .formula =
          R"(\frac1{\lambda-1}\log\Bigl(1+\sum_k\mathrm{Bin}_{n,\gamma}(k)\sum_{P_k>Q_k}Q_k(\rho^\lambda-1)(1-\rho^{1-\lambda})\Bigr),\ \rho=1+\tfrac kn(P_k/Q_k-1))",
      .quantity = Quantity::rdp,
      .note = one_randomizer,
      .proof = "clones, subsampling, mixture, population, conversion",
      .needs = {eps0, n, gamma, lambda},
      .rises = {eps0},
      .falls = {n},
      .assumes = checkin_within_reach(),
      .width = default_width,
      .evaluate = divergence_of_checkins(Hiding::clones),
  };
  list.push_back(form);
  form.title = "Shuffled check-in over T rounds by the clones' divergence";
  form.quantity = Quantity::epsilon;
  form.needs = {eps0, n, gamma, T, delta};
  form.takes = {lambda};
  form.rises = {eps0, T};
  form.falls = {n, delta};
  form.evaluate = checkins_by_divergence(Hiding::clones);
  list.push_back(form);
}

void add_blanket_divergence(std::vector<Bound>& list) {
  for (std::size_t i = 0; i < 2; ++i) {
    Bound form = list[i];
    const bool once = form.quantity == Quantity::rdp;
    form.id = "epsilary-shuffled-checkin-blanket-rdp";
    form.title = once ? "Shuffled check-in by the divergence of the blanket's pair, any order"
                      : "Shuffled check-in over T rounds by the divergence of the blanket's pair";
    form.source =
        "epsilary; the blanket's pair of epsilary-shuffle-blanket under subsampling at rate k/n (Dong, Roth and Su "
        "2022), "
        "mixed over the number of check-ins";
    form.proof = "convex, subsampling, mixture, population, conversion";
    form.evaluate = once ? divergence_of_checkins(Hiding::blanket) : checkins_by_divergence(Hiding::blanket);
    list.push_back(std::move(form));
  }
}

}  // namespace

std::span<const Bound> epsilary_checkin_divergences() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_clones_divergence(out);
    add_blanket_divergence(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
