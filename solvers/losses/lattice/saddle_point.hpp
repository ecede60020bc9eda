// Where the total loss of a composition lies: what chooses the tilt, the window and the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "solvers/losses/cumulants.hpp"
#include "solvers/losses/pair.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::solvers::pld {

// The composed laws on one lattice.
struct Component {
  Lattice lattice;
  double times;
};

inline CumulantModel cumulants_of(const std::vector<Component>& components) {
  CumulantModel out;
  for (const Component& c : components) {
    CumulantModel::Part part{.times = c.times};
    for (std::size_t i = 0; i < c.lattice.upper.at.size(); ++i) {
      const double p = c.lattice.upper.p[i].midpoint();
      if (!(p > 0)) continue;
      part.loss.push_back(static_cast<double>(c.lattice.upper.at[i]) * c.lattice.step);
      part.log_p.push_back(std::log(p));
    }
    out.parts.push_back(std::move(part));
  }
  return out;
}

inline std::vector<Component> discretise_all(const std::vector<Repeated>& laws, double step, double fineness,
                                             double log_neglected) {
  std::vector<Component> out;
  for (const Repeated& r : laws) out.push_back({discretise(r.law, step, fineness, log_neglected), r.times});
  return out;
}

inline CumulantModel coarse_cumulants(const std::vector<Repeated>& laws, double log_neglected) {
  constexpr double coarse = 0.25;
  double finest = HUGE_VAL;
  for (const Repeated& r : laws)
    for (const Side* side : {&r.law.right, &r.law.left})
      for (const double x : side->knots(coarse, log_neglected)) finest = std::min(finest, x);
  return cumulants_of(discretise_all(laws, finest / 8, coarse, log_neglected));
}

inline double rounds_of(const std::vector<Repeated>& laws) {
  double sum = 0;
  for (const Repeated& r : laws) sum += r.times;
  return sum;
}

// The tilt for the target and what it promises.
struct SaddlePoint {
  double theta, eps, log_delta;
};
inline SaddlePoint saddle_point(const CumulantModel& cumulants, const Target& target) {
  SaddlePoint out{};
  // Where losses are bounded and the target is near the largest, no tilt is enough: one that leaves the law some width.
  const double least_spread = 1e-4 * cumulants.cumulant(0)[2];
  const auto tilt = [&](auto f) {
    return decreasing_root([&](double t) { return cumulants.cumulant(t)[2] < least_spread ? -1e6 : f(t); });
  };
  if (target.delta) {
    const double wanted = log(*target.delta).midpoint();
    out.theta = tilt([&](double t) { return cumulants.log_delta_at(t) - wanted; });
  }
  if (target.eps || cumulants.eps_at(out.theta) < 0) {
    const double eps = target.eps ? target.eps->midpoint() : 0;
    out.theta = tilt([&](double t) { return eps - cumulants.eps_at(t); });
  }
  out.eps = std::max(0.0, cumulants.eps_at(out.theta));
  out.log_delta = std::min(-1e-9, cumulants.log_delta_at(out.theta));
  return out;
}

struct Window {
  double theta, low, high;      // tilt, and the total losses kept
  double up_order, down_order;  // Chernoff orders that showed it
  double spread;                // tilted standard deviation of the total loss
};

// Chernoff: the tilted mass beyond x is at most e^{K(theta + s) - K(theta) - s x}. It is compared with the tilted mass
// that makes up delta at eps.
inline Window choose_window(const CumulantModel& cumulants, double theta, double eps, double log_delta, double width) {
  const auto k = cumulants.cumulant(theta);
  const double spread = std::sqrt(k[2]);
  const double log_weight = std::clamp(log_delta + theta * eps - k[0] + std::log1p(theta), -300.0, 0.0);
  const double log_outside = std::log(width) - 7 + log_weight;
  const auto edge = [&](double sign) {
    const auto reach = [&](double u) {
      const double s = std::exp(u);
      return (cumulants.cumulant(theta + sign * s)[0] - k[0] - log_outside) / s;
    };
    const double middle = std::log(std::sqrt(-2 * log_outside) / spread);
    const auto best = minimise<double>(reach, middle - 6, middle + 3, 60);
    return std::pair{sign * best.value, std::exp(best.at.value)};
  };
  const auto [high, up] = edge(+1);
  const auto [low, down] = edge(-1);
  return {theta, low, high, up, down, spread};
}

}  // namespace epsilary::solvers::pld
