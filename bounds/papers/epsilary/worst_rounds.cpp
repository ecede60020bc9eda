// Rounds of shuffled reports by the sharpest bound of one round: all clients in each, or some of them (CLDP-SGD).
#include "bounds/theory/shuffle/worst_rounds.hpp"

#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

constexpr const char* note =
    "all clients of a round must apply the same randomizer, which may depend on earlier rounds and messages; the "
    "bracket "
    "holds what the chords of the profile give";

Answer<Ball> bounded(const supremum::WorstRounds& rounds, const Values<Ball>& x, const Request& request) {
  return with_cap(supremum::epsilon_of_rounds(rounds, x[delta], request), Ball(x[T] * x[eps0]));
}
Answer<Ball> shuffles(const Values<Ball>& x, const Request& request) {
  const double all = to_double(x[n]);
  return bounded({x[eps0], all, all, to_double(x[T])}, x, request);
}
Answer<Ball> samples_of_clients(const Values<Ball>& x, const Request& request) {
  const Ball population = x.has(records) ? x[clients] * x[records] : x[clients];
  return bounded({x[eps0], to_double(x[per_round]), to_double(population), to_double(x[T])}, x, request);
}

std::vector<Hypothesis> within_reach() {
  return {exactly("T <= 10^9", [](const auto& x) { return x[T] <= 1000000000; }),
          exactly("0.01 <= eps0 <= 8", [](const auto& x) { return 100 * x[eps0] >= 1 && x[eps0] <= 8; }),
          exactly("delta/T >= 1e-100", [](const auto& x) { return x[delta] * power_of_ten(100) >= x[T]; })};
}

}  // namespace

std::span<const Bound> epsilary_worst_rounds() {
  static const std::vector<Bound> list = [] {
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
        .evaluate = bracketed<shuffles>(),
    };
    shuffle.assumes.push_back(exactly("n <= 10^9", [](const auto& x) { return x[n] <= 1000000000; }));
    Bound cldp = shuffle;
    cldp.id = "epsilary-cldp-sgd-best-pld";
    cldp.title = "epsilon of CLDP-SGD by composing the smaller of pivot and blanket under subsampling";
    cldp.protocol = "cldp-sgd";
    cldp.source =
        "epsilary; the profile of epsilary-shuffle-best of the messages of a round under subsampling, composed";
    cldp.formula = R"(C_q(f_k)^{\otimes T},\ q=\frac{k}{mr})";
    cldp.proof = "chosen, pivot, recursion, blocks, convex, subsampling, own";
    cldp.needs = {eps0, clients, per_round, T, delta};
    cldp.takes = {records};
    cldp.rises = {eps0, T};
    cldp.falls = {clients, records, delta};
    cldp.assumes = within_reach();
    cldp.assumes.push_back(cldp::drawn_from_the_clients());
    cldp.assumes.push_back(exactly("per_round <= 10^9", [](const auto& x) { return x[per_round] <= 1000000000; }));
    cldp.evaluate = bracketed<samples_of_clients>();
    cldp.example = "--eps0 1 --clients 60000 --per_round 10000 --T 100 --delta 1e-5";
    return std::vector<Bound>{shuffle, cldp};
  }();
  return list;
}

}  // namespace epsilary::bounds
