// Hiding among the clones, for random check-ins. For every prefix the two possible calls on the changed record are one
// randomised response between two laws Q0 and Q1, and the call on any other record is at least e^{-eps0} (Q0 + Q1)/2:
// each slot shows a label, and the output is a post-processing of the labels, which are exchangeable given their
// numbers. Slots may hold the record with unequal probabilities at most w: the profile is convex in each of them and
// least at zero, so equal ones are the worst.
#include <span>

#include "bounds/accounting.hpp"
#include "bounds/assume.hpp"
#include "bounds/balle2020_lemmas.hpp"
#include "bounds/epsilary_lower.hpp"
#include "bounds/feldman2021_clones.hpp"

namespace bounds {
namespace {

using enum Param;
using feldman2021::LabelledSlots;

template <Real R>
R in_slots(const Values<R>& x, const R& slots, const R& weight) {
  if (x.has(delta)) return family_epsilon<LabelledSlots>(x[delta], slots, x[eps0], weight);
  if (x.at_least(eps, eps0)) return R(0);
  const auto d = LabelledSlots<R>{slots, x[eps0], weight}(x[eps]).delta;
  if constexpr (std::same_as<R, double>)
    return d.value();
  else
    return d;
}

// Of the m slots the record can only hold those whose lottery it would win, M of them: their number is a sum of
// negatively associated indicators with this mean.
template <Real R>
R winnable_slots(const Values<R>& x) {
  return x[m] * lower::fixed_window_weight(x[m], x[n], x[p0]) / x[p0];
}
// m KL(k/m || mean/m): P(M >= k) <= e^{-this} for k above the mean.
template <Real R>
R chernoff_exponent(const R& slots, const R& mean, double k) {
  const R rest = slots - R(k), missed = slots - mean;
  return R(k) * log(R(k) / mean) + (certainly(rest <= R(0)) ? R(0) : R(rest * log(rest / missed)));
}

// The least M that is exceeded with probability at most `spare`. Any M at which this is proved will do.
template <Real R>
double most_winnable(const Values<R>& x, const R& spare) {
  const R mean = winnable_slots(x), wanted = -log(spare);
  const double slots = to_double(x[m]);
  const auto enough = [&](double k) { return k >= slots || certainly(chernoff_exponent(x[m], mean, k + 1) >= wanted); };
  double low = std::floor(to_double(mean)), high = slots;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

// Given which slots can be won, the clones of those slots with weight p0 each.
template <Real R>
Answer<R> with_known_population(const Values<R>& x) {
  if (certainly(x[p0] <= R(0))) return {.value = R(0)};
  const auto spent = [&]<Real N>(const Values<N>& at, const N& spare) {
    const double slots = most_winnable(at, spare);
    Values<N> inner = at;
    if (at.has(delta)) inner.set(delta, slots < to_double(at[m]) ? N(at[delta] - spare) : at[delta]);
    const N value = in_slots(inner, N(slots), N(at[p0] * N(slots) / at[m]));
    return at.has(delta) || !(slots < to_double(at[m])) ? value : N(value + spare);
  };
  Answer<R> answer{.value = R(0)};
  if (x.has(delta2)) {
    answer.value = spent(x, x[delta2]);
  } else {
    // Every share of delta gives a bound, so the search for the best needs no proof.
    const Values<double> nearby = in_double(x);
    double best = 0.1, least = HUGE_VAL;
    const double whole = x.has(delta) ? nearby[delta] : 1e-9;
    for (const double share : {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5})
      if (const double value = spent(nearby, whole * share); value < least) least = value, best = share;
    const R spare = short_decimal<R>(whole * best);
    answer.value = spent(x, spare);
    answer.at.push_back({delta2, spare});
  }
  if (x.has(delta)) answer.cap = balle2020::replacement_cap(x[eps0], x[p0]);
  return answer;
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
                  .proof = "labels, cap",
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
    add_forms(
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
            .assumes = {few_slots,
                        exactly("delta2 < delta",
                                [](const auto& x) { return !x.has(delta2) || !x.has(delta) || x[delta2] < x[delta]; })},
        },
        []<Real R>(const Values<R>& x) { return with_known_population(x); });
    add_forms(out,
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
                  .proof = "labels, averaged",
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
