// The excess of a linear function of labels (trinomial.hpp) in long double, with every rounding bounded on the way:
// some forty bits for a twentieth of what balls cost.
#pragma once

#include <cstdint>
#include <optional>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

// a ~ Bin(c, 1/2) given c ~ Bin(slots, 2 s); rest = 1 - 2 s.
struct LabelSum {
  std::int64_t slots;
  Ball s, rest;
  Ball u, v, d;                         // L = u + v c + d (a - c/2), u, v <= 0 < d, v + d/2 > 0
  double beside_u, beside_v, beside_d;  // M, in the same form
};

struct LabelExcess {
  Ball above;   // encloses E[L; L > 0]
  Ball beside;  // about E[M; L > 0]: a guess
};

// Nothing where long doubles do not do, because the numbers are too close to each other or too far apart.
//
// How. L > 0 where a > a* = c/2 + U + V c, U = -u/d, V = -v/d, and E[L; L > 0 | c] = d E(a - a*)_+ = d (G + (k - a*)
// T), k = floor(a*) + 1, T = P(a >= k), G = E(a - k)_+. One pass from the largest c that counts down to the smallest:
// with f = P(a = k) and g = f k/c
//   c - 1 and the same k:  T - g,  G - (T - g)/2;      c - 1 and k - 1:  T + g,  G + (T - g)/2.
// No number cancels but by what T and G lose in a step, and downwards they grow. The error of a* is charged by the
// slope of E(a - a*)_+ next to it, at most P(a >= k - 1).
std::optional<LabelExcess> enclosed_excess(const LabelSum& sum);

// E(K - x)_+ and P(K > x) of K ~ Bin(n, p), q = 1 - p, for x not below the mean, in the same way: from x upwards.
struct BinomialExcess {
  Ball above, mass;  // the second up to one atom next to x: a guess
};
std::optional<BinomialExcess> enclosed_excess(std::int64_t n, const Ball& p, const Ball& q, const Ball& x);

}  // namespace epsilary::solvers
