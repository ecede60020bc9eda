// What Self check-in 2022 compares itself with: one round by the mechanism's own epsilon and delta at an unlikely
// number of check-ins, subsampled, and composed over the rounds. Figure 1 and Section 5.1.
#include "bounds/theory/checkin/baselines.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace epsilary::bounds {
namespace {

using enum Param;
using baselines::Composition;

Bound figure_1(const std::string& id, const std::string& title, const std::string& formula) {
  return {
      .id = id,
      .title = title,
      .protocol = "shuffled-checkin",
      .source = "Self check-in 2022, Figure 1, baseline after Girgis et al. 2021; constants by epsilary",
      .formula = formula,
      .standing = Standing::published,
      .note = "the rate must be that of the most check-ins where K is public; the literature takes gamma",
      .proof = "baselines",
      .needs = {eps0, n, gamma, T, delta},
      .rises = {eps0, T},
      .assumes = {exactly("n gamma >= 1", [](const Values<Rational>& x) { return x[n] * x[gamma] >= 1; }),
                  exactly("delta < 4 T gamma",
                          [](const Values<Rational>& x) { return x[delta] < 4 * x[T] * x[gamma]; })},
  };
}

Bound section_51(const std::string& id, const std::string& title, const std::string& formula) {
  return {
      .id = id,
      .title = title,
      .protocol = "distributed-checkin",
      .source = "Self check-in 2022, Section 5.1; constants by epsilary",
      .formula = formula,
      .standing = Standing::repaired,
      .note = "delta_1 and delta_2 of one round are counted T times, T (delta_1 + delta_2) + delta_3 in all",
      .proof = "baselines, composition, subsampling, tradeoff",
      .needs = {n, gamma, multiplier, T, delta},
      .rises = {T},
      .falls = {multiplier},
      .assumes = {exactly("n gamma >= 1", [](const Values<Rational>& x) { return x[n] * x[gamma] >= 1; })},
  };
}

// Every baseline composed in one way.
void add_composed(std::vector<Bound>& list, const std::string& key, const std::string& how, Composition by) {
  const auto add = [&](Bound bound, const Evaluator& evaluator) {
    bound.evaluate = evaluator;
    list.push_back(std::move(bound));
  };
  add(figure_1(
          "checkin2022-fig1-closed-" + key, "Closed form of the shuffle and " + how,
          R"(\text{composition of }T\times\log(1+\gamma(e^{\varepsilon_s(k_0)}-1)),\ k_0=\lfloor n\gamma-\sqrt{2n\gamma\log(4T/\delta)}\rfloor)"),
      baselines::shuffled_closed(by));
  add(figure_1(
          "checkin2022-fig1-clones-" + key, "Exact clones and " + how,
          R"(\text{composition of }T\times\log(1+\gamma(e^{\varepsilon_s(k_0)}-1)),\ k_0=\max\{k:\mathrm P(K<k)\le\tfrac{\delta}{4T}\})"),
      baselines::shuffled_clones(by));
  add(section_51(
          "checkin2022-sec5.1-" + key, "Distributed check-in by " + how,
          R"(\text{composition of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{\delta n}{4Tl_2})"),
      baselines::noisy_sum(by));
  Bound exact = section_51(
      "checkin2022-sec5.1-exact-" + key, "Distributed check-in with exact quantiles of the check-ins, by " + how,
      R"(\text{composition at }s\delta\text{ of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \mathrm P(K<l_1),\mathrm P(K>l_2)\le\tfrac{\delta}{4T},\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{(1/2-s)\delta n}{Tl_2})");
  exact.takes = {share};
  exact.assumes.push_back(
      exactly("share < 1/2", [](const Values<Rational>& x) { return !x.has(share) || 2 * x[share] < 1; }));
  Bound printed = exact;
  add(std::move(exact), baselines::noisy_sum_quantiles(by));
  printed.id = "checkin2022-sec5.1-printed-" + key;
  printed.title = "Distributed check-in with the quantiles of one round alone, by " + how;
  printed.formula =
      R"(\text{composition at }s\delta\text{ of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \mathrm P(K<l_1),\mathrm P(K>l_2)\le\tfrac{\delta}{4},\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{(1/2-s)\delta n}{Tl_2})";
  printed.standing = Standing::published;
  printed.note =
      "delta_1 and delta_2 read as probabilities of one round: its argument covers the check-ins of one round, not of "
      "all T, and no run is known that breaks it";
  printed.proof.clear();
  add(std::move(printed), baselines::noisy_sum_quantiles_of_one_round(by));
}

}  // namespace

std::span<const Bound> checkin2022_baselines() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    // Each sharper than the one before.
    add_composed(out, "strong", "strong composition", Composition::strong);
    add_composed(out, "half", "composition with half the drift", Composition::half_drift);
    add_composed(out, "tanh", "composition with the sharp drift", Composition::sharp_drift);
    add_composed(out, "optimal", "optimal composition", Composition::optimal);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
