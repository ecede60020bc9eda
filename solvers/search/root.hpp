// A root between two points of opposite sign, by TOMS 748.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <limits>

#include "solvers/search/outcome.hpp"
#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {

template <Real R, class F>
Solution<R> find_root(F f, const R& low, const R& high, int most_evaluations = 200) {
  const R at_low = f(low), at_high = f(high);
  if (at_low == 0) return {low, low, low, 2};
  if (at_high == 0) return {high, high, high, 2};
  if (!((at_low < 0) != (at_high < 0)) || !is_finite(at_low) || !is_finite(at_high))
    return {low, low, high, 2, Solved::no_bracket};
  std::uintmax_t evaluations = static_cast<std::uintmax_t>(most_evaluations);
  boost::math::tools::eps_tolerance<R> close(std::numeric_limits<R>::digits - 2);
  const auto [lower, upper] = boost::math::tools::toms748_solve(f, low, high, at_low, at_high, close, evaluations);
  return {R((lower + upper) / 2), lower, upper, static_cast<int>(evaluations) + 2,
          close(lower, upper) ? Solved::converged : Solved::ran_out};
}

}  // namespace epsilary::solvers
