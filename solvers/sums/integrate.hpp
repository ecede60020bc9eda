// Integrals of analytic functions, enclosed.
#pragma once

#if __has_include(<flint/acb_calc.h>)
#include <flint/acb_calc.h>
#else
#include <acb_calc.h>
#endif

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solvers/numbers/ball.hpp"

namespace epsilary::solvers {

// The value at t; with `analytic` it must be infinite or NaN unless the function is analytic on all of t.
using Integrand = std::function<void(acb_ptr value, acb_srcptr t, bool analytic, std::int64_t bits)>;

// The real part of the integral of f from a to b, by Arb's adaptive Gauss-Legendre quadrature.
Ball integrate(const Integrand& f, const Ball& a, const Ball& b);

// Gauss's rule of n points on [-1, 1].
struct GaussRule {
  std::vector<Ball> node, weight;
};
std::shared_ptr<const GaussRule> gauss_rule(int n);
// Its error for a function analytic and at most 1 in modulus in the ellipse with foci -1, 1 and axes r + 1/r, r - 1/r:
// the Chebyshev coefficients a_k are at most 2 r^-k, those below 2n are integrated exactly, odd ones vanish, and the
// integral and the rule are each at most 2 |a_k| for the others.
Ball gauss_error(int n, const Ball& r);

}  // namespace epsilary::solvers
