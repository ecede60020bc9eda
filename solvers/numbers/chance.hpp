// A probability and what it leaves of one.
#pragma once

#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {

// Both come from the exact number: 1 - p of a rounded p has lost the digits of what is left, or even its sign.
template <class N>
struct Chance {
  N yes, no;
};

template <Real N>
N log_complement(const Chance<N>& p) {
  return certainly(p.yes < N(0.5)) ? N(log1p(-p.yes)) : N(log(p.no));
}

}  // namespace epsilary::solvers
