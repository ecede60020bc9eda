// Forms of a statement on DP-SGD by composed losses.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bounds/core/bound.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds::dpsgd {

// Four forms: epsilon or delta, for a data set with batches or for a rate.
inline std::vector<Bound> dpsgd_forms(const Bound& common, const std::string& epsilon_title,
                                      const std::string& delta_title) {
  using enum Param;
  std::vector<Bound> out;
  for (const bool asks_epsilon : {true, false})
    for (const bool has_data : {true, false}) {
      Bound b = common;
      b.title = asks_epsilon ? epsilon_title : delta_title;
      b.quantity = asks_epsilon ? Quantity::epsilon : Quantity::delta;
      const Param given = asks_epsilon ? delta : eps;
      b.needs = has_data ? std::vector{n, batch, sigma, given} : std::vector{q, sigma, T, given};
      b.falls = {sigma, given};
      b.rises = {T};
      if (has_data) {
        b.takes = {T, epochs};
        b.rises.push_back(epochs);
        b.assumes = dpsgd_hypotheses();
        b.assumes.push_back(
            exactly("batch/n >= 1e-8", [](const auto& x) { return 100000000 * x[Param::batch] >= x[Param::n]; }));
      } else {
        b.rises.push_back(q);
        b.assumes = {exactly("q >= 1e-8", [](const auto& x) { return 100000000 * x[Param::q] >= 1; })};
      }
      b.assumes.push_back(exactly("0.05 <= sigma <= 10000",
                                  [](const auto& x) { return 20 * x[Param::sigma] >= 1 && x[Param::sigma] <= 10000; }));
      b.assumes.push_back(exactly("T <= 10^9", [](const auto& x) {
        return x.has(Param::T) ? x[Param::T] <= 1000000000
                               : x[Param::epochs] * x[Param::n] <= 1000000000 * x[Param::batch];
      }));
      out.push_back(std::move(b));
    }
  return out;
}

}  // namespace epsilary::bounds::dpsgd
