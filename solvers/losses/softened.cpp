#include "solvers/losses/softened.hpp"

#include <algorithm>
#include <cmath>

namespace epsilary::solvers {
namespace {

constexpr double negligible = 1e-9;  // of the value at c, all that is not summed together

// Weights of the two sums at z: 1/(z(z+1)), and that less the transform of what the Gaussian adds.
ComplexBall upper_weight(const ComplexBall& z) { return ComplexBall(1) / (z * (z + ComplexBall(1))); }
Ball excess_weight(const Ball& tau) { return tau * tau * exp(tau * tau / 8); }

}  // namespace

SoftenedContour::SoftenedContour(const LossMoments& moments, const Abscissa& at, const Ball& delta) : c_(at.c) {
  const double c = at.c;
  moment_ = moments.at(ComplexBall(c_)).real();
  // The bracket is about 3/2 tau^2 c wide. Aliases weigh e^{-A} and what the far moment makes of it.
  const double wanted = std::clamp(std::sqrt(at.width * c * at.x), 5e-3, 0.5);
  const Ball tau = Ball(wanted) / c_;
  far_moment_ = moments.at(ComplexBall(2 * c_)).real() * exp(tau * tau * c_ * (2 * c_ + 1));
  const double ahead = (log(far_moment_) - 2 * c_ * Ball(at.x)).midpoint();
  const double depth = 12 - std::log(at.width) - log(delta).midpoint() + std::clamp(ahead, 0.0, 200.0);
  const double spacing = 2 * M_PI * c / depth;
  period_ = 2 * Ball::pi() / Ball(spacing);
  const double last = std::ceil(std::sqrt(-2 * std::log(negligible)) / wanted * c / spacing);

  const Ball at_c = moment_ * exp(tau * tau * c_ * (c_ + 1) / 2), share = Ball(spacing) / (2 * Ball::pi());
  const auto weight_at_most = [&](const Ball& y) { return 1 / (y * y) + excess_weight(tau); };
  const auto damped = [&](const Ball& y) { return exp(-tau * tau * y * y / 2); };
  for (double j = 0; j <= last; ++j) {
    const Ball y = Ball(spacing) * Ball(j);
    if (j > 0) {
      const double damping = moments.damping(y.midpoint()) + (tau * tau * y * y).midpoint() / 2;
      if (damping > 14 - std::log(negligible)) {
        left_out_ += 2 * share * at_c * exp(-Ball(damping)) * Ball(1.001) * weight_at_most(y);
        continue;
      }
    }
    const ComplexBall z(c_, y), moment = moments.at(z) * exp(z * (z + ComplexBall(1)) * (tau * tau) / 2);
    const ComplexBall term = moment * (j > 0 ? 2 * share : share), upper = upper_weight(z);
    nodes_.push_back({z, term * upper, term * (upper - ComplexBall(excess_weight(tau)))});
  }
  // The sum beyond the last node is at most the integral.
  const Ball end = Ball(spacing) * Ball(last);
  left_out_ += at_c * weight_at_most(end) * damped(end) / (Ball::pi() * tau * tau * end);
}

Ball SoftenedContour::sum(const Ball& x, ComplexBall Node::*term) const {
  Ball total;
  for (const Node& n : nodes_) total += (n.*term * exp(-n.z * x)).real();
  return total;
}

// Chernoff's bound also holds: (1 - e^{-d}) e^{-cd} <= c^c/(1+c)^{1+c}.
Ball SoftenedContour::upper(const Ball& x) const {
  const Ball chernoff = moment_ * exp(-c_ * x - c_ * log1p(1 / c_)) / (1 + c_);
  return min(sum(x, &Node::upper) + left_out_ * exp(-c_ * x), chernoff);
}

// Aliases at x - m period weigh e^{-cm period} and are at most 1; those at x + m period are at most
// M(2c) e^{-2c (x + m period)} and weigh e^{cm period}.
Ball SoftenedContour::lower(const Ball& x) const {
  const Ball ratio = exp(-c_ * period_), aliases = (1 + far_moment_ * exp(-2 * c_ * x)) * ratio / (1 - ratio);
  return sum(x, &Node::lower) - left_out_ * exp(-c_ * x) - aliases;
}

Bracket softened_epsilon(const LossMoments& moments, const Abscissa& at, const Ball& delta) {
  const SoftenedContour contour(moments, at, delta);
  const auto meets = [&](double x) { return certainly(contour.upper(Ball(x)) <= delta); };
  const auto breaks = [&](double x) { return certainly(contour.lower(Ball(x)) > delta); };
  if (meets(0)) return {0, 0};
  const double closest = std::clamp(0.01 / (at.c * at.x), 1e-14, 1e-7);  // both sums change by e^{-cx}
  double low = 0, high = at.x;
  for (int i = 0; i < 60 && !meets(high); ++i) low = high, high *= 1.25;
  if (!meets(high)) return {0, HUGE_VAL};
  const auto halve = [closest](auto upper_holds, double from, double to) {
    for (int i = 0; i < 60 && to - from > closest * to; ++i) {
      const double middle = from + (to - from) / 2;
      (upper_holds(middle) ? to : from) = middle;
    }
    return std::pair{from, to};
  };
  high = halve(meets, low, high).second;
  // Far below c the lower sum drowns in what is left out, so its end is sought downward.
  double fails = high, gap = 10 * closest * high;
  while (gap < high && !breaks(high - gap)) fails = high - gap, gap *= 2;
  if (gap >= high) return {0, high};
  low = halve([&](double x) { return !breaks(x); }, high - gap, fails).first;
  return {low, high};
}

}  // namespace epsilary::solvers
