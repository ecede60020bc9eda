#include "solvers/search/minimise.hpp"

#include <boost/math/tools/minima.hpp>
#include <cstdint>
#include <limits>

namespace epsilary::solvers {

template <Real R>
Minimum<R> minimise(const std::function<R(const R&)>& f, const R& low, const R& high, int most_evaluations) {
  std::uintmax_t evaluations = static_cast<std::uintmax_t>(most_evaluations);
  const auto [at, value] =
      boost::math::tools::brent_find_minima(f, low, high, std::numeric_limits<R>::digits / 2, evaluations);
  spend_on_terms<R>(4 * static_cast<double>(evaluations));
  const bool ran_out = evaluations >= static_cast<std::uintmax_t>(most_evaluations);
  return {{at, low, high, static_cast<int>(evaluations), ran_out ? Solved::ran_out : Solved::converged}, value};
}

template Minimum<double> minimise(const std::function<double(const double&)>&, const double&, const double&, int);
template Minimum<mp50> minimise(const std::function<mp50(const mp50&)>&, const mp50&, const mp50&, int);

}  // namespace epsilary::solvers
