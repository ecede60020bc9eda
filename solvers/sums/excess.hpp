// E(X_1 + ... + X_n)_+ / n of independent copies of a law with finitely many values, between two proved ends.
#pragma once

#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

struct FiniteLaw {
  std::vector<Ball> value, mass;  // masses add up to one
};

// `width` is wanted of the bracket, relative to its upper end; `work` allowed, as of a Request. Where that is not
// enough the bracket reaches from 0 to what Chernoff's inequality gives.
//
// How. Few sums are added up one by one. Of many, with theta > 0 and M(z) = E e^{zX},
//   E(S)_+ = (1/pi) int_0^oo Re M(z)^n / z^2 dt,  z = theta + it,
// which does not converge well, as M may return to its size far out: one bounded noise N, |N| <= b, is added to the
// sum, E(S + N)_+ - E(b - |S + N|)_+ / 4 <= E(S)_+ <= E(S + N)_+. PROOFS.md has that and the errors of the sum over t.
Ball mean_excess(const FiniteLaw& law, double n, double width, double work);

// Chernoff: E(S)_+ <= M(theta)^n / (e theta), at the best theta roughly. Divided by n too.
Ball chernoff_excess(const FiniteLaw& law, double n);

}  // namespace epsilary::solvers
