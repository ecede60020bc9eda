// The least value of a function with one valley, by Brent's method.
// Any argument gives a valid bound, so a search in double or mp50 needs no proof: the caller evaluates
// once, in balls, at the argument found here.
#pragma once

#include <boost/math/tools/minima.hpp>
#include <cstdint>
#include <limits>

#include "solvers/search/outcome.hpp"
#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {

template <class R>
struct Minimum {
  Solution<R> at;  // the argument, known to half the digits of R: a valley is flat; its bracket is the range searched
  R value;
};

template <Real R, class F>
Minimum<R> minimise(F f, const R& low, const R& high, int most_evaluations = 300) {
  std::uintmax_t evaluations = static_cast<std::uintmax_t>(most_evaluations);
  const auto [at, value] =
      boost::math::tools::brent_find_minima(f, low, high, std::numeric_limits<R>::digits / 2, evaluations);
  const bool ran_out = evaluations >= static_cast<std::uintmax_t>(most_evaluations);
  return {{at, low, high, static_cast<int>(evaluations), ran_out ? Solved::ran_out : Solved::converged}, value};
}

}  // namespace epsilary::solvers
