// The baseline of Self check-in 2022, Section 5.1: distributed check-in by the Gaussian mechanism's own delta,
// subsampling, and composition.
#include <span>

#include "bounds/bound.hpp"
#include "bounds/composition.hpp"
#include "bounds/subsampling.hpp"

namespace bounds {
namespace {

using enum Param;

// Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2).
template <Real R>
R gaussian_delta(const R& mean, const R& e) {
  return normal_cdf(R(mean / 2 - e / mean)) - exp(e) * normal_cdf(R(-mean / 2 - e / mean));
}

// Its inverse; sought in mp50, where the difference keeps its digits, and proved in balls.
template <Real R>
R gaussian_epsilon(const R& mean, const R& d) {
  const mp50 m50 = to_mp50(mean), target = log(to_mp50(d));
  const auto above = [](const auto& m_, const auto& log_d) {
    return [&](const auto& e) { return log_d - log(gaussian_delta(m_, e)); };
  };
  if (above(m50, target)(mp50(0)) >= 0) return R(0);
  const mp50 most = m50 * m50 / 2 + m50 * sqrt(-2 * target);  // Phi(-t) <= e^{-t^2/2}
  const mp50 guess = find_root<mp50>(above(m50, target), mp50(0), mp50(most + 1)).value;
  const R log_d = log(d);
  return enclose_root<R>(
      above(mean, log_d),
      [&](const R& e) { return R(exp(e) * normal_cdf(R(-mean / 2 - e / mean)) / gaussian_delta(mean, e)); }, guess);
}

// delta/4 each for too few and too many check-ins in some round, for the Gaussian mechanisms, and for composition.
template <Real R, class Compose>
Answer<R> composed(const Values<R>& x, Compose compose) {
  const R expected = x[n] * x[gamma], l = log(4 * x[T] / x[delta]) / expected;
  const R least = max(R(1), R(floor((1 - sqrt(2 * l)) * expected)));
  const R most = min(x[n], R(ceil((1 + (l + sqrt(l * l + 8 * l)) / 2) * expected)));
  const R rate = most / x[n];
  const R once = gaussian_epsilon(R(2 / (x[sigma] * sqrt(least))), R(x[delta] / (4 * x[T] * rate)));
  const R round = subsampled(once, rate);
  Answer<R> answer{.value = min(R(x[T] * round), R(compose(round, x[T], R(x[delta] / 4))))};
  answer.beside = {{"least_check_ins", least}, {"most_check_ins", most}, {"eps_round", round}};
  return answer;
}

template <class Evaluate>
void add(std::vector<Bound>& list, std::string_view id, std::string_view title, Standing standing, Evaluate evaluate) {
  list.push_back({
      .id = id,
      .title = title,
      .protocol = "distributed-checkin",
      .source = "Self check-in 2022, Section 5.1, with Chernoff's bounds on the number of check-ins",
      .formula =
          R"(\text{composition of }T\times\log(1+\tfrac{l_2}n(e^{\varepsilon}-1)),\ \varepsilon\text{ of the Gaussian pair with }\mu=\tfrac{2}{\sigma\sqrt{l_1}}\text{ at }\tfrac{\delta n}{4Tl_2})",
      .standing = standing,
      .note = "the printed delta_1 + delta_2 + delta_3 is of one round: T (delta_1 + delta_2) + delta_3 in all",
      .needs = {n, gamma, sigma, T, delta},
      .rises = {T},
      .falls = {sigma},
      .assumes = {exactly("n gamma >= 1", [](const auto& x) { return x[n] * x[gamma] >= 1; })},
      .evaluate = each_number(evaluate),
  });
}

}  // namespace

std::span<const Bound> checkin2022_composed() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add(out, "checkin2022-sec5.1-strong", "Distributed check-in by strong composition", Standing::published,
        []<Real R>(const Values<R>& x) { return composed(x, strong_composition<R>); });
    add(out, "checkin2022-sec5.1-half", "Distributed check-in by composition with half the drift", Standing::repaired,
        []<Real R>(const Values<R>& x) { return composed(x, half_drift_composition<R>); });
    add(out, "checkin2022-sec5.1-tanh", "Distributed check-in by composition with the sharp drift", Standing::repaired,
        []<Real R>(const Values<R>& x) { return composed(x, sharp_drift_composition<R>); });
    add(out, "checkin2022-sec5.1-optimal", "Distributed check-in by optimal composition", Standing::repaired,
        []<Real R>(const Values<R>& x) { return composed(x, optimal_composition<R>); });
    return out;
  }();
  return list;
}

}  // namespace bounds
