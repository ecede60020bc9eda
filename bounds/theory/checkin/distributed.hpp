// Distributed check-in: each client that checks in adds Gaussian noise of deviation multiplier to an update of norm at
// most 1, and only the sum is seen. Self check-in 2022, Theorem 4, and its variants.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "bounds/theory/checkin/shuffled.hpp"
#include "bounds/theory/renyi_subsampling.hpp"

namespace epsilary::bounds::distributed {

// k clients at rate r: the sum moves by 2 under noise of variance k multiplier^2, so eps_k(j) = 2 j/(k multiplier^2).
template <Real M>
struct DistributedMoment {
  M lambda, multiplier;
  template <class Rate>
  M at_rates(const M& k, Rate rate) const {
    return renyi::subsampled_gaussian_moment(lambda, M(4 / (k * multiplier * multiplier)), rate);
  }
  M given(const M& k, const M& r) const { return at_rates(k, renyi::powers_of(r)); }
  M operator()(double k, const M& r) const { return given(M(k), r); }
};

// P(K >= least).
template <Real M>
M at_least(const Binomial<M>& law, double least) {
  return binomial_mean(
      law, std::max(0.0, least), M(0), [](double) { return M(1); }, [](double, const M&) { return M(1); },
      [](double, double) { return M(1); });
}

// P(K < quorum) for K ~ Bin(n, gamma), summed from the quorum down.
template <Real M>
M below_quorum(const M& n, const Chance<M>& gamma, double quorum) {
  return at_least(Binomial<M>{n, gamma.no, gamma.yes}, count_of(n) - quorum + 1);
}

// E[moment(K, K/n) | K >= quorum].
template <Real M, class F>
M quorum_mean(const M& n, const Chance<M>& gamma, const M& degree, double quorum, F moment) {
  const M sum = binomial_mean(
      Binomial<M>{n, gamma.yes, gamma.no}, quorum, degree, [&](double k) { return moment(k, M(M(k) / n)); },
      [](double, const M& value) { return value; }, [&](double a, double b) { return moment(a, M(M(b) / n)); });
  return sum / at_least(Binomial<M>{n, gamma.yes, gamma.no}, quorum);
}

// Removal: the client takes part with probability g or not at all, the others number k. log E_Q R^j of the ratio R
// of the two Gaussians, with noise of variance k multiplier^2 either way: j(j-1)/(2 k multiplier^2).
template <Real M>
struct IdealNoise {
  M multiplier;
  M log_moment(const M& k, int j) const { return M(j) * (j - 1) / (2 * k * multiplier * multiplier); }
  // E_Q R^j - 1 for j = 2, 3, .. in turn: each power of e^{1/k multiplier^2} from the one before, minus one, nothing
  // cancels.
  auto excesses(const M& k) const {
    const M step = expm1(1 / (k * multiplier * multiplier));
    return [step, power = step, excess = M(0)](int) mutable {
      excess += power + excess * power;
      power += step + power * step;
      return excess;
    };
  }
};
// With the client's own noise added to its report in `dim` dimensions: variance (k+1) multiplier^2 if it takes part.
// Finite for j <= k. It falls in k: j log k - (j-1) log(k+1) - log(k+1-j) has slope j/k - (j-1)/(k+1) - 1/(k+1-j) <= 0,
// as 1/x is convex.
template <Real M>
struct ClientNoise {
  M multiplier, dim;
  M log_moment(const M& k, int j) const {
    const M left = k + 1 - j;
    const M width = j * log1p(-1 / (k + 1)) - log1p(M(-j) / (k + 1));
    return dim / 2 * width + M(j) * (j - 1) / (2 * multiplier * multiplier * left);
  }
  auto excesses(const M& k) const {
    return [this, k](int j) { return expm1(log_moment(k, j)); };
  }
};

// What the terms t_i = C(lambda,i) (1-g)^{lambda-i} g^i E_Q R^i after t_j add up to, at most. log E_Q R^i is convex in
// i, so from a to b it lies under its chord, of slope s, and t_{i+1} <= rho t_i with rho = (lambda-a)/(a+1) g/(1-g)
// e^s.
template <Real M, class Noise>
M removal_rest(const M& lambda, const M& odds, const M& k, const Noise& noise, int j, M term) {
  const int last = static_cast<int>(to_double(lambda));
  M rest(0);
  for (int a = j, b; a < last; a = b) {
    b = std::min(a + (a + 1) / 2, last);
    const M slope = (noise.log_moment(k, b) - noise.log_moment(k, a)) / (b - a);
    const M log_rho = log((lambda - a) / (a + 1) * odds) + slope, to_b = exp((b - a) * log_rho);
    rest += certainly(2 * exp(log_rho) < M(1)) ? M(2 * term * exp(log_rho)) : M((b - a) * term * max(M(1), to_b));
    term *= to_b;
  }
  return rest;
}

// sum_j C(lambda,j) (1-g)^{lambda-j} g^j (E_Q R^j - 1), for whole lambda.
template <Real M, class Noise>
M removal_moment(const M& lambda, const Chance<M>& g, const M& k, const Noise& noise) {
  if (!(to_double(lambda) < most_terms)) return unknown<M>();
  const int last = static_cast<int>(to_double(lambda));
  if (certainly(g.no <= M(0))) return expm1(noise.log_moment(k, last));
  const M odds = g.yes / g.no, small = ldexp(M(1), -carried_bits<M>());
  M weight = lambda * (lambda - 1) / 2 * exp((lambda - 2) * log_complement(g)) * g.yes * g.yes, sum(0);
  int next_look = 8;
  auto next_excess = noise.excesses(k);
  for (int j = 2; j <= last; ++j) {
    solvers::spend_on_term<M>();
    const M excess = next_excess(j);
    sum += weight * excess;
    if (j >= next_look && j < last && certainly(weight < sum)) {
      next_look = j + 8;
      const M term = weight * (1 + excess);
      if (certainly(term < sum * small)) {
        const M rest = removal_rest(lambda, odds, k, noise, j, term);
        if (!certainly(rest > sum * small)) {
          if constexpr (std::same_as<M, Ball>) return Ball::hull(sum, sum + rest);
          return sum;
        }
        next_look = 2 * j;  // it will take long
      }
    }
    weight = weight * (lambda - j) / (j + 1) * odds;
  }
  return sum;
}
// The other direction of client noise: w^{1-lambda} <= 1 + (1-lambda)(w-1) + C(lambda,2) (1-g)^{-1-lambda} (w-1)^2 for
// w = 1 - g + g R >= 1 - g.
template <Real M>
M removal_moment_reverse(const M& lambda, const Chance<M>& g, const M& k, const ClientNoise<M>& noise) {
  return lambda * (lambda - 1) / 2 * exp(-(lambda + 1) * log_complement(g)) * g.yes * g.yes *
         expm1(noise.log_moment(k, 2));
}

// The number of check-ins to allow for in equation (11). Any is valid, so the search needs no proof.
inline double best_cutoff(const DistributedMoment<Scaled>& base, double expected, double gamma) {
  const Scaled alone = base(1, gamma);
  const auto cost = [&](double t) {
    const Scaled few = shuffled::chernoff_below(Scaled(1 - t / expected), Scaled(expected));
    return to_double(log(few * alone + base(t + 1, gamma)));
  };
  const double found = minimise<double>(cost, 0.0, expected, 80).at.value;
  const double up = std::min(std::ceil(found), std::floor(expected)), down = std::floor(found);
  return cost(up) < cost(down) ? up : down;
}

}  // namespace epsilary::bounds::distributed
