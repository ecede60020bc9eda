// Integrals of analytic functions, enclosed.
#pragma once

#if __has_include(<flint/acb_calc.h>)
#include <flint/acb_calc.h>
#else
#include <acb_calc.h>
#endif

#include <functional>

#include "solvers/ball.hpp"

namespace solvers {

// The value at t; with `analytic` it must be infinite or NaN unless the function is analytic on all of t.
using Integrand = std::function<void(acb_ptr value, acb_srcptr t, bool analytic, long bits)>;

// The real part of the integral of f from a to b, by Arb's adaptive Gauss-Legendre quadrature.
Ball integrate(const Integrand& f, const Ball& a, const Ball& b);

}  // namespace solvers
