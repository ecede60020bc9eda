// The privacy losses of the steps themselves composed.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/shuffle/step_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using steps::ComposedSteps;

const char* const lazy_source = "epsilary; each step is a randomised response that is mostly silent; losses composed";
const char* const full_source = "epsilary; each step is a randomised response of its eps_i; losses composed";
const char* const lazy_formula =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_0}+1},\text{ else }0\})";
const char* const full_formula =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_i}+1}\})";
const char* const bracket_note = "a bracket of the exact composition: its upper end is the bound";

// The hypothesis names the divergence, which has no such end.
Hypothesis few(std::string_view words) {
  return words.starts_with("n") ? exactly(words, [](const Values<Rational>& x) { return x[n] <= power_of_ten(12); })
                                : exactly(words, [](const Values<Rational>& x) { return x[m] <= power_of_ten(12); });
}

struct Named {
  std::string id, title;
  std::string_view reach;  // a literal
};

void add(std::vector<Bound>& list, Bound b, const Evaluator& evaluator, const Named& as) {
  b.width = steps::losses_width;
  b.id = as.id;
  b.title = as.title;
  b.assumes.push_back(few(as.reach));
  b.evaluate = evaluator;
  list.push_back(std::move(b));
}
void add(std::vector<Bound>& list, Bound b, const ComposedSteps& formulas, const Named& lazy, const Named& full) {
  b.source = lazy_source;
  b.formula = lazy_formula;
  add(list, b, formulas.lazy, lazy);
  b.source = full_source;
  b.formula = full_formula;
  add(list, b, formulas.full, full);
}

}  // namespace

std::span<const Bound> epsilary_step_losses() {
  static const std::vector<Bound> list = [] {
    // With eps0 or p0 every eps_i rises, and so does (1 + q (e^eps0 - 1) - e^t)/(e^eps0 + 1), the profile of a silent
    // step. That fewer slots cost more is not proved of these compositions, so they do not say it.
    const Bound shuffle{.protocol = "shuffle",
                        .note = bracket_note,
                        .proof = "swap, silent",
                        .needs = {eps0, n, delta},
                        .rises = {eps0},
                        .falls = {delta}};
    Bound averaged = shuffle;
    averaged.protocol = "checkin-averaged";
    averaged.proof = "averaged, swap, silent";
    averaged.note =
        "a bracket of the exact composition: its upper end is the bound; as a shuffle of n messages: every user must "
        "check in and n must be fixed";
    const Bound fixed{.protocol = "checkin-fixed",
                      .note = bracket_note,
                      .proof = "posterior, silent",
                      .needs = {eps0, m, p0, delta},
                      .rises = {eps0, p0},
                      .falls = {delta}},
        sliding{.protocol = "checkin-sliding",
                .note = bracket_note,
                .proof = "posterior, silent",
                .needs = {eps0, m, delta},
                .takes = {n},
                .rises = {eps0},
                .falls = {delta},
                .assumes = {assume::window_within_users()}};
    std::vector<Bound> out;
    add(out, shuffle, steps::composed_shuffle(),
        {"epsilary-shuffle-lazy-pld", "Amplification by shuffling, the losses of mostly silent steps composed",
         "n <= 10^12; for more use epsilary-shuffle-lazy"},
        {"epsilary-shuffle-response-pld", "Amplification by shuffling, the losses of full responses composed",
         "n <= 10^12; for more use epsilary-shuffle-response"});
    add(out, fixed, steps::composed_fixed_window(),
        {"epsilary-checkin-lazy-pld",
         "Random check-ins with a fixed window, the losses of mostly silent steps composed",
         "m <= 10^12; for more use epsilary-checkin-lazy"},
        {"epsilary-checkin-response-pld", "Random check-ins with a fixed window, the losses of full responses composed",
         "m <= 10^12; for more use epsilary-checkin-response"});
    add(out, sliding, steps::composed_sliding_window(),
        {"epsilary-sliding-lazy-pld",
         "Random check-ins with a sliding window, the losses of mostly silent steps composed",
         "m <= 10^12; for more use epsilary-sliding-lazy"},
        {"epsilary-sliding-response-pld",
         "Random check-ins with a sliding window, the losses of full responses composed",
         "m <= 10^12; for more use epsilary-sliding-response"});
    add(out, averaged, steps::composed_shuffle(),
        {"epsilary-averaged-lazy-pld",
         "Random check-ins with averaged updates, the losses of mostly silent steps composed",
         "n <= 10^12; for more use epsilary-averaged-lazy"},
        {"epsilary-averaged-response-pld",
         "Random check-ins with averaged updates, the losses of full responses composed",
         "n <= 10^12; for more use epsilary-averaged-response"});
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
