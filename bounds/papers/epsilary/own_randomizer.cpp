// A randomizer that is known by its probabilities, or by its name: what it is worth by itself and in a shuffle.
#include <span>

#include "bounds/forms/epsilon_and_delta.hpp"
#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/rounds.hpp"
#include "bounds/theory/shuffle/own_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using Kind = Randomizer::Kind;

const char* const blanket_formula =
    R"(\max_{x_1\ne x_0}\ \sum_{\omega(y)=0}(A_{x_1}-e^{\varepsilon}A_{x_0})_+(y)+\tfrac1n\,\mathbb{E}\Bigl(\sum_{i\le n}X_i\Bigr)_+,\ X=\tfrac{A_{x_1}-e^{\varepsilon}A_{x_0}}{\omega}(y)\text{ with probability }\omega(y)\le\min_xA_x(y),\ 0\text{ otherwise})";
const char* const lower_formula =
    R"(\max_{x_1\ne x_0,\,x'}\ \sum_{A_{x'}(y)=0}(A_{x_1}-e^{\varepsilon}A_{x_0})_+(y)+\tfrac1n\,\mathbb{E}\Bigl(\sum_{i\le n}\tfrac{A_{x_1}-e^{\varepsilon}A_{x_0}}{A_{x'}}(Y_i)\Bigr)_+,\ Y_i\sim A_{x'})";

// What is known of it determines its laws, and delta0 is its own.
std::vector<Hypothesis> of_a_randomizer(Param count) {
  return {count == n ? assume::at_most<n, 9>() : assume::at_most<m, 9>(),
          exactly("1e-6 <= eps0 <= 12",
                  [](const Values<Rational>& x) {
                    return (1000000 * x[eps0] >= 1 && x[eps0] <= 12) || own::tells_nothing(x.randomizer());
                  }),
          exactly("a randomizer by its matrix or its name; three numbers have epsilary-shuffle-variation",
                  [](const Values<Rational>& x) { return x.randomizer().kind != Kind::variation; }),
          assume::own_delta0(), assume::matrix_within_reach()};
}

// Epsilon at a delta, delta at an epsilon.
void add(std::vector<Bound>& list, const Bound& form, bool rounds) {
  add_epsilon_and_delta(list, form, EpsilonAndDelta::both(form.evaluate));
  if (!rounds) return;
  list.push_back(over_rounds(form));
  list.back().title = "The same over T rounds, its largest profile composed";
}

}  // namespace

std::span<const Bound> epsilary_own_randomizer() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    Bound shuffled{
        .id = "epsilary-shuffle-randomizer",
        .title = "Amplification by shuffling of a randomizer that is known",
        .protocol = "shuffle",
        .source =
            "Balle et al. 2019, the blanket of the randomizer itself, evaluated by a contour integral; by Fourier "
            "transforms in "
            "arXiv 2504.07414 and 2601.19154",
        .formula = blanket_formula,
        .note =
            "the largest over all pairs of inputs, both ways, whatever the others hold; of laplace and gauss by their "
            "three numbers",
        .proof = "own",
        .needs = {randomizer, eps0, n},
        .takes = {delta0},
        .falls = {n},
        .assumes = of_a_randomizer(n),
        .width = 1e-3,
        .evaluate = own::in_shuffle(),
    };
    add(out, shuffled, true);
    Bound below = shuffled;
    below.id = "epsilary-lower-shuffle-randomizer";
    below.title = "What a shuffle of a randomizer that is known leaks at least";
    below.source = "epsilary; all others hold one record, exactly";
    below.formula = lower_formula;
    below.side = Side::lower;
    below.note =
        "the largest over pairs of inputs, both ways, and the record that all others hold; of a matrix over the "
        "twelve choices that leak most by the normal law";
    below.evaluate = own::in_shuffle_below();
    add(out, below, false);
    Bound slots = shuffled;
    slots.id = "epsilary-checkin-randomizer";
    slots.title = "Random check-ins with a fixed window of a randomizer that is known";
    slots.protocol = "checkin-fixed";
    slots.note =
        "w = p0; holds for every number of users, whatever the others hold; of laplace and gauss by their three "
        "numbers";
    slots.needs = {randomizer, eps0, m, p0};
    slots.falls = {m};
    slots.takes = {};  // where an output gives an input away, weights below w may be worse
    slots.assumes = of_a_randomizer(m);
    slots.evaluate = own::in_fixed_window();
    add(out, slots, false);
    Bound numbers = shuffled;
    numbers.id = "epsilary-shuffle-variation";
    numbers.title = "Amplification by shuffling by three numbers of the randomizer";
    numbers.source =
        "Wang et al., arXiv 2304.05007, the parameters of variation and ratio; proved here through the convex "
        "order, so that also the adaptive shuffle is covered";
    numbers.formula =
        R"(\tfrac1n\,\mathbb{E}\Bigl(\sum_{i\le n}X_i\Bigr)_+,\ X=Q(1-\tfrac cP),\,Q(\tfrac1P-c)\text{ with probability }\tfrac{\beta P}{Q(P-1)}\text{ each},\ Q(1-c)\text{ with }\tfrac1Q\bigl(1-\beta\tfrac{P+1}{P-1}\bigr),\ 0\text{ otherwise},\ c=e^{\varepsilon})";
    numbers.note =
        "the randomizer variation:P,Q,B: two of its laws differ by a factor of at most P and by B in total "
        "variation, and no law is below their maximum over Q";
    numbers.proof = "own, numbers";
    numbers.needs = {randomizer, n};
    numbers.takes = {};
    numbers.assumes = {assume::at_most<n, 9>(),
                       exactly("a randomizer known by three numbers, variation:P,Q,B",
                               [](const Values<Rational>& x) { return x.randomizer().kind == Kind::variation; }),
                       exactly("P <= 100000 and Q <= 100000", [](const Values<Rational>& x) {
                         const auto& given = x.randomizer().numbers;
                         return given.size() < 2 || (given[0] <= 100000 && given[1] <= 100000);
                       })};
    numbers.evaluate = own::in_shuffle_by_three_numbers();
    add(out, numbers, true);
    for (Bound& b : out)
      if (b.id == "epsilary-shuffle-variation")
        b.example = b.quantity == Quantity::delta ? "--randomizer variation:2.75,2.75,0.4 --n 10000 --eps 0.03"
                    : std::ranges::count(b.needs, T)
                        ? "--randomizer variation:2.75,2.75,0.4 --n 10000 --T 10 --delta 1e-6"
                        : "--randomizer variation:2.75,2.75,0.4 --n 10000 --delta 1e-6";
    out.push_back({
        .id = "epsilary-randomizer",
        .title = "What a randomizer is worth by itself",
        .protocol = "randomizer",
        .source = "epsilary; by its definition",
        .formula = R"(\log\max\{A_x(y)/A_{x'}(y):A_{x'}(y)>0\},\ \delta_0=\max_{x,x'}\sum_{A_{x'}(y)=0}A_x(y))",
        .side = Side::exact,
        .note = "of a matrix the logarithm of an exact fraction",
        .proof = "own",
        .needs = {randomizer, eps0},
        .takes = {delta0},
        .assumes = {exactly("a randomizer by its matrix or its name",
                            [](const Values<Rational>& x) { return x.randomizer().kind != Kind::variation; }),
                    assume::own_delta0()},
        .width = 1e-9,
        .evaluate = own::by_itself(),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
