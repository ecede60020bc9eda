// Shuffling and random check-ins by the convex order: the clones' pair with hiding probability 2/(e^{eps0}+1), for one
// eps0-LDP randomizer of all users, which may be chosen anew in each slot from what came before.
#include <span>

#include "bounds/forms/epsilon_and_delta.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/slots_formulas.hpp"
#include "bounds/theory/shuffle/clones_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const pair_formula =
    R"(\tfrac1n\mathbb{E}\Bigl(\sum_{i\le n}X_i\Bigr)_+,\ X=e^{\varepsilon_0}-e^{\varepsilon},\ 1-e^{\varepsilon+\varepsilon_0},\ 0\text{ with probabilities }s,\ s,\ 1-2s,\quad s=\tfrac1{e^{\varepsilon_0}+1})";
const char* const slots_formula =
    R"(\mathbb{E}\Bigl((1-w)(1-e^{\varepsilon})+\tfrac wm\sum_{i\le m}X_i\Bigr)_+,\ X\text{ as in epsilary-shuffle-blanket})";
const char* const known_formula =
    R"(\delta=\delta_2+\delta_{\text{blanket}}(M,\,M/N),\ \Pr[\text{more than } M \text{ slots}]\le\delta_2,\ \text{slots to win: }N=m/p_0;\ \text{slots in use: }N=n)";
const char* const source =
    "epsilary, by the convex order; for one shuffle the value also follows from the variation-ratio bound of Wang et "
    "al. "
    "2023";
const char* const pair_note =
    "all users must apply the same randomizer, which may depend on the slot and on earlier messages; never above "
    "feldman2021-clones";

void add_shuffle(std::vector<Bound>& list) {
  Bound form{
      .id = "epsilary-shuffle-blanket",
      .title = "Amplification by shuffling, the blanket's pair exactly",
      .protocol = "shuffle",
      .source = source,
      .formula = pair_formula,
      .note = pair_note,
      .proof = "convex",
      .needs = {eps0, n, delta},
      .rises = {eps0},
      .falls = {n, delta},
      .assumes = {assume::at_most<n, 12>()},
      .evaluate = clones::shuffle_epsilon(Hiding::blanket),
  };
  list.push_back(form);
  Bound leaking = form;
  leaking.title = "Amplification by shuffling, the blanket's epsilon of an approximate randomizer";
  leaking.proof = "convex, leak";
  leaking.needs = {eps0, delta0, n, delta};
  leaking.takes = {share};
  leaking.rises = {eps0, delta0};
  leaking.falls = {delta};
  leaking.turns = {n};
  leaking.evaluate = clones::leaking_shuffle_epsilon(Hiding::blanket);
  list.push_back(leaking);
  form.title = "Amplification by shuffling, the blanket's delta exactly";
  form.quantity = Quantity::delta;
  form.proof = "convex, leak";
  form.needs = {eps0, n, eps};
  form.takes = {delta0};
  form.falls = {n, eps};
  form.evaluate = clones::shuffle_delta(Hiding::blanket);
  list.push_back(form);
}

void add_averaged(std::vector<Bound>& list) {
  add_epsilon_and_delta(
      list,
      {
          .id = "epsilary-averaged-blanket",
          .title = "Random check-ins with averaged updates, by the blanket of a shuffle of n messages",
          .protocol = "checkin-averaged",
          .source = source,
          .formula = pair_formula,
          .note =
              "given the loads the protocol permutes all n users uniformly and averages; every user must check in and "
              "n must be fixed",
          .proof = "convex, averaged",
          .needs = {eps0, n},
          .rises = {eps0},
          .falls = {n},
          .assumes = {assume::at_most<n, 12>()},
      },
      in_shuffle(Hiding::blanket));
}

void add_checkins(std::vector<Bound>& list) {
  add_epsilon_and_delta(list,
                        {
                            .id = "epsilary-checkin-blanket",
                            .title = "Random check-ins with a fixed window, by the blanket",
                            .protocol = "checkin-fixed",
                            .source = source,
                            .formula = slots_formula,
                            .note = "w = p0; holds for every number of users; never above epsilary-checkin-clones",
                            .proof = "slots, cap",
                            .needs = {eps0, m, p0},
                            .rises = {eps0, p0},
                            .falls = {m},
                            .assumes = {assume::at_most<m, 12>()},
                        },
                        in_fixed_window(Hiding::blanket));
  add_epsilon_and_delta(
      list,
      {
          .id = "epsilary-known-blanket",
          .title = "Random check-ins with a fixed window and n users, by the blanket",
          .protocol = "checkin-fixed",
          .source =
              "epsilary; the blanket of the slots whose lottery the client can win, or of those that anybody wins",
          .formula = known_formula,
          .note = "n users, the changed one among them, check in with probability p0 independently; delta2 is part of "
                  "delta",
          .proof = "slots, known",
          .needs = {eps0, m, n, p0},
          .takes = {delta2},
          .rises = {eps0},
          .assumes = {assume::at_most<m, 12>(), assume::delta2_within_delta()},
      },
      in_known_fixed_window());
  add_epsilon_and_delta(list,
                        {
                            .id = "epsilary-sliding-blanket",
                            .title = "Random check-ins with a sliding window, by the blanket",
                            .protocol = "checkin-sliding",
                            .source = source,
                            .formula = slots_formula,
                            .note = "w = 1; slots outside the client's window do not count",
                            .proof = "slots",
                            .needs = {eps0, m},
                            .takes = {n},
                            .rises = {eps0},
                            .falls = {m},
                            .assumes = {assume::at_most<m, 12>(), assume::window_within_users()},
                        },
                        in_sliding_window(Hiding::blanket));
  add_epsilon_and_delta(
      list,
      {
          .id = "epsilary-sliding-known-blanket",
          .title = "Random check-ins with a sliding window, all n users checking in, by the blanket",
          .protocol = "checkin-sliding",
          .source = "epsilary; the blanket of the slots whose lottery the client can win",
          .formula = known_formula,
          .note =
              "p0 = 1: each of the n users picks one of the m slots that follow its arrival, so every slot has m - 1 "
              "competitors; delta2 is part of delta",
          .proof = "slots, known",
          .needs = {eps0, m, n},
          .takes = {delta2},
          .rises = {eps0},
          .assumes = {assume::at_most<m, 12>(), assume::window_within_users(), assume::delta2_within_delta()},
          .example = "--eps0 1 --m 1000 --n 100000 --delta 1e-6",
      },
      in_known_sliding_window());
}

}  // namespace

std::span<const Bound> epsilary_shuffle_blanket() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_shuffle(out);
    add_averaged(out);
    add_checkins(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
