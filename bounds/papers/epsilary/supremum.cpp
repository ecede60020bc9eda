// The worst case of random check-ins and of shuffling, over all adaptive eps0-LDP randomizers and all data.
#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/hypotheses.hpp"
#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/shuffle/worst_case.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

const char* const recursion_formula =
    R"(V_0(0)/m,\ V_m(v)=v_+,\ V_{i-1}(v)=\max_{\text{laws of }(\rho_1,\rho_0)\text{ within }e^{\varepsilon_0}\text{ of mean }(1,1)}\mathbb{E}\,V_i\bigl(v+(1-w)(1-e^{\varepsilon})+w(\rho_1-e^{\varepsilon}\rho_0)\bigr))";
const char* const pivot_formula =
    R"(\sum_{j=0}^{n-2}\gamma(1-\gamma)^jV_{n-1-j}(\varepsilon)+(1-\gamma)^{n-1}\frac{e^{\varepsilon_0}-e^{\varepsilon}}{e^{\varepsilon_0}+1},\ \gamma=e^{-\varepsilon_0},\ V\text{ of epsilary-sliding-supremum})";
constexpr double width = 2e-3;

Answer<Ball> fixed_window(const Values<Ball>& x, const Request& request) {
  Answer<Ball> answer{supremum::checkins(x, x[m], x[p0], request)};
  if (x.has(delta)) answer.cap = subsampled(x[eps0], x[p0]);
  return answer;
}
Ball sliding_window(const Values<Ball>& x, const Request& request) {
  return supremum::checkins(x, x[m], Ball(1), request);
}

// What the recursion was tried with.
std::vector<Hypothesis> within_reach(Param count) {
  return {count == n ? exactly("n <= 10^9", [](const auto& x) { return x[n] <= 1000000000; })
                     : exactly("m <= 10^9", [](const auto& x) { return x[m] <= 1000000000; }),
          exactly("0.01 <= eps0 <= 8", [](const auto& x) { return 100 * x[eps0] >= 1 && x[eps0] <= 8; })};
}

// Epsilon at a delta, and delta at an epsilon.
void add(std::vector<Bound>& list, const Bound& form) {
  for (const Param given : {delta, eps}) {
    Bound b = form;
    b.quantity = given == delta ? Quantity::epsilon : Quantity::delta;
    b.needs.push_back(given);
    b.falls.push_back(given);
    b.width = width;
    if (given == eps && b.protocol == "shuffle") b.example = "--eps0 1 --n 10000 --eps 0.04";  // delta within doubles
    list.push_back(std::move(b));
  }
}

}  // namespace

std::span<const Bound> epsilary_supremum() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound sliding{
        .id = "epsilary-sliding-supremum",
        .title = "The worst of random check-ins with a sliding window, over all adaptive randomizers",
        .protocol = "checkin-sliding",
        .source = "epsilary; a recursion over the slots, from above on a grid, from below by randomised response",
        .formula = recursion_formula,
        .note = "w = 1; the bracket holds the worst case itself, so no analysis can be below its lower end",
        .proof = "slots, recursion, blocks, lower",
        .needs = {eps0, m},
        .takes = {n},
        .rises = {eps0},
        .falls = {m},
        .assumes = within_reach(m),
        .evaluate = bracketed<sliding_window>(),
    };
    sliding.assumes.push_back(assume::window_within_users());
    add(out, sliding);
    add(out,
        {
            .id = "epsilary-checkin-supremum",
            .title = "The worst of random check-ins with a fixed window, over all adaptive randomizers",
            .protocol = "checkin-fixed",
            .source = "epsilary; a recursion over the slots, from above on a grid, from below by randomised response",
            .formula = recursion_formula,
            .note = "w = p0; holds for every number of users; the bracket holds the worst case over them",
            .proof = "slots, recursion, blocks, lower, cap",
            .needs = {eps0, m, p0},
            .rises = {eps0, p0},
            .falls = {m},
            .assumes = within_reach(m),
            .evaluate = bracketed<fixed_window>(),
        });
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
        .evaluate = bracketed<supremum::shuffle>(),
    };
    add(out, shuffle);
    shuffle.id = "epsilary-shuffle-best";
    shuffle.title = "Amplification by shuffling, the smaller of the pivot and the blanket";
    shuffle.source = "epsilary; the smaller of epsilary-shuffle-pivot and epsilary-shuffle-blanket";
    shuffle.formula = R"(\min\{\text{epsilary-shuffle-pivot},\ \text{epsilary-shuffle-blanket}\})";
    shuffle.proof = "pivot, recursion, blocks, convex, lower";
    shuffle.evaluate = bracketed<supremum::shuffle_or_blanket>();
    add(out, shuffle);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
