// Composition of mechanisms: basic, strong (Dwork, Rothblum, Vadhan 2010), and the theorems of Kairouz,
// Oh, Viswanath 2015.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <vector>

#include "bounds/core/point.hpp"
#include "solvers/search/enclose.hpp"
#include "solvers/sums/sum.hpp"

namespace epsilary::bounds {

// T mechanisms of eps each: eps (sqrt(2 T log(1/delta)) + T (e^eps - 1)).
template <Real R>
R strong_composition(const R& eps, const R& T, const R& delta) {
  return eps * (sqrt(-2 * T * log(delta)) + T * expm1(eps));
}
// The same with half the drift.
template <Real R>
R half_drift_composition(const R& eps, const R& T, const R& delta) {
  return eps * (sqrt(-2 * T * log(delta)) + T * expm1(eps) / 2);
}

// What composition needs to know of a sequence of pure mechanisms.
template <Real R>
struct StepSums {
  R epsilons;  // sum eps_i
  R drift;     // sum eps_i tanh(eps_i / 2), the mean privacy loss of randomised response
  R squares;   // sum eps_i^2
};

template <Real R>
StepSums<R> step_sums(const std::vector<R>& steps) {
  StepSums<R> s{R(0), R(0), R(0)};
  for (const R& e : steps) {
    s.epsilons += e;
    s.drift += e * tanh(e / 2);
    s.squares += e * e;
  }
  return s;
}
template <Real R>
StepSums<R> equal_step_sums(const R& eps, const R& T) {
  return {R(T * eps), R(T * eps * tanh(eps / 2)), R(T * eps * eps)};
}

// Kairouz, Oh and Viswanath, heterogeneous, second and third branch of the minimum.
template <Real R>
R kov_advanced(const StepSums<R>& s, const R& delta) {
  return s.drift + sqrt(-2 * s.squares * log(delta));
}
template <Real R>
R sharp_drift_composition(const R& eps, const R& T, const R& delta) {
  return kov_advanced(equal_step_sums(eps, T), delta);
}
template <Real R>
R kov_advanced_e(const StepSums<R>& s, const R& delta) {
  return s.drift + sqrt(2 * s.squares * log(euler<R>() + sqrt(s.squares) / delta));
}

// eps = drift + t with t^2/(2S) + log(1 + t/S) = log(1/delta): the Chernoff bound on the privacy loss with
// the factor S/(S+t) that integrating it gives; never above the two branches before.
template <Real R>
R composition_sharp(const StepSums<R>& s, const R& delta) {
  const auto excess = [](const auto& S, const auto& l) {
    return [&](const auto& t) { return t * t / (2 * S) + log1p(t / S) - l; };
  };
  const mp50 S50 = to_mp50(s.squares), l50 = -log(to_mp50(delta));
  const mp50 above = sqrt(2 * S50 * l50);  // log1p >= 0, so the root is not above this
  const mp50 guess = find_root<mp50>(excess(S50, l50), mp50(0), mp50(above * 2)).value;
  const R l = -log(delta);
  return s.drift + enclose_root<R>(
                       excess(s.squares, l), [&](const R& t) { return t / s.squares + 1 / (s.squares + t); }, guess);
}

// T-fold randomised response: P(K >= from) and Q(K >= from), K the number of outcomes with loss +eps.
template <Real R>
struct RepeatedResponse {
  R eps, T, plus, minus;
  RepeatedResponse(const R& eps_, const R& T_)
      : eps(eps_), T(T_), plus(1 / (1 + exp(-eps_))), minus(exp(-eps_) / (1 + exp(-eps_))) {}
  R loss(double k) const { return (2 * R(k) - T) * eps; }
  R tail_p(double from) const {
    return binomial_sum(T, plus, minus, from, R(1), [](const R&) { return R(1); });
  }
  R tail_q(double from) const {
    return binomial_sum(T, minus, plus, from, R(1), [](const R&) { return R(1); });
  }
};

// The exact delta of T eps-DP mechanisms at `total`: randomised response is the worst case, so
// delta = E (1 - e^{total - L})_+ over its privacy loss L.
template <Real R>
R optimal_composition_delta(const R& eps, const R& T, const R& total) {
  if (std::isnan(count_of(T))) return unknown<R>();
  const RepeatedResponse<R> r(eps, T);
  // The first positive term, less two for the rounding of this double; earlier terms are zero anyway.
  const double from = std::floor(lower_double(R((T + total / eps) / 2))) - 2;
  return binomial_sum(T, r.plus, r.minus, std::max(from, 0.0), R(1),
                      [&](const R& k) { return max(R(0), R(-expm1(total - (2 * k - T) * eps))); });
}

// The exact inverse: between two losses delta is P(tail) - e^eps Q(tail), so eps = log((P - delta)/Q) for
// the one tail whose losses enclose it. Every tail gives a lower bound, so the largest is the answer. The
// search for the tail is in double; in balls the result is kept only if delta is proved to be met just above it.
template <Real R>
R optimal_composition(const R& eps, const R& T, const R& delta) {
  if (std::isnan(count_of(T))) return unknown<R>();
  const RepeatedResponse<double> guess(to_double(eps), to_double(T));
  const double d = to_double(delta);
  // P(tail at k) - e^{loss(k)} Q(tail at k) falls in k; find the first k at which it is below delta.
  double low = 0, high = guess.T + 1;
  while (high - low > 1) {
    const double k = std::floor((low + high) / 2);
    const double at = optimal_composition_delta(guess.eps, guess.T, std::max(guess.loss(k), 0.0));
    (guess.loss(k) <= 0 || at >= d ? low : high) = k;
  }
  // Small losses hide in the last digits of probabilities near one half, so doubles are carried in more of them.
  using N = Carried<R>;
  const RepeatedResponse<N> r{N(eps), N(T)};
  N most(0);
  for (double k = std::max(low - 1, 0.0); k <= std::min(high + 1, guess.T); ++k) {
    const N p = r.tail_p(k);
    if (certainly(p > N(delta))) most = max(most, N(log((p - N(delta)) / r.tail_q(k))));
  }
  const R best = static_cast<R>(most);
  if constexpr (std::same_as<R, Ball>) {
    for (std::int64_t bits = Ball::precision() - 12; bits > 20; bits -= 8) {
      const Ball above = best.upper_end() + ldexp(best.upper_end(), -bits);
      if (certainly(optimal_composition_delta(eps, T, above) <= delta)) return Ball::hull(best, above);
    }
    return Ball::hull(best, T * eps);
  }
  return best;
}

}  // namespace epsilary::bounds
