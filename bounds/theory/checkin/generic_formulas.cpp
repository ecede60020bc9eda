#include "bounds/theory/checkin/generic_formulas.hpp"

#include <cmath>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/generic.hpp"

namespace epsilary::bounds::generic {
namespace {

using enum Param;

// After T rounds at a whole delta, beta found too: any part of delta may go to the shuffles.
template <Real R>
Answer<R> with_best_beta(const RoundFamily& family, const Values<R>& x) {
  const auto parted = []<Real S>(const Values<S>& y, const S& part) {
    Values<S> out = y;
    out.set(beta, S(part * y[delta] / (y[T] * y[gamma])));
    return out;
  };
  const Values<double> nearby = in_double(x);
  double best = 0, least = HUGE_VAL;
  for (const double part : {0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-5}) {
    const Values<double> at = parted(nearby, part);
    if (!certainly(at[beta] < 1)) continue;
    if (const Answer<double> a = after_rounds(family, at); a.refused.empty() && a.value < least)
      best = part, least = a.value;
  }
  if (best == 0) return {.value = R(0), .refused = "a beta < 1 with T gamma beta < delta"};
  const Values<R> at = parted(x, short_decimal<R>(best));
  Answer<R> answer = after_rounds(family, at);
  answer.at.push_back({beta, at[beta]});
  return answer;
}

template <class Family>
Valid valid() {
  return {rounds_of<Family>(), each_number([](const auto& x) { return with_best_beta(as_family<Family>, x); })};
}

}  // namespace

RoundForms least_divergence() { return rounds_of<LeastDivergence>(); }
Valid by_response() { return valid<ByResponse>(); }
Valid by_tradeoff() { return valid<ByTradeoff>(); }
Valid by_ternary_sum() { return valid<ByTernarySum>(); }

}  // namespace epsilary::bounds::generic
