// Approximate randomizers at eps0 itself: only the calls on the changed record are clipped, to the call they replace
// (PROOFS.md, clip). And Gaussian noise as such a randomizer, at the eps0 that serves best.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/gaussian.hpp"

namespace epsilary::bounds::checkin {

// A record is used with probability at most p0, or w where the weights are given.
template <Param chance>
struct Clipped {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R eps = random_replacement_posterior(x[Param::eps0], x[Param::m], x[chance], x[Param::delta]);
    std::optional<R> cost = log_clipping_cost(x[Param::eps0], x[Param::delta0], x[chance], eps);
    return {Answer<R>{.value = eps}, std::move(cost)};
  }
};
using FixedClipped = Clipped<Param::p0>;
struct SlidingClipped {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R eps = random_replacement(x[Param::eps0], x[Param::m], R(1), x[Param::delta]);
    std::optional<R> cost = log_clipping_cost(x[Param::eps0], x[Param::delta0], R(1), eps);
    return {Answer<R>{.value = eps}, std::move(cost)};
  }
};
using ShuffledTwice = Replaced<Shuffled, 2, Two, Param::delta0>;

// A gradient of norm at most C with Gaussian noise of deviation 2 C sigma is (eps0, delta0)-DP at every eps0, with
// delta0 = delta_{1/sigma}(eps0): a point for the statements above.
template <Real R>
Values<R> with_gaussian(const Values<R>& x, const R& eps0) {
  Values<R> out = x;
  out.set(Param::eps0, eps0);
  out.set(Param::delta0, gdp_delta(eps0, R(1 / x[Param::sigma])));
  return out;
}

// What the statement gives at this eps0, or nothing where delta has no room; without proof.
template <class Statement>
double rough_epsilon(const Values<double>& x, double eps0) {
  const Values<double> at = with_gaussian(x, eps0);
  const auto share = split::best_share<Statement>(at);
  return share ? Statement::at(split::keeping(at, *share)).answer.value : HUGE_VAL;
}

// The eps0 at which it is least: from the one where delta0 is delta on, which is too small, by steps, then finely.
template <class Statement>
std::optional<double> best_eps0(const Values<double>& x) {
  const double mu = 1 / x[Param::sigma], first = gdp_epsilon(x[Param::delta], mu);
  double best = 0, least = HUGE_VAL;
  const double start = std::max(first, 1e-3 * mu);
  for (double eps0 = start; eps0 < 6 * start + 10 * mu; eps0 += start / 16 + mu / 8)
    if (const double eps = rough_epsilon<Statement>(x, eps0); eps < least) best = eps0, least = eps;
  if (!(least < HUGE_VAL)) return {};
  const auto finite = [&](double eps0) { return std::min(rough_epsilon<Statement>(x, eps0), 1e300); };
  const auto finer =
      minimise<double>(finite, std::max(start, best - start / 16 - mu / 8), best + start / 16 + mu / 8, 40);
  return finer.value < least ? finer.at.value : best;
}

// Every eps0 is valid, so it is sought in double, and the statement proved at a decimal of 12 digits. However the
// slots fall, a client is seen once at most: no more than one Gaussian report of its own.
template <class Statement, Real R>
Answer<R> by_gaussian(const Values<R>& x) {
  constexpr std::string_view beyond = "delta within the range of double";
  const Values<double> rough = split::nearby<double>(x);
  if (!(rough[Param::delta] > 1e-280)) return {.value = R(0), .refused = beyond};
  const auto found = best_eps0<Statement>(rough);
  if (!found) return {.value = R(0), .refused = Statement::lacks};
  const R eps0 = from_rational<R>(Decimal::nearest(*found, 12).exact());
  Answer<R> answer = of_whole_delta<Statement>(with_gaussian(x, eps0));
  if (!answer.refused.empty()) return answer;
  answer.cap = gdp_epsilon(x[Param::delta], R(1 / x[Param::sigma]));
  answer.at.push_back({Param::eps0, eps0});
  return answer;
}

// The noise, over the largest change of a gradient, at which the statement gives at most eps, found in double; nothing
// where none up to 1e9 does.
template <class Statement>
std::optional<double> noise_for(Values<double> x, double eps) {
  const auto meets = [&](double log_sigma) {
    x.set(Param::sigma, std::exp(log_sigma));
    const auto eps0 = best_eps0<Statement>(x);
    return eps0 && rough_epsilon<Statement>(x, *eps0) <= eps;
  };
  double low = -3, high = std::log(1e9);
  if (!meets(high)) return {};
  if (meets(low)) return std::exp(low);
  for (int i = 0; i < 40; ++i) {
    const double mid = (low + high) / 2;
    (meets(mid) ? high : low) = mid;
  }
  return std::exp(high) * (1 + 1e-9);
}

}  // namespace epsilary::bounds::checkin
