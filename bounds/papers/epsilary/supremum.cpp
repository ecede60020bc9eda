// The worst case of random check-ins and of shuffling, over all adaptive eps0-LDP randomizers and all data.
#include <span>

#include "bounds/forms/epsilon_and_delta.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/shuffle/worst_case_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

const char* const recursion_formula =
    R"(V_0(0)/m,\ V_m(v)=v_+,\ V_{i-1}(v)=\max_{\text{laws of }(\rho_1,\rho_0)\text{ within }e^{\varepsilon_0}\text{ of mean }(1,1)}\mathbb{E}\,V_i\bigl(v+(1-w)(1-e^{\varepsilon})+w(\rho_1-e^{\varepsilon}\rho_0)\bigr))";
const char* const pivot_formula =
    R"(\sum_{j=0}^{n-2}\gamma(1-\gamma)^jV_{n-1-j}(\varepsilon)+(1-\gamma)^{n-1}\frac{e^{\varepsilon_0}-e^{\varepsilon}}{e^{\varepsilon_0}+1},\ \gamma=e^{-\varepsilon_0},\ V\text{ of epsilary-sliding-supremum})";
const char* const known_formula =
    R"(\mathbb{E}\,\tfrac1NV_K\bigl((N-K)(1-e^{\varepsilon})\bigr),\ K\text{ slots that the record can hold},\ \text{to win: }N=m/p_0;\ \text{in use: }N=n)";
const char* const known_source =
    "epsilary; given which slots the record can hold the worst case of these, their number by Chernoff's bound";
constexpr double width = 2e-3;

// What the recursion was tried with.
std::vector<Hypothesis> within_reach(Param count) {
  return {count == n ? assume::at_most<n, 9>() : assume::at_most<m, 9>(), assume::moderate_eps0()};
}

void add(std::vector<Bound>& list, Bound form) {
  form.width = width;
  add_epsilon_and_delta(list, form, EpsilonAndDelta::both(form.evaluate));
  if (form.protocol == "shuffle") list.back().example = "--eps0 1 --n 10000 --eps 0.04";  // delta within doubles
}

// The lower end of the same bracket as a statement of its own.
Bound attained(Bound form, std::string id, std::string title) {
  form.id = std::move(id);
  form.title = std::move(title);
  form.side = Side::lower;
  form.note =
      "a randomizer that is chosen anew in each slot from what came before; a client alone, which is what a bound "
      "that holds for every population has to cover; beyond 3000 slots binary or ternary response";
  form.proof = "slots, recursion, strategy, witness";
  form.takes = {n};
  form.falls = {};
  form.assumes = within_reach(m);
  form.assumes.push_back(
      exactly("n = 1, or no n: a client alone", [](const auto& x) { return !x.has(n) || x[n] == 1; }));
  return form;
}

}  // namespace

std::span<const Bound> epsilary_supremum() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound sliding{
        .id = "epsilary-sliding-supremum",
        .title = "The worst of random check-ins with a sliding window, over all adaptive randomizers",
        .protocol = "checkin-sliding",
        .source =
            "epsilary; a recursion over the slots, from above on a grid, from below by lines of it "
            "or randomised response",
        .formula = recursion_formula,
        .note = "w = 1; the bracket holds the worst case itself, so no analysis can be below its lower end",
        .proof = "slots, recursion, blocks, strategy, witness",
        .needs = {eps0, m},
        .takes = {n},
        .rises = {eps0},
        .falls = {m},
        .assumes = within_reach(m),
        .evaluate = supremum::worst_in_sliding_window(),
    };
    sliding.assumes.push_back(assume::window_within_users());
    Bound sliding_known = sliding;
    add(out, sliding);
    add(out, attained(sliding, "epsilary-lower-adaptive-sliding",
                      "What check-ins with a sliding window cannot beat, by the worst adaptive randomizer"));
    sliding_known.id = "epsilary-sliding-known-supremum";
    sliding_known.title =
        "Random check-ins with a sliding window, all n users checking in, by the worst case of fewer slots";
    sliding_known.source = known_source;
    sliding_known.formula = known_formula;
    sliding_known.note =
        "p0 = 1: each of the n users picks one of the m slots that follow its arrival, so every slot has m - 1 "
        "competitors; the lower end is what randomised response attains among them, from n = 2 m - 1 on";
    sliding_known.proof = "slots, recursion, blocks, known, witness";
    sliding_known.needs = {eps0, m, n};
    sliding_known.takes = {};
    sliding_known.falls = {};
    sliding_known.evaluate = supremum::worst_in_sliding_window_of_all();
    sliding_known.example = "--eps0 1 --m 1000 --n 100000 --delta 1e-6";
    add(out, sliding_known);
    const Bound fixed = {
        .id = "epsilary-checkin-supremum",
        .title = "The worst of random check-ins with a fixed window, over all adaptive randomizers",
        .protocol = "checkin-fixed",
        .source =
            "epsilary; a recursion over the slots, from above on a grid, from below by lines of it "
            "or randomised response",
        .formula = recursion_formula,
        .note = "w = p0; holds for every number of users; the bracket holds the worst case over them",
        .proof = "slots, recursion, blocks, strategy, witness, cap",
        .needs = {eps0, m, p0},
        .rises = {eps0, p0},
        .falls = {m},
        .assumes = within_reach(m),
        .evaluate = supremum::worst_in_fixed_window(),
    };
    add(out, fixed);
    add(out, attained(fixed, "epsilary-lower-adaptive-fixed",
                      "What check-ins with a fixed window cannot beat, by the worst adaptive randomizer"));
    Bound fixed_known = sliding_known;
    fixed_known.id = "epsilary-known-supremum";
    fixed_known.title = "Random check-ins with a fixed window and n users, by the worst case of fewer slots";
    fixed_known.protocol = "checkin-fixed";
    fixed_known.note =
        "n users, the changed one among them, check in with probability p0 independently; the lower end is what "
        "randomised response attains among them";
    fixed_known.proof = "slots, recursion, blocks, known, sampled, witness, cap";
    fixed_known.needs = {eps0, m, n, p0};
    fixed_known.assumes = within_reach(m);
    fixed_known.evaluate = supremum::worst_in_fixed_window_of_all();
    fixed_known.example = "--eps0 1 --m 1000 --n 10000 --p0 0.1 --delta 1e-6";
    add(out, fixed_known);
    Bound shuffle{
        .id = "epsilary-shuffle-pivot",
        .title = "Amplification by shuffling, through random check-ins with a geometric number of slots less",
        .protocol = "shuffle",
        .source = "epsilary; user 1 takes the place of the first other report drawn from its own law",
        .formula = pivot_formula,
        .note =
            "all users must apply the same eps0-LDP randomizer, which may depend on the slot and on earlier messages; "
            "the lower end is what randomised response attains",
        .proof = "pivot, recursion, blocks, lower",
        .needs = {eps0, n},
        .rises = {eps0},
        .falls = {n},
        .assumes = within_reach(n),
        .evaluate = supremum::worst_of_shuffle(),
    };
    add(out, shuffle);
    shuffle.id = "epsilary-shuffle-best";
    shuffle.title = "Amplification by shuffling, the smaller of the pivot and the blanket";
    shuffle.source = "epsilary; the smaller of epsilary-shuffle-pivot and epsilary-shuffle-blanket";
    shuffle.formula = R"(\min\{\text{epsilary-shuffle-pivot},\ \text{epsilary-shuffle-blanket}\})";
    shuffle.proof = "pivot, recursion, blocks, convex, lower";
    shuffle.note += "; below eps0 = 0.01 and above 8 the blanket alone";
    shuffle.assumes = {assume::at_most<n, 9>()};
    shuffle.evaluate = supremum::worst_of_shuffle_or_blanket();
    add(out, shuffle);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
