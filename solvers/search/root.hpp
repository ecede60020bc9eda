// A root between two points of opposite sign, by TOMS 748.
#pragma once

#include <functional>

#include "solvers/numbers/real.hpp"
#include "solvers/search/outcome.hpp"

namespace epsilary::solvers {

// For R = double and mp50.
template <Real R>
Solution<R> find_root(const std::function<R(const R&)>& f, const R& low, const R& high, int most_evaluations = 200);

}  // namespace epsilary::solvers
