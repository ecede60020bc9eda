#include "solvers/search/root.hpp"

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <limits>

namespace epsilary::solvers {

template <Real R>
Solution<R> find_root(const std::function<R(const R&)>& f, const R& low, const R& high, int most_evaluations) {
  const R at_low = f(low), at_high = f(high);
  if (at_low == 0) return {low, low, low, 2};
  if (at_high == 0) return {high, high, high, 2};
  if (!((at_low < 0) != (at_high < 0)) || !is_finite(at_low) || !is_finite(at_high))
    return {low, low, high, 2, Solved::no_bracket};
  std::uintmax_t evaluations = static_cast<std::uintmax_t>(most_evaluations);
  boost::math::tools::eps_tolerance<R> close(std::numeric_limits<R>::digits - 2);
  const auto [lower, upper] = boost::math::tools::toms748_solve(f, low, high, at_low, at_high, close, evaluations);
  spend_on_terms<R>(4 * static_cast<double>(evaluations));  // a formula has a few functions
  return {R((lower + upper) / 2), lower, upper, static_cast<int>(evaluations) + 2,
          close(lower, upper) ? Solved::converged : Solved::ran_out};
}

template Solution<double> find_root(const std::function<double(const double&)>&, const double&, const double&, int);
template Solution<mp50> find_root(const std::function<mp50(const mp50&)>&, const mp50&, const mp50&, int);

}  // namespace epsilary::solvers
