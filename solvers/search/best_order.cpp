#include "solvers/search/best_order.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/search/minimise.hpp"

namespace epsilary::solvers {
namespace {

struct Order {
  double order, cost;
};

// The best integer from low to high: golden sections, then one by one.
Order best_integer(const std::function<double(double)>& cost, double low, double high, Order best) {
  constexpr double golden = 0.6180339887498949;
  double a = low, b = high;
  double c = std::round(b - golden * (b - a)), d = std::round(a + golden * (b - a));
  double at_c = cost(c), at_d = cost(d);
  while (b - a > 3) {
    if (at_c < best.cost) best = {c, at_c};
    if (at_d < best.cost) best = {d, at_d};
    if (at_c < at_d)
      b = d, d = c, at_d = at_c, c = std::round(b - golden * (b - a)), at_c = cost(c);
    else
      a = c, c = d, at_c = at_d, d = std::round(a + golden * (b - a)), at_d = cost(d);
    if (c >= d) break;
  }
  for (double k = a; k <= b && b - a < 12; ++k)
    if (const double at_k = cost(k); at_k < best.cost) best = {k, at_k};
  return best;
}

}  // namespace

double best_order(const std::function<double(double)>& cost, Orders orders, double longest, double settled) {
  Order best{2, cost(2.0)};
  double high = 4;
  for (; high <= longest; high *= 2) {
    const double c = cost(high);
    if (c < best.cost) best = {high, c};
    // A cost that is infinite at small orders may still fall; one that has risen will not fall again.
    else if ((std::isfinite(best.cost) && high >= settled) || high > 4096)
      break;
  }
  const double a = std::max(2.0, best.order / 2), b = std::min(high, best.order * 2);
  if (orders == Orders::integer) return best_integer(cost, a, b, best).order;
  const auto closer = [&](double low, double up) {
    const auto at = [&](double t) { return cost(1 + std::exp(t)); };
    const auto found = minimise<double>(at, std::log(low - 1), std::log(up - 1), 60);
    if (found.value < best.cost) best = {1 + std::exp(found.at.value), found.value};
  };
  if (orders == Orders::corners) {  // each piece falls or rises on its own
    best = best_integer(cost, a, b, best);
    const double corner = best.order;
    closer(corner > 2 ? corner - 1 : 1.001, corner);
    closer(corner, corner + 1);
    return best.order;
  }
  closer(best.order > 2 ? a : 1.001, b);
  const double whole = std::max(2.0, std::round(best.order));
  return cost(whole) <= best.cost ? whole : best.order;
}

}  // namespace epsilary::solvers
