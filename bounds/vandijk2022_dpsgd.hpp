// What the statements on DP-SGD share: the sampling rate, the number of steps, and when they make sense.
#pragma once

#include "bounds/bound.hpp"

namespace bounds::vandijk2022 {

template <Real R>
R rate(const Values<R>& x) {
  return x[Param::batch] / x[Param::n];
}
template <Real R>
R rounds(const Values<R>& x) {
  return x.has(Param::T) ? x[Param::T] : R(x[Param::epochs] * x[Param::n] / x[Param::batch]);
}
template <Real R>
R group_size(const Values<R>& x) {
  return x.has(Param::group) ? x[Param::group] : R(1);
}

inline std::vector<Hypothesis> dpsgd_hypotheses() {
  using enum Param;
  return {exactly("batch <= n", [](const auto& x) { return x[batch] <= x[n]; }),
          exactly("T or epochs is given, not both", [](const auto& x) { return x.has(T) != x.has(epochs); }),
          exactly("epochs n / batch is an integer: change epochs or batch, or give T itself",
                  [](const auto& x) { return x.has(T) || is_integer(x[epochs] * x[n] / x[batch]); })};
}

}  // namespace bounds::vandijk2022
