#include "bounds/theory/checkin/risk_formulas.hpp"

#include <concepts>

#include "bounds/theory/checkin/clipped.hpp"
#include "bounds/theory/checkin/risk.hpp"
#include "bounds/theory/checkin/windows.hpp"

namespace epsilary::bounds::checkin {
namespace {

using enum Param;

// The risk after m steps with gradients of second moment G^2, with its first step size and its rate.
template <Real R>
Answer<R> after_all_slots(const Values<R>& x, const R& G) {
  const R rate = risk_rate(x[radius], G, x[m]), value = last_iterate(rate, x[m]), step = x[radius] / G;
  return {.value = value, .cap = guessing_risk(x), .beside = {{"step", step}, {"rate", rate}}};
}

// The risk with the noise that the statement needs for eps, a gradient of norm at most L changing by 2 L. The noise is
// sought in double; that it is enough is proved.
template <class Statement, Real R, class Risk>
Answer<R> at_epsilon(const Values<R>& x, Risk risk) {
  constexpr std::string_view lacks = "an eps that some noise below 1e9 reaches";
  const Values<double> rough = split::nearby<double>(x);
  const auto found = noise_for<Statement>(rough, rough[eps]);
  if (!found) return {.value = R(0), .refused = lacks};
  const R needed = from_rational<R>(Decimal::nearest(*found, 12).exact());
  Values<R> at = x;
  at.set(sigma, needed);
  const Answer<R> privacy = by_gaussian<Statement>(at);
  if (!privacy.refused.empty()) return {.value = R(0), .refused = privacy.refused};
  if constexpr (std::same_as<R, Ball>)
    if (!certainly(privacy.value <= x[eps])) return {.value = unknown<R>()};
  at.set(noise, R(2 * x[lipschitz] * needed));
  Answer<R> answer{.value = risk(at), .cap = guessing_risk(x)};
  answer.at = {{noise, at[noise]}};
  return answer;
}

}  // namespace

Evaluator gaussian_fixed_window() {
  return each_number([]<Real R>(const Values<R>& x) {
    return x.at_most(p0, Rational(0)) ? Answer<R>{R(0)} : by_gaussian<FixedClipped>(x);
  });
}
Evaluator gaussian_sliding_window() {
  return each_number([](const auto& x) { return by_gaussian<SlidingClipped>(x); });
}
Evaluator gaussian_averaged() {
  return each_number([](const auto& x) { return by_gaussian<ShuffledTwice>(x); });
}

Evaluator risk_fixed_window() {
  return each_number([]<Real R>(const Values<R>& x) {
    return after_all_slots(x, R(sqrt(noisy_gradient(x)) / (1 - 2 * exp(-x[n] * x[p0] / x[m]))));
  });
}
Evaluator risk_fixed_window_dummies() {
  return each_number(
      [](const auto& x) { return after_all_slots(x, gradient_with_dummies(x, slot_is_used(x[n], x[m], x[p0]))); });
}
Evaluator risk_averaged() {
  return each_number([](const auto& x) { return after_all_slots(x, averaged_gradient(x, 1)); });
}
Evaluator risk_averaged_doubled() {
  return each_number([](const auto& x) { return after_all_slots(x, averaged_gradient(x, 2)); });
}
Evaluator risk_averaged_smooth() {
  return each_number([]<Real R>(const Values<R>& x) {
    const R noisy = noisy_gradient(x), reach = x[radius] * sqrt(x[n]);
    const R value = 2 * x[radius] * sqrt(noisy / x[n]) + x[smooth] * x[radius] * x[radius] / x[m];
    const R step = reach / (x[smooth] * reach + x[m] * sqrt(noisy));
    return Answer<R>{.value = value, .cap = guessing_risk(x), .beside = {{"step", step}}};
  });
}
Evaluator mean_of_inverse_load() {
  return each_number([](const auto& x) { return mean_inverse_load(x[n], x[m]); });
}
Ball used_slots_margin(const Values<Ball>& x) { return x[n] * x[p0] / x[m] - log(Ball(2)); }

Evaluator risk_at_epsilon_fixed_window() {
  return each_number([]<Real R>(const Values<R>& given) {
    Values<R> x = given;
    if (!x.has(p0)) x.set(p0, R(x[m] / x[n]));
    return at_epsilon<FixedClipped>(x, [](const Values<R>& at) {
      const R G = gradient_with_dummies(at, slot_is_used(at[n], at[m], at[p0]));
      return last_iterate(risk_rate(at[radius], G, at[m]), at[m]);
    });
  });
}
Evaluator risk_at_epsilon_sliding_window() {
  return each_number([]<Real R>(const Values<R>& x) {
    return at_epsilon<SlidingClipped>(x, [](const Values<R>& at) {
      const R steps = at[n] - at[m] + 1, G = gradient_with_dummies(at, slot_is_used(at[m], at[m], R(1)));
      return last_iterate(risk_rate(at[radius], G, steps), steps);
    });
  });
}
Evaluator risk_at_epsilon_averaged() {
  return each_number([]<Real R>(const Values<R>& x) {
    return at_epsilon<ShuffledTwice>(x, [](const Values<R>& at) {
      return last_iterate(risk_rate(at[radius], averaged_gradient(at, 2), at[m]), at[m]);
    });
  });
}

// m (1 - p0/m)^n: each of m slots is missed by every one of n users.
Evaluator fixed_window_dummies() {
  return each_number([]<Real R>(const Values<R>& x) { return R(x[m] * slot_is_used(x[n], x[m], x[p0]).no); });
}
Evaluator fixed_window_dummies_at_most() {
  return each_number([]<Real R>(const Values<R>& x) { return R(x[m] * exp(-x[n] * x[p0] / x[m])); });
}
// (n-m+1) (1 - 1/m)^m: each slot is in the windows of m users.
Evaluator sliding_window_dummies() {
  return each_number(
      []<Real R>(const Values<R>& x) { return R((x[n] - x[m] + 1) * slot_is_used(x[m], x[m], R(1)).no); });
}
Evaluator sliding_window_dummies_at_most() {
  return each_number([]<Real R>(const Values<R>& x) { return R((x[n] - x[m] + 1) / euler<R>()); });
}

Evaluator risk_of_performed_updates() {
  return each_number([]<Real R>(const Values<R>& x) {
    return with_cap(last_iterate(risk_rate(x[radius], R(sqrt(noisy_gradient(x))), x[T]), x[T]), guessing_risk(x));
  });
}
Evaluator risk_order_fixed_window() {
  return each_number([](const auto& x) { return risk_at_epsilon(x, x[m], x[n]); });
}
Evaluator risk_order_averaged() {
  return each_number([]<Real R>(const Values<R>& x) { return risk_at_epsilon(x, x[m], R(sqrt(x[n] * x[m]))); });
}
Evaluator risk_order_smooth() {
  return each_number([]<Real R>(const Values<R>& x) {
    return R(risk_at_epsilon(x, x[n], R(sqrt(x[n] * x[m]))) + x[smooth] * x[radius] * x[radius] / x[m]);
  });
}
Evaluator risk_order_central() {
  return each_number([](const auto& x) { return risk_at_epsilon(x, x[n], x[n]); });
}

}  // namespace epsilary::bounds::checkin
