#include "solvers/losses/contour/chernoff.hpp"

#include "solvers/losses/contour/phases.hpp"

namespace epsilary::solvers::contour {

Chernoff::Chernoff(const std::vector<MomentLaw>& laws, const Plan& plan)
    : order_(plan.c), divided_(plan.core >= 0), core_order_(plan.core_order) {
  for (const MomentLaw& law : laws) {
    const Ball T(law.times);
    missing_ += T * law.missing;
    if (!divided_) {
      log_rest_ += T * log(total(law.tilted(plan.c, 0)));
      continue;
    }
    const Ball b = total(law.core(plan.c, 0, plan.core)), r = total(law.rest(plan.c, 0, plan.core));
    log_rest_ = log(T) + log(r) + (T - 1) * log(b + r);
    farthest_core_ = T * Ball(plan.core);
    if (plan.core_order > 0)
      log_core_ = T * log(total(law.core(plan.core_order, 0, plan.core))) + log_hockey_stick(core_order_);
  }
  log_rest_ += log_hockey_stick(order_);
}

Ball Chernoff::delta(const Ball& eps) const {
  Ball sum = exp(log_rest_ - order_ * eps) + missing_;
  if (divided_ && !certainly(eps >= farthest_core_))
    sum += core_order_.is_zero() ? Ball(1) : exp(log_core_ - core_order_ * eps);
  return min(Ball(1), sum.upper_end());
}

Ball Chernoff::epsilon(const Ball& delta) const {
  const Ball room = (delta - missing_) / 2;
  if (!certainly(room > 0)) return unknown<Ball>();
  Ball eps = (log_rest_ - log(room)) / order_;
  if (divided_) {
    Ball alone = farthest_core_;
    if (!core_order_.is_zero()) alone = min(alone, (log_core_ - log(room)) / core_order_);
    eps = max(eps, alone);
  }
  return max(Ball(0), eps.upper_end());
}

}  // namespace epsilary::solvers::contour
