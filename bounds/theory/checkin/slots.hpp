// Hiding among the clones, for random check-ins. For every prefix the two possible calls on the changed record are one
// randomised response between two laws Q0 and Q1, and the call on any other record is at least e^{-eps0} (Q0 + Q1)/2:
// each slot shows a label, and the output is a post-processing of the labels, which are exchangeable given their
// numbers. Slots may hold the record with unequal probabilities at most w: the profile is convex in each of them and
// least at zero, so equal ones are the worst.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/responses.hpp"

namespace epsilary::bounds::checkin {

// delta at eps as a plain number.
template <class Profile, Real R>
R profile_delta(const Profile& profile, const R& eps) {
  const Moment<R> d = profile(eps).delta;
  if constexpr (std::same_as<R, double>)
    if (d > Moment<R>(0) && plain<R>(d) == 0) return unknown<R>();  // a double does not hold it
  return plain<R>(d);
}

// epsilon at the delta given, or delta at the eps given, of `slots` slots with this weight.
template <template <class> class Slots, Real R>
R in_slots(const Values<R>& x, const R& slots, const R& weight) {
  if (x.has(Param::delta)) return family_epsilon<Slots>(x[Param::delta], slots, x[Param::eps0], weight);
  if (x.at_least(Param::eps, Param::eps0)) return R(0);
  return profile_delta(Slots<R>{slots, x[Param::eps0], weight}, x[Param::eps]);
}

// Of the slots the record can hold some, so that each holds it with probability 1/population; how many is a sum of
// negatively associated indicators with this mean (PROOFS.md, known).
template <Real R>
struct KnownOthers {
  R population, mean;
};
// Those whose lottery it would win, every other client checking in with probability p0, or all with a sliding window.
template <Real R>
KnownOthers<R> winnable_slots(const Values<R>& x) {
  const R &m = x[Param::m], &p0 = x[Param::p0];
  return {m / p0, m * responses::fixed_window_weight(m, x[Param::n], p0) / p0};
}
template <Real R>
KnownOthers<R> winnable_in_sliding_window(const Values<R>& x) {
  return {x[Param::m], x[Param::m] * responses::sliding_window_weight(x[Param::m])};
}
// Those that anybody wins: who does is any of n clients alike. They are fewer than the clients where m < n.
template <Real R>
KnownOthers<R> slots_in_use(const Values<R>& x) {
  return {x[Param::n], x[Param::n] * responses::fixed_window_weight(x[Param::m], x[Param::n], x[Param::p0])};
}
template <Real R>
std::vector<KnownOthers<R>> others_of_fixed_window(const Values<R>& x) {
  std::vector<KnownOthers<R>> ways{winnable_slots(x)};
  if (certainly(x[Param::m] < x[Param::n])) ways.push_back(slots_in_use(x));
  return ways;
}

// m KL(k/m || mean/m): P(M >= k) <= e^{-this} for k above the mean.
template <Real R>
R chernoff_exponent(const R& slots, const R& mean, double k) {
  const R rest = slots - R(k), missed = slots - mean;
  return R(k) * log(R(k) / mean) + (certainly(rest <= R(0)) ? R(0) : R(rest * log(rest / missed)));
}

// The least M that is exceeded with probability at most `spare`. Any M at which this is proved will do.
template <Real R>
double most_slots(const R& m, const R& mean, const R& spare) {
  const R wanted = -log(spare);
  const double slots = to_double(m);
  const auto enough = [&](double k) { return k >= slots || certainly(chernoff_exponent(m, mean, k + 1) >= wanted); };
  double low = std::floor(to_double(mean)), high = slots;
  if (enough(low)) return low;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

// Given which slots the record can hold, those alone; `others` tells who of x else there is, and the best is taken.
template <template <class> class Slots, class Others, Real R>
Answer<R> with_known_population(const Values<R>& x, Others others) {
  const auto spent = [&]<Real N>(const Values<N>& at, const N& spare) {
    std::optional<N> least;
    for (const KnownOthers<N>& way : others(at)) {
      const double slots = most_slots(at[Param::m], way.mean, spare);
      const bool all = !(slots < to_double(at[Param::m]));
      Values<N> inner = at;
      if (at.has(Param::delta)) inner.set(Param::delta, all ? at[Param::delta] : N(at[Param::delta] - spare));
      N value = slots > 0 ? in_slots<Slots>(inner, N(slots), N(N(slots) / way.population)) : N(0);
      if (!at.has(Param::delta) && !all) value = value + spare;
      least = least ? min(*least, value) : value;
    }
    return *least;
  };
  Answer<R> answer{.value = R(0)};
  if (x.has(Param::delta2)) {
    answer.value = spent(x, x[Param::delta2]);
  } else {
    // Every share of delta gives a bound, so the search for the best needs no proof. Where delta is what is asked for,
    // the shares are of what was found before.
    const Values<double> nearby = in_double(x);
    constexpr double smallest = 1e-290;
    double whole = x.has(Param::delta) ? nearby[Param::delta] : 1e-9, best = 0.1 * whole, least = HUGE_VAL;
    for (double before = HUGE_VAL; !(least > 0.99 * before); whole = least) {
      before = least;
      for (const double share : {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5})
        if (whole * share > smallest)
          if (const double value = spent(nearby, whole * share); value < least) least = value, best = whole * share;
      if (x.has(Param::delta) || !(least > smallest)) break;
    }
    const R spare = best > 0 ? short_decimal<R>(best) : R(x[Param::delta] / 10);  // below what a double holds
    answer.value = spent(x, spare);
    answer.at.push_back({Param::delta2, spare});
  }
  return answer;
}
// The same of a fixed window.
template <template <class> class Slots, class Others, Real R>
Answer<R> in_known_window(const Values<R>& x, Others others) {
  if (certainly(x[Param::p0] <= R(0))) return {.value = R(0)};
  Answer<R> answer = with_known_population<Slots>(x, others);
  if (x.has(Param::delta)) answer.cap = subsampled(x[Param::eps0], x[Param::p0]);
  return answer;
}

// Hidden by the blanket's pair.
template <Real R>
Answer<R> blanket_of_known_window(const Values<R>& x) {
  return in_known_window<clones::BlanketSlots>(x,
                                               []<Real N>(const Values<N>& at) { return others_of_fixed_window(at); });
}
template <Real R>
Answer<R> blanket_of_known_sliding_window(const Values<R>& x) {
  return with_known_population<clones::BlanketSlots>(
      x, []<Real N>(const Values<N>& at) { return std::vector<KnownOthers<N>>{winnable_in_sliding_window(at)}; });
}

}  // namespace epsilary::bounds::checkin
