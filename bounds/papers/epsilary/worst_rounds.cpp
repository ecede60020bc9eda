// Rounds of a protocol by the sharpest bound of one round: shuffles of all clients or of some (CLDP-SGD, shuffled
// check-in), and random check-ins repeated (the epoch of Balle et al. 2020, Corollary 3.3); and what they cost at
// least.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/cldp/setting.hpp"
#include "bounds/theory/shuffle/worst_rounds_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace supremum;

constexpr const char* note =
    "all clients of a round must apply the same randomizer, which may depend on earlier rounds and messages; the "
    "bracket holds what the chords of the profile give";
constexpr const char* attained_note =
    "of one eps0-LDP randomizer and one pair of data sets: what no bound for all of them can beat";

std::vector<Hypothesis> within_reach() {
  return {assume::at_most<T, 9>(), assume::moderate_eps0(),
          exactly("delta/T >= 1e-100", [](const Values<Rational>& x) { return x[delta] * power_of_ten(100) >= x[T]; })};
}
std::vector<Hypothesis> epoch_within_reach() {
  return {assume::slots_divide_users(), assume::at_most<m, 9>(),
          exactly("n <= 10^9 m", [](const Values<Rational>& x) { return x[n] <= 1000000000 * x[m]; }),
          assume::moderate_eps0(), exactly("delta m/n >= 1e-100", [](const Values<Rational>& x) {
            return x[delta] * x[m] * power_of_ten(100) >= x[n];
          })};
}

void add_epoch(std::vector<Bound>& list) {
  Bound epoch_{
      .id = "epsilary-epoch-supremum-pld",
      .title = "One epoch of random check-ins, by composing the worst case of a repetition",
      .protocol = "checkin-epoch",
      .source =
          "epsilary; the profile of epsilary-checkin-supremum at p0 = m/n as a symmetric pair, composed n/m times",
      .formula = R"(f^{\otimes n/m},\ \delta_f(\varepsilon)=\text{epsilary-checkin-supremum at }p_0=m/n)",
      .note = "holds however many others take part; the bracket holds what the chords of the profile give",
      .proof = "slots, recursion, blocks, own, cap",
      .needs = {eps0, n, m, delta},
      .rises = {eps0},
      .falls = {delta},
      .assumes = epoch_within_reach(),
      .width = 2e-3,
      .evaluate = epoch_worst(),
  };
  Bound blanket = epoch_;
  blanket.id = "epsilary-epoch-blanket-pld";
  blanket.title = "One epoch of random check-ins, by composing the blanket's profile of a repetition";
  blanket.source =
      "epsilary; the profile of epsilary-checkin-blanket at p0 = m/n as a symmetric pair, composed n/m times";
  blanket.formula = R"(f^{\otimes n/m},\ \delta_f(\varepsilon)=\text{epsilary-checkin-blanket at }p_0=m/n)";
  blanket.proof = "slots, own, cap";
  blanket.evaluate = epoch_blanket();
  Bound known = epoch_;
  known.id = "epsilary-epoch-known-pld";
  known.title = "One epoch of random check-ins, all n clients taking part alike, by composing the worst case";
  known.source = "epsilary; the profile of epsilary-known-supremum at p0 = m/n as a symmetric pair, composed n/m times";
  known.formula = R"(f^{\otimes n/m},\ \delta_f(\varepsilon)=\text{epsilary-known-supremum at }p_0=m/n)";
  known.note =
      "every one of the n clients takes part in each repetition with probability m/n, independently; the bracket holds "
      "what the chords of the profile give";
  known.proof = "slots, recursion, blocks, known, sampled, own, cap";
  known.evaluate = epoch_of_all();
  Bound below = epoch_;
  below.id = "epsilary-lower-epoch";
  below.title = "What an epoch of random check-ins costs at least";
  below.side = Side::lower;
  below.source =
      "epsilary; binary and ternary response, all n - 1 others hold one record and take part alike, composed";
  below.formula =
      R"(\bigl(1-w+\tfrac wm\sum_{i\le m}\rho_b(Y_i)\bigr)^{\otimes n/m},\ w=\tfrac mn\bigl(1-(1-\tfrac1n)^n\bigr))";
  below.note =
      "of one eps0-LDP randomizer and one pair of data sets: what no bound for all of them can beat; a slot is given "
      "to one "
      "of those who chose it";
  below.proof = "witness, own";
  below.takes = {delta0};
  below.assumes.push_back(assume::delta0_within_delta());
  below.evaluate = epoch_below();
  for (Bound* b : {&blanket, &epoch_, &known, &below}) {
    b->example = "--eps0 1 --n 10000 --m 100 --delta 1e-6";
    list.push_back(std::move(*b));
  }
}

}  // namespace

std::span<const Bound> epsilary_worst_rounds() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound shuffle{
        .id = "epsilary-shuffle-best-pld",
        .title = "T rounds of shuffling, by composing the smaller of pivot and blanket",
        .protocol = "shuffle",
        .source = "epsilary; the profile of epsilary-shuffle-best as a symmetric pair, composed",
        .formula =
            R"(f^{\otimes T},\ \delta_f(\varepsilon)=\min\{\text{epsilary-shuffle-pivot},\ \text{epsilary-shuffle-blanket}\})",
        .note = note,
        .proof = "pivot, recursion, blocks, convex, own",
        .needs = {eps0, n, T, delta},
        .rises = {eps0, T},
        .falls = {n, delta},
        .assumes = within_reach(),
        .width = 2e-3,
        .evaluate = rounds_of_shuffles(),
    };
    shuffle.assumes.push_back(assume::at_most<n, 9>());
    Bound below = shuffle;
    below.id = "epsilary-lower-shuffle-rounds";
    below.title = "What T rounds of shuffling cost at least";
    below.side = Side::lower;
    below.source = "epsilary; binary and ternary response, all others holding one record, composed";
    below.formula = R"(\bigl(\tfrac1n\sum_{i\le n}\rho_b(Y_i)\bigr)^{\otimes T})";
    below.note = attained_note;
    below.proof = "witness, own";
    below.takes = {delta0};
    below.assumes.push_back(assume::delta0_within_delta());
    below.evaluate = rounds_of_shuffles_below();
    Bound cldp = shuffle;
    cldp.id = "epsilary-cldp-sgd-best-pld";
    cldp.title = "epsilon of CLDP-SGD by composing the worst case of a round";
    cldp.protocol = "cldp-sgd";
    cldp.source =
        "epsilary; the messages of a round as check-ins of k slots with w = k/m, the worst case of which is composed; "
        "with records the smaller of pivot and blanket under subsampling";
    cldp.formula = R"(f^{\otimes T},\ \delta_f(\varepsilon)=\tfrac1m V_k\bigl((m-k)(1-e^{\varepsilon})\bigr))";
    cldp.proof = "sampled, chosen, pivot, recursion, blocks, convex, subsampling, own";
    cldp.needs = {eps0, clients, per_round, T, delta};
    cldp.takes = {records};
    cldp.falls = {clients, records, delta};
    cldp.assumes = within_reach();
    cldp.assumes.push_back(cldp::drawn_from_the_clients());
    cldp.assumes.push_back(assume::at_most<per_round, 9>());
    cldp.assumes.push_back(exactly("clients times records <= 10^12",
                                   [](const Values<Rational>& x) { return cldp::population(x) <= 1000000000000; }));
    cldp.evaluate = rounds_of_samples();
    cldp.example = "--eps0 1 --clients 60000 --per_round 10000 --T 100 --delta 1e-5";
    Bound checkin = shuffle;
    checkin.id = "epsilary-shuffled-checkin-best-pld";
    checkin.title = "epsilon of shuffled check-in by composing the worst case of a round";
    checkin.protocol = "shuffled-checkin";
    checkin.source =
        "epsilary; given their number k the reports are check-ins of k slots with w = k/n; the worst case of these, "
        "mixed "
        "over k and composed";
    checkin.formula =
        R"(f^{\otimes T},\ \delta_f(\varepsilon)=\sum_k\mathrm{Bin}_{n,\gamma}(k)\,\tfrac1nV_k\bigl((n-k)(1-e^{\varepsilon})\bigr))";
    checkin.proof = "sampled, recursion, blocks, pivot, convex, own";
    checkin.needs = {eps0, n, gamma, T, delta};
    checkin.rises = {eps0, gamma, T};
    checkin.assumes = within_reach();
    checkin.assumes.push_back(assume::at_most<n, 12>());
    checkin.assumes.push_back(
        exactly("n gamma <= 20000", [](const Values<Rational>& x) { return x[n] * x[gamma] <= 20000; }));
    checkin.evaluate = rounds_of_checkins();
    checkin.example = "--eps0 1 --n 100000 --gamma 0.001 --T 1000 --delta 1e-6";
    for (Bound* b : {&shuffle, &below, &cldp, &checkin}) out.push_back(std::move(*b));
    add_epoch(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
