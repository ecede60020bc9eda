// The privacy losses of the steps of a protocol composed: delta(eps) is a contour integral over the product of the
// steps' moments, which costs the same for any number of steps.
#pragma once

#include "bounds/theory/shuffle/step_formulas.hpp"
#include "bounds/theory/shuffle/steps.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::bounds::steps {

// Encloses the least eps >= 0 at which the exact composition of the responses leaks at most delta. `trivial` holds
// without any of it; where the composition leaks far more, it is returned at once.
Ball composed_epsilon(StepResponse response, const Sequence<Ball>& s, const Ball& delta, const Ball& trivial,
                      const Request& request);

}  // namespace epsilary::bounds::steps
