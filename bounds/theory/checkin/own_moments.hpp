// Theorem 1 of self check-in: the divergence of a round is that of a mixture over the number of check-ins.
#pragma once

#include <vector>

#include "bounds/core/point.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::bounds::checkin {

// E e^{(lambda-1) eps_K}, K ~ Bin(n, gamma), less one; eps_0 = 0, and from the last step on all are the last.
template <Real R>
R mean_excess(const Values<R>& x) {
  const std::vector<R>& given = x.steps();
  const R order = x[Param::lambda] - 1;
  if (certainly(x[Param::gamma] <= 0)) return R(0);
  if (x.at_least(Param::gamma, Rational(1))) return expm1(order * given.back());
  const R other = x.complement(Param::gamma);
  R sum(0), below = exp(x[Param::n] * log(other));
  for (std::size_t i = 0; i + 1 < given.size(); ++i) {
    const R weight = exp(log_binomial_weight(x[Param::n], R(static_cast<int>(i + 1)), x[Param::gamma], other));
    sum += weight * expm1(order * given[i]);
    below += weight;
  }
  return sum + max(R(0), R(1 - below)) * expm1(order * given.back());
}

}  // namespace epsilary::bounds::checkin
