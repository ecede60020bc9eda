// Check-in over T rounds by its own privacy losses: upper bounds from the clones' pair and the Gaussian pair under
// subsampling, and lower bounds from equal data.
#include <span>

#include "bounds/forms/composed_rounds.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;

std::vector<Hypothesis> lower_within_reach() {
  std::vector<Hypothesis> list = checkin_within_reach();
  list.push_back(assume::delta0_within_delta());
  return list;
}

void add_one_round(std::vector<Bound>& list) {
  list.push_back({
      .id = "epsilary-shuffled-checkin-pld",
      .title = "delta of one round of shuffled check-in by the clones' pair, exactly",
      .protocol = "shuffled-checkin",
      .source = list.back().source,
      .formula = R"(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,r\,\delta_k\bigl(\log(1+(e^\varepsilon-1)/r)\bigr),\ r=k/n)",
      .quantity = Quantity::delta,
      .note = "all clients must apply the same randomizer; term by term, so for few check-ins: give T = 1 for many",
      .proof = "clones, subsampling, mixture, population",
      .needs = {eps0, n, gamma, eps},
      .rises = {eps0},
      .falls = {eps},
      .assumes = {exactly("n gamma <= 100", [](const Values<Rational>& x) { return x[n] * x[gamma] <= 100; })},
      .evaluate = one_round_of_checkins(),
  });
}

}  // namespace

std::span<const Bound> epsilary_checkin_rounds() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_both(
        out,
        {
            .id = "epsilary-shuffled-checkin-pld",
            .protocol = "shuffled-checkin",
            .source = "epsilary; the clones' pair (Feldman, McMillan and Talwar 2021) under subsampling, mixed over "
                      "the number of check-ins and composed",
            .formula = R"(\Bigl(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,C_{k/n}(f_k)\Bigr)^{\otimes T})",
            .note = one_randomizer,
            .proof = "clones, subsampling, mixture, population",
            .needs = {eps0, n, gamma},
            .rises = {eps0},
            .falls = {n},
            .assumes = checkin_within_reach(),
            .evaluate = composed_checkins(Hiding::clones),
        },
        "epsilon of shuffled check-in by composing its privacy losses",
        "delta of shuffled check-in by composing its privacy losses");
    add_one_round(out);
    add_both(
        out,
        {
            .id = "epsilary-shuffled-checkin-blanket-pld",
            .protocol = "shuffled-checkin",
            .source =
                "epsilary; the blanket's pair of epsilary-shuffle-blanket under subsampling, mixed over the number of "
                "check-ins and composed",
            .formula = R"(\Bigl(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,C_{k/n}(f_k)\Bigr)^{\otimes T})",
            .note = one_randomizer,
            .proof = "convex, subsampling, mixture, population",
            .needs = {eps0, n, gamma},
            .rises = {eps0},
            .falls = {n},
            .assumes = checkin_within_reach(),
            .evaluate = composed_checkins(Hiding::blanket),
        },
        "epsilon of shuffled check-in by composing the losses of the blanket's pair",
        "delta of shuffled check-in by composing the losses of the blanket's pair");
    add_both(
        out,
        {
            .id = "epsilary-lower-shuffled-checkin",
            .protocol = "shuffled-checkin",
            .source = "epsilary; randomised response on equal data (Self check-in 2022, Theorem 3) composed exactly",
            .formula =
                R"(\max\{T(P,Q),T(Q,P)\}^{\otimes T},\ \tfrac PQ=1+\tfrac{2\sinh\varepsilon_0}{n}(m-kp),\ m\sim\mathrm{Bin}_{k,p},\ k\sim\mathrm{Bin}_{n,\gamma},\ p=\tfrac1{e^{\varepsilon_0}+1})",
            .side = Side::lower,
            .note = "of one eps0-LDP randomizer and one pair of data sets: what no bound for all of them can beat",
            .proof = "lower, population",
            .needs = {eps0, n, gamma},
            .takes = {delta0},
            .rises = {eps0, gamma},
            .falls = {n},
            .assumes = lower_within_reach(),
            .evaluate = composed_binary_checkins(),
        },
        "Least epsilon of shuffled check-in that any analysis can show",
        "Least delta of shuffled check-in that any analysis can show");
    Bound distributed{
        .id = "epsilary-distributed-checkin-pld",
        .protocol = "distributed-checkin",
        .source =
            "epsilary; Self check-in 2022, Theorem 4, by the trade-off function of the subsampled Gaussian "
            "(Dong, Roth and Su 2022), mixed over the number of check-ins and composed",
        .formula = R"(\Bigl(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,C_{k/n}(G_{2/(\sigma\sqrt k)})\Bigr)^{\otimes T})",
        .note = "with a quorum a round with fewer check-ins is aborted and shows nothing but their number",
        .proof = "distributed, subsampling, mixture, population",
        .needs = {n, gamma, multiplier},
        .falls = {n, multiplier},
        .assumes = checkin_within_reach(),
        .evaluate = composed_noisy_sums(),
    };
    Bound opposite = distributed;
    opposite.id = "epsilary-lower-distributed-checkin";
    opposite.proof = "distributed, opposite";
    opposite.source = "epsilary; every other client holds the opposite vector, composed exactly";
    opposite.formula =
        R"(\max\{T(P,Q),T(Q,P)\}^{\otimes T},\ P_k=(1-\tfrac kn)\mathcal N_0+\tfrac kn\mathcal N_{2/(\sigma\sqrt k)},\ Q_k=\mathcal N_0,\ k\sim\mathrm{Bin}_{n,\gamma})";
    opposite.side = Side::lower;
    opposite.note =
        "of one pair of data sets, the number of check-ins being public: what no bound for all of them can beat; with "
        "a quorum as in epsilary-distributed-checkin-pld";
    opposite.evaluate = composed_opposite_sums();
    for (const bool aborts : {false, true}) {
      for (Bound* form : {&distributed, &opposite}) {
        if (!aborts) continue;
        form->needs.push_back(quorum);
        form->falls = {multiplier};  // among more clients fewer rounds are aborted
      }
      add_both(out, distributed, "epsilon of distributed check-in by composing its privacy losses",
               "delta of distributed check-in by composing its privacy losses");
      add_both(out, opposite, "Least epsilon of distributed check-in that any analysis can show",
               "Least delta of distributed check-in that any analysis can show");
    }
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
