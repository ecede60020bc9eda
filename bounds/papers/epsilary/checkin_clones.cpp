#include <span>

#include "bounds/forms/epsilon_and_delta.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/slots_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const formula =
    R"(\mathbb{E}\left[(1-w)(1-e^\varepsilon)+\tfrac{w}{ms}(a(\pi-e^\varepsilon(1-\pi))+b(1-\pi-e^\varepsilon\pi))\right]_+,\ (a,b)\sim\mathrm{Mult}(m;s,s),\ s=\tfrac12e^{-\varepsilon_0},\ \pi=\tfrac{1}{1+e^{-\varepsilon_0}})";
const char* const source = "epsilary; the clones of Feldman, McMillan and Talwar 2021 with a weight on every slot";

}  // namespace

std::span<const Bound> epsilary_checkin_clones() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const Hypothesis few_slots = assume::at_most<m, 12>();
    add_epsilon_and_delta(out,
                          {
                              .id = "epsilary-checkin-clones",
                              .title = "Random check-ins with a fixed window, by the clones",
                              .protocol = "checkin-fixed",
                              .source = source,
                              .formula = formula,
                              .note = "w = p0; holds for every number of users",
                              .proof = "labels, cap",
                              .needs = {eps0, m, p0},
                              .rises = {eps0, p0},
                              .falls = {m},
                              .assumes = {few_slots},
                          },
                          in_fixed_window(Hiding::clones));
    add_epsilon_and_delta(
        out,
        {
            .id = "epsilary-known-clones",
            .title = "Random check-ins with a fixed window and at least n users, by the clones",
            .protocol = "checkin-fixed",
            .source = "epsilary; the clones of the slots whose lottery the client can win",
            .formula =
                R"(\delta=\delta_2+\delta_{\text{clones}}(M,\,p_0M/m),\ \Pr[\text{more than } M \text{ slots to win}]\le\delta_2)",
            .note = "n users, the changed one among them, check in with probability p0 independently; delta2 is "
                    "part of delta",
            .proof = "labels",
            .needs = {eps0, m, n, p0},
            .takes = {delta2},
            .rises = {eps0},
            .assumes = {few_slots, assume::delta2_within_delta()},
        },
        in_winnable_slots());
    add_epsilon_and_delta(out,
                          {
                              .id = "epsilary-sliding-clones",
                              .title = "Random check-ins with a sliding window, by the clones",
                              .protocol = "checkin-sliding",
                              .source = source,
                              .formula = formula,
                              .note = "w = 1; slots outside the client's window do not count",
                              .proof = "labels",
                              .needs = {eps0, m},
                              .takes = {n},
                              .rises = {eps0},
                              .falls = {m},
                              .assumes = {few_slots, assume::window_within_users()},
                          },
                          in_sliding_window(Hiding::clones));
    add_epsilon_and_delta(
        out,
        {
            .id = "epsilary-averaged-clones",
            .title = "Random check-ins with averaged updates, by the clones of a shuffle of n messages",
            .protocol = "checkin-averaged",
            .source = source,
            .formula = formula,
            .note = "w = 1 and m = n: given the loads the protocol permutes all n users uniformly and averages; "
                    "every user must check in and n must be fixed",
            .proof = "labels, averaged",
            .needs = {eps0, n},
            .rises = {eps0},
            .falls = {n},
            .assumes = {assume::at_most<n, 12>()},
        },
        in_shuffle(Hiding::clones));
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
