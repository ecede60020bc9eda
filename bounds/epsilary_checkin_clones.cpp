// Hiding among the clones, for random check-ins. For every prefix the two possible calls on the changed record are one
// randomised response between two laws Q0 and Q1, and the call on any other record is at least e^{-eps0} (Q0 + Q1)/2:
// each slot shows a label, and the output is a post-processing of the labels, which are exchangeable given their
// numbers. Slots may hold the record with unequal probabilities at most w: the profile is convex in each of them and
// least at zero, so equal ones are the worst.
#include <span>

#include "bounds/balle2020_lemmas.hpp"
#include "bounds/bound.hpp"
#include "bounds/feldman2021_clones.hpp"

namespace bounds {
namespace {

using enum Param;
using feldman2021::LabelledSlots;

template <Real R>
R in_slots(const Values<R>& x, const R& slots, const R& weight) {
  if (x.has(delta)) return family_epsilon<LabelledSlots>(x[delta], slots, x[eps0], weight);
  const auto d = LabelledSlots<R>{slots, x[eps0], weight}(x[eps]).delta;
  if constexpr (std::same_as<R, double>)
    return d.value();
  else
    return d;
}

const char* const formula =
    R"(\mathbb{E}\left[(1-w)(1-e^\varepsilon)+\tfrac{w}{ms}(a(\pi-e^\varepsilon(1-\pi))+b(1-\pi-e^\varepsilon\pi))\right]_+,\ (a,b)\sim\mathrm{Mult}(m;s,s),\ s=\tfrac12e^{-\varepsilon_0},\ \pi=\tfrac{1}{1+e^{-\varepsilon_0}})";
const char* const source = "epsilary; the clones of Feldman, McMillan and Talwar 2021 with a weight on every slot";

// Epsilon at a delta, and delta at an epsilon.
template <class Lambda>
void add_forms(std::vector<Bound>& list, const Bound& form, Lambda formula_) {
  for (const Param given : {delta, eps}) {
    Bound b = form;
    b.quantity = given == delta ? Quantity::epsilon : Quantity::delta;
    b.needs.push_back(given);
    b.falls.push_back(given);
    b.evaluate = each_number(formula_);
    list.push_back(std::move(b));
  }
}

}  // namespace

std::span<const Bound> epsilary_checkin_clones() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const Hypothesis few_slots = exactly("m <= 10^12", [](const auto& x) { return x[m] <= 1000000000000; });
    add_forms(out,
              {
                  .id = "epsilary-checkin-clones",
                  .title = "Random check-ins with a fixed window, by the clones",
                  .protocol = "checkin-fixed",
                  .source = source,
                  .formula = formula,
                  .note = "w = p0; holds for every number of users",
                  .needs = {eps0, m, p0},
                  .rises = {eps0, p0},
                  .falls = {m},
                  .assumes = {few_slots},
              },
              []<Real R>(const Values<R>& x) {
                Answer<R> answer{.value = in_slots(x, x[m], x[p0])};
                if (x.has(delta)) answer.cap = balle2020::replacement_cap(x[eps0], x[p0]);
                return answer;
              });
    add_forms(out,
              {
                  .id = "epsilary-sliding-clones",
                  .title = "Random check-ins with a sliding window, by the clones",
                  .protocol = "checkin-sliding",
                  .source = source,
                  .formula = formula,
                  .note = "w = 1; slots outside the client's window do not count",
                  .needs = {eps0, m},
                  .rises = {eps0},
                  .falls = {m},
                  .assumes = {few_slots},
              },
              []<Real R>(const Values<R>& x) { return in_slots(x, x[m], R(1)); });
    add_forms(out,
              {
                  .id = "epsilary-averaged-clones",
                  .title = "Random check-ins with averaged updates, by the clones of a shuffle of n messages",
                  .protocol = "checkin-averaged",
                  .source = source,
                  .formula = formula,
                  .note = "w = 1 and m = n: given the loads the protocol permutes all n users uniformly and averages; "
                          "every user must check in and n must be fixed",
                  .needs = {eps0, n},
                  .rises = {eps0},
                  .falls = {n},
                  .assumes = {exactly("n <= 10^12", [](const auto& x) { return x[n] <= 1000000000000; })},
              },
              []<Real R>(const Values<R>& x) { return in_slots(x, x[n], R(1)); });
    return out;
  }();
  return list;
}

}  // namespace bounds
