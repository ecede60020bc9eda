// The total loss of a composition seen from far, in double: what chooses where to look. Nothing it says is proved.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solvers/search/root.hpp"

namespace epsilary::solvers::pld {

// The law of the total loss seen from far: log E_P e^{theta X} of the composition and its first two derivatives,
// in double, from coarse lattices. It chooses the tilt, the window and the step; nothing it says needs to be right.
struct CumulantModel {
  struct Part {
    double times;
    std::vector<double> loss, log_p;  // logarithms: what decides may be too rare for a double
  };
  std::vector<Part> parts;

  std::array<double, 3> cumulant(double theta) const {
    std::array<double, 3> sum{};
    for (const Part& part : parts) {
      double top = -HUGE_VAL, most = 0;
      for (std::size_t i = 0; i < part.loss.size(); ++i) {
        top = std::max(top, part.log_p[i] + theta * part.loss[i]);
        most = std::max(most, theta * part.loss[i]);
      }
      double m0 = 0, m1 = 0, m2 = 0, excess = 0;
      for (std::size_t i = 0; i < part.loss.size(); ++i) {
        const double x = part.loss[i], w = std::exp(part.log_p[i] + theta * x - top);
        if (most < 1) excess += std::exp(part.log_p[i]) * std::expm1(theta * x);
        m0 += w, m1 += w * x, m2 += w * x * x;
      }
      const double mean = m1 / m0;
      sum[0] += part.times * (most < 1 ? std::log1p(excess) : top + std::log(m0));
      sum[1] += part.times * mean;
      sum[2] += part.times * std::max(m2 / m0 - mean * mean, 1e-300);
    }
    return sum;
  }

  // The saddle point of E e^{theta (X - eps)} / (theta (theta + 1)): the eps it belongs to, and log delta there.
  double eps_at(double theta) const { return cumulant(theta)[1] - 1 / theta - 1 / (1 + theta); }
  double log_delta_at(double theta) const {
    const auto k = cumulant(theta);
    const double eps = k[1] - 1 / theta - 1 / (1 + theta);
    const double spread = k[2] + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
    return k[0] - theta * eps - std::log(theta * (1 + theta)) - std::log(2 * M_PI * spread) / 2;
  }
};

// theta with f(theta) = 0 for a decreasing f, on a logarithmic scale; the nearest end where there is none.
template <class F>
double decreasing_root(F f, double most = 1e9) {
  const double low = std::log(1e-9), high = std::log(most);
  const auto g = [&](double u) { return std::clamp(f(std::exp(u)), -1e300, 1e300); };
  if (g(low) <= 0) return std::exp(low);
  if (g(high) >= 0) return std::exp(high);
  return std::exp(find_root<double>(g, low, high, 80).value);
}

}  // namespace epsilary::solvers::pld
