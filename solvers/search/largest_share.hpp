// How much of a whole can be kept, when the rest must pay for a cost that falls the more is kept.
#pragma once

#include <cmath>
#include <optional>

namespace epsilary::solvers {

// The largest s in (0, 1) with s + cost(s) <= 1, for a cost that falls in s; nothing where there is none. From s = 1
// down s -> 1 - cost(s) comes to it from above, at last by halving. In double: who uses it proves the sum.
template <class Cost>
std::optional<double> largest_share(Cost cost) {
  const auto next = [&](double s) { return 1 - cost(s); };
  double above = 1;
  for (int i = 0; i < 100; ++i) {
    const double once = next(above);
    if (!(once > 0)) return {};  // also where the cost is not a number
    if (once >= above * (1 - 1e-13)) return once;
    const double again = next(once);
    if (!(again > 0)) return {};
    // Aitken: where the differences shrink by a constant factor, their limit.
    const double bend = again - 2 * once + above;
    const double limit = bend > 0 ? above - (once - above) * (once - above) / bend : 0;
    if (limit > 0 && limit < again) {
      if (next(limit) >= limit) {  // it is enough there, so the answer lies between
        double enough = limit, most = again;
        for (int k = 0; k < 60 && most - enough > 1e-14 * most; ++k) {
          const double middle = enough + (most - enough) / 2;
          (next(middle) >= middle ? enough : most) = middle;
        }
        return enough;
      }
      above = limit;
    } else {
      above = again;
    }
  }
  return {};  // so nearly impossible that it is not worth finding
}

}  // namespace epsilary::solvers
