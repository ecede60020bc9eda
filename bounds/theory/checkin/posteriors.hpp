// How much of the record's place is known after the slots before, and what a slot adds: the steps of the proofs of
// Theorems 3.2 and 5.1 of Balle et al. 2020 (PROOFS.md, posterior, swap).
#pragma once

#include "bounds/core/bound.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::bounds::checkin {

// q_i <= e^{eps0}/(m e^{eps0} - (e^{eps0} - 1)(i-1)), as printed: `seen` = i - 1 slots went before.
template <Real R>
R printed_posterior(const R& eps0, const R& m, const R& seen) {
  return 1 / (m + seen * expm1(-eps0));
}
// Of a shuffle: 1/(1 + (i-2) e^{-2 eps0} + (n-i+1) e^{-eps0}) from the second place on, 1/n at the first.
template <Real R>
R swap_posterior(const R& eps0, const R& n, const R& seen) {
  if (certainly(seen <= 0)) return 1 / n;
  const R left = exp(-eps0);
  return 1 / (1 + (seen - 1) * left * left + (n - seen) * left);
}

// Values at the first slot and after a quarter, a half, three quarters and all but one of them; the last is the value.
// Where T says how many slots were run, the last of these.
template <Real R, class At>
Answer<R> along_slots(const Values<R>& x, const R& slots, At at) {
  if (x.has(Param::T)) return {.value = at(R(x[Param::T] - 1))};
  const R last = slots - 1;
  Answer<R> answer{.value = at(last)};
  answer.beside = {{"first", at(R(0))},
                   {"quarter", at(R(floor(last / 4)))},
                   {"half", at(R(floor(last / 2)))},
                   {"three_quarters", at(R(floor(3 * last / 4)))}};
  return answer;
}

}  // namespace epsilary::bounds::checkin
