#include "solvers/search/best_order.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/search/minimise.hpp"

namespace epsilary::solvers {

double best_order(const std::function<double(double)>& cost, Orders orders, double longest) {
  double best = 2, least = cost(2.0), high = 4;
  for (; high <= longest; high *= 2) {
    const double c = cost(high);
    if (c < least) best = high, least = c;
    // A cost that is infinite at small orders may still fall; one that has risen will not fall again.
    else if (std::isfinite(least) || high > 4096)
      break;
  }
  double a = std::max(2.0, best / 2), b = std::min(high, best * 2);
  if (orders == Orders::real) {
    const double low = best > 2 ? std::log(a - 1) : std::log(1e-3);
    const auto at = [&](double t) { return cost(1 + std::exp(t)); };
    const auto found = minimise<double>(at, low, std::log(b - 1), 60);
    if (found.value < least) best = 1 + std::exp(found.at.value), least = found.value;
    // Interpolated bounds have their corners, and often their least, at integers.
    const double whole = std::max(2.0, std::round(best));
    return cost(whole) <= least ? whole : best;
  }
  constexpr double golden = 0.6180339887498949;
  double c = std::round(b - golden * (b - a)), d = std::round(a + golden * (b - a));
  double at_c = cost(c), at_d = cost(d);
  while (b - a > 3) {
    if (at_c < least) best = c, least = at_c;
    if (at_d < least) best = d, least = at_d;
    if (at_c < at_d)
      b = d, d = c, at_d = at_c, c = std::round(b - golden * (b - a)), at_c = cost(c);
    else
      a = c, c = d, at_c = at_d, d = std::round(a + golden * (b - a)), at_d = cost(d);
    if (c >= d) break;
  }
  for (double k = a; k <= b && b - a < 12; ++k)
    if (const double at_k = cost(k); at_k < least) best = k, least = at_k;
  return best;
}

}  // namespace epsilary::solvers
