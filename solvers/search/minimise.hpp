// The least value of a function with one valley, by Brent's method.
// Any argument gives a valid bound, so a search in double or mp50 needs no proof: the caller evaluates
// once, in balls, at the argument found here.
#pragma once

#include <functional>

#include "solvers/numbers/real.hpp"
#include "solvers/search/outcome.hpp"

namespace epsilary::solvers {

template <class R>
struct Minimum {
  Solution<R> at;  // the argument, known to half the digits of R: a valley is flat; its bracket is the range searched
  R value;
};

// For R = double and mp50.
template <Real R>
Minimum<R> minimise(const std::function<R(const R&)>& f, const R& low, const R& high, int most_evaluations = 300);

}  // namespace epsilary::solvers
