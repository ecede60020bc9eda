#include "solvers/losses/contour/chernoff.hpp"

#include "solvers/losses/contour/phases.hpp"

namespace epsilary::solvers::contour {

Chernoff::Chernoff(const std::vector<MomentLaw>& laws, const Line& line)
    : order_(line.c), divided_(line.body >= 0), body_order_(line.body_order) {
  for (const MomentLaw& law : laws) {
    const Ball T(law.times);
    missing_ += T * law.missing;
    if (!divided_) {
      log_tail_ += T * log(total(law.tilted(line.c, 0)));
      continue;
    }
    const Ball b = total(law.body(line.c, 0, line.body)), r = total(law.tail(line.c, 0, line.body));
    log_tail_ = log(T) + log(r) + (T - 1) * log(b + r);
    farthest_body_ = T * Ball(line.body);
    if (line.body_order > 0)
      log_body_ = T * log(total(law.body(line.body_order, 0, line.body))) + log_hockey_stick(body_order_);
  }
  log_tail_ += log_hockey_stick(order_);
}

Ball Chernoff::delta(const Ball& eps) const {
  Ball sum = exp(log_tail_ - order_ * eps) + missing_;
  if (divided_ && !certainly(eps >= farthest_body_))
    sum += body_order_.is_zero() ? Ball(1) : exp(log_body_ - body_order_ * eps);
  return min(Ball(1), sum.upper_end());
}

Ball Chernoff::epsilon(const Ball& delta) const {
  const Ball room = (delta - missing_) / 2;
  if (!certainly(room > 0)) return unknown<Ball>();
  Ball eps = (log_tail_ - log(room)) / order_;
  if (divided_) {
    Ball alone = farthest_body_;
    if (!body_order_.is_zero()) alone = min(alone, (log_body_ - log(room)) / body_order_);
    eps = max(eps, alone);
  }
  return max(Ball(0), eps.upper_end());
}

}  // namespace epsilary::solvers::contour
