// Where the total loss of a composition lies: what chooses the tilt, the window and the step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/losses/pair.hpp"
#include "solvers/search/minimise.hpp"
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

// theta with f(theta) = 0 for a decreasing f, on a logarithmic scale; the nearest end where there is none.
template <class F>
double decreasing_root(F f, double most = 1e9) {
  const double low = std::log(1e-9), high = std::log(most);
  const auto g = [&](double u) { return std::clamp(f(std::exp(u)), -1e300, 1e300); };
  if (g(low) <= 0) return std::exp(low);
  if (g(high) >= 0) return std::exp(high);
  return std::exp(find_root<double>(g, low, high, 80).value);
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
