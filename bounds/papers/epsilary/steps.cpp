#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/shuffle/step_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using steps::StepForms;

const char* const lazy_formula =
    R"(\min_{\lambda}\frac{1}{\lambda-1}\sum_i\log\left(1+\frac{(e^{\lambda\varepsilon_i}-1)(1-e^{-(\lambda-1)\varepsilon_i})}{e^{\varepsilon_0}+1}\right)+\text{conversion})";
const char* const response_formula =
    R"(\min_{\lambda}\frac{1}{\lambda-1}\sum_i\log\frac{e^{\lambda\varepsilon_i}+e^{-(\lambda-1)\varepsilon_i}}{e^{\varepsilon_i}+1}+\text{conversion})";
const char* const closed_formula =
    R"(sA(1+\theta)e^{(1+\theta)\varepsilon_{\max}}+\frac{\log(1/\delta)}{\theta},\ s=\tfrac{1}{e^{\varepsilon_0}+1},\ \theta=\sqrt{\log(1/\delta)/(sA)})";
const char* const composed_formula =
    R"(\varepsilon=\sum_i\varepsilon_i\tanh(\varepsilon_i/2)+t,\ \frac{t^2}{2S}+\log(1+\tfrac tS)=\log(1/\delta),\ S=\sum_i\varepsilon_i^2)";
const char* const clipped_formula =
    R"(\delta'=\delta+w\delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\log(1/(1-b))}{b}\right),\ b=w(1-e^{-\varepsilon_0}),\ \varepsilon\text{ as for a pure randomizer})";
const char* const composed_source =
    "epsilary; every step's own posterior, composed by the Chernoff bound with the factor integrating it gives";
const char* const lazy_source = "epsilary; each step is a randomised response that is mostly silent";
const char* const response_source = "epsilary; each step is a randomised response of its eps_i";
const char* const clipped_source =
    "epsilary; only the calls on the changed record are clipped, to the call they replace; ";

struct Words {
  std::string id, title;  // "epsilary-shuffle", "Amplification by shuffling"
  std::string proof;
};

void add_form(std::vector<Bound>& list, Bound b, const Evaluator& evaluator, const Words& words, const std::string& id,
              const std::string& title, const std::string& source, const std::string& formula) {
  b.id = std::string(words.id) + std::string(id);
  b.title = std::string(words.title) + ", " + std::string(title);
  b.source = source;
  b.formula = formula;
  b.proof = words.proof;
  b.evaluate = evaluator;
  list.push_back(std::move(b));
}

// Not where slots are few: one is a randomised response, two add up to more.
void falls_later(Bound& b) {
  for (const Param places : {m, n})
    if (std::erase(b.falls, places) > 0) b.turns.push_back(places);
}

// Epsilon at a delta, and the divergence itself.
void add_divergence(std::vector<Bound>& list, const Bound& common, const Bound& at_delta, const Evaluator& evaluator,
                    const Words& words, const std::string& id, const std::string& title, const std::string& source,
                    const std::string& formula) {
  Bound b = at_delta;
  b.takes.push_back(lambda);
  falls_later(b);
  add_form(list, b, evaluator, words, id, title, source, formula);
  b = common;
  b.quantity = Quantity::rdp;
  b.needs.push_back(lambda);
  b.rises.push_back(lambda);
  b.falls.clear();
  add_form(list, b, evaluator, words, id, title, source, formula);
}

void add(std::vector<Bound>& list, const Bound& common, const StepForms& formulas, const Words& words) {
  Bound b = common;
  b.needs.push_back(delta);
  b.falls.push_back(delta);
  add_form(list, b, formulas.composed, words, "-steps", "the exact steps composed", composed_source, composed_formula);
  add_form(list, b, formulas.lazy_closed, words, "-lazy-closed", "steps that are mostly silent, closed form",
           lazy_source, closed_formula);
  add_divergence(list, common, b, formulas.lazy, words, "-lazy", "steps that are mostly silent", lazy_source,
                 lazy_formula);
  add_divergence(list, common, b, formulas.full, words, "-response", "steps as full randomised responses",
                 response_source, response_formula);
  if (formulas.composed_clipped.in_ball) {
    b.needs = {eps0, delta0};
    b.needs.insert(b.needs.end(), common.needs.begin() + 1, common.needs.end());
    b.needs.push_back(delta);
    b.takes.push_back(share);
    b.rises.push_back(delta0);
    falls_later(b);
    add_form(list, b, formulas.composed_clipped, words, "-steps-clip", "the exact steps of an approximate randomizer",
             std::string(clipped_source) + "epsilon of the exact steps", clipped_formula);
    b.takes.push_back(lambda);
    add_form(list, b, formulas.lazy_clipped, words, "-lazy-clip", "mostly silent steps of an approximate randomizer",
             std::string(clipped_source) + "epsilon of mostly silent steps", clipped_formula);
  }
}

}  // namespace

std::span<const Bound> epsilary_steps() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const Hypothesis few_users = assume::at_most<n, 15>();
    const Hypothesis few_slots = assume::at_most<m, 15>();
    add(out, {.protocol = "shuffle", .needs = {eps0, n}, .rises = {eps0}, .falls = {n}, .assumes = {few_users}},
        steps::of_shuffle(), {"epsilary-shuffle", "Amplification by shuffling", "swap, overlap, silent, composition"});
    add(out,
        {.protocol = "checkin-fixed",
         .needs = {eps0, m, p0},
         .rises = {eps0, p0},
         .falls = {m},
         .assumes = {few_slots}},
        steps::of_fixed_window(),
        {"epsilary-checkin", "Random check-ins with a fixed window", "posterior, overlap, silent, composition, clip"});
    add(out,
        {.protocol = "checkin-sliding",
         .needs = {eps0, m},
         .takes = {n},
         .rises = {eps0},
         .falls = {m},
         .assumes = {few_slots, assume::window_within_users()}},
        steps::of_sliding_window(),
        {"epsilary-sliding", "Random check-ins with a sliding window",
         "posterior, overlap, silent, composition, clip"});
    add(out,
        {.protocol = "checkin-averaged",
         .note = "as a shuffle of n messages: every user must check in and n must be fixed",
         .needs = {eps0, n},
         .rises = {eps0},
         .falls = {n},
         .assumes = {few_users}},
        steps::of_shuffle(),
        {"epsilary-averaged", "Random check-ins with averaged updates",
         "averaged, swap, overlap, silent, composition"});
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
