#include "bounds/theory/dpsgd/laws.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/numbers/functions.hpp"

namespace epsilary::bounds::dpsgd {
namespace {

using namespace solvers;

// All losses here are +-l(t), l(t) = log(1 + p (e^{mu t - mu^2/2} - 1)), t standard normal under N(0,1).
struct SampledGaussian {
  Ball p, mu;

  double loss(double t) const {
    const double m = mu.midpoint();
    return std::log1p(p.midpoint() * std::expm1(m * t - m * m / 2));
  }
  // The t with l(t) = x; x > log(1 - p).
  Ball at(const Ball& x) const { return log1p(expm1(x) / p) / mu + mu / 2; }

  Ball plain_above(const Ball& t) const { return normal_cdf(-t); }
  Ball mixed_above(const Ball& t) const { return (1 - p) * normal_cdf(-t) + p * normal_cdf(mu - t); }
  Ball plain_below(const Ball& t) const { return normal_cdf(t); }
  Ball mixed_below(const Ball& t) const { return (1 - p) * normal_cdf(t) + p * normal_cdf(t - mu); }

  // Losses of points t stepping away from mu/2, up to where the mixture, or N(0,1), keeps mass e^{log_neglected}.
  std::vector<double> knots_above(double fineness, double log_neglected) const {
    const double m = mu.midpoint(), step = fineness / std::max(1.0, m), reach = std::sqrt(-2 * log_neglected) + 1;
    const double from_mixture = m + std::sqrt(std::max(0.0, -2 * (log_neglected - std::log(p.midpoint()))));
    std::vector<double> out;
    for (double t = m / 2 + step, top = std::max(reach, from_mixture + 0.5); t < top + step; t += step)
      out.push_back(loss(t));
    return out;
  }
  std::vector<double> knots_below(double fineness, double log_neglected) const {
    const double m = mu.midpoint(), step = fineness / std::max(1.0, m), reach = std::sqrt(-2 * log_neglected) + 1;
    const double most = -std::log1p(-p.midpoint());
    std::vector<double> out;
    for (double t = m / 2 - step; t > -reach - step; t -= step)
      if (const double x = -loss(t); x < most) out.push_back(x);
    return out;
  }
};

}  // namespace

LossLaw subsampled_gaussian(const Ball& p, const Ball& mu) {
  const SampledGaussian law{p, mu};
  const Side side{[law](const Ball& x) -> Tail {
                    const Ball t = law.at(x);
                    return {law.mixed_above(t), law.plain_above(t)};
                  },
                  [law](double fineness, double log_neglected) { return law.knots_above(fineness, log_neglected); }};
  return {side, side, true};
}

LossLaw poisson_removed(const Ball& p, const Ball& mu) {
  const SampledGaussian law{p, mu};
  const Side above{[law](const Ball& x) -> Tail {
                     const Ball t = law.at(x);
                     return {law.mixed_above(t), law.plain_above(t)};
                   },
                   [law](double fineness, double log_neglected) { return law.knots_above(fineness, log_neglected); }};
  // Losses stay above log(1 - p): l(t) = -x needs room = 1 - (1 - e^{-x})/p > 0.
  const Side below{[law](const Ball& x) -> Tail {
                     const Ball room = 1 + expm1(-x) / law.p, highest = room.upper_end();
                     if (certainly(highest <= 0)) return {Ball(0), Ball(0)};
                     const auto at = [&](const Ball& r) -> Tail {
                       const Ball t = log(r) / law.mu + law.mu / 2;
                       return {law.plain_below(t), law.mixed_below(t)};
                     };
                     if (certainly(room > 0)) return at(room);
                     const Tail bound = at(highest);  // too close to the end to tell
                     return {Ball::hull(Ball(0), bound.heavy), Ball::hull(Ball(0), bound.light)};
                   },
                   [law](double fineness, double log_neglected) { return law.knots_below(fineness, log_neglected); },
                   (-log1p(-law.p)).upper()};
  return {above, below};
}

LossLaw poisson_added(const Ball& p, const Ball& mu) {
  LossLaw law = poisson_removed(p, mu);
  std::swap(law.right, law.left);
  return law;
}

}  // namespace epsilary::bounds::dpsgd
