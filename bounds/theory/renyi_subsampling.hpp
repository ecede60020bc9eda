// Subsampling without replacement under Renyi privacy: Wang, Balle and Kasiviswanathan 2019.
#pragma once

#include <concepts>
#include <optional>

#include "bounds/theory/renyi.hpp"

namespace epsilary::bounds {

// Of a sum over the order; nobody waits for more.
inline constexpr double most_terms = 1e9;

}  // namespace epsilary::bounds

namespace epsilary::bounds::renyi {

// The moment minus one of a mechanism run on a sample of rate g,
//   g^2 C(lambda,2) min{4 (e^{eps(2)} - 1), e^{eps(2)} min{2, (e^{eps(inf)} - 1)^2}}
//   + sum_{j>=3} g^j C(lambda,j) e^{(j-1) eps(j)} min{2, (e^{eps(inf)} - 1)^j},
// for a mechanism of eps(inf)-DP, eps(inf) infinite if it has none. rate(j) is g^j, moment(j) is e^{(j-1) eps(j)}
// and excess2 is e^{eps(2)} - 1. Where each g^j e^{(j-1) eps(j)} min{..} is at most `growth` times the one before, the
// sum ends once what is left of it is negligible.
template <Real M, class Rate, class Higher>
M subsampled_moment(const M& lambda, const M& excess2, const M& worst_excess, Rate rate, Higher moment,
                    std::optional<M> growth = {}) {
  if (!(to_double(lambda) < most_terms)) return unknown<M>();
  const auto worst = [&](int j) {
    return certainly(worst_excess > M(2)) ? M(2) : min(M(2), M(pow(worst_excess, M(j))));
  };
  M choose = lambda * (lambda - 1) / 2;
  M sum = rate(2) * choose * min(M(4 * excess2), M((1 + excess2) * worst(2)));
  for (int j = 3; possibly(M(j) <= lambda); ++j) {
    solvers::spend_on_term<M>();
    choose = choose * (lambda - (j - 1)) / j;
    const M term = rate(j) * choose * moment(j) * worst(j);
    sum += term;
    // The terms that follow shrink at least by halves, so they are together below this one.
    if (growth && certainly(2 * *growth * (lambda - j) < M(j) + 1) &&
        !certainly(term > sum * ldexp(M(1), -carried_bits<M>()))) {
      if constexpr (std::same_as<M, Ball>) return Ball::hull(sum, sum + term);
      return sum;
    }
  }
  return sum;
}

// The same for a Gaussian pair, eps(j) = j mu^2/2 and eps(inf) infinite. The powers come from one another:
// e^{j(j-1) mu^2/2} = B^{j(j-1)/2}, B = e^{mu^2}.
template <Real M, class Rate>
M subsampled_gaussian_moment(const M& lambda, const M& mu_squared, Rate rate) {
  const M B = exp(mu_squared);
  M moment = B, power = B;
  return subsampled_moment(lambda, M(expm1(mu_squared)), M(3), rate, [&](int) {
    power *= B;       // B^{j-1}
    moment *= power;  // B^{j(j-1)/2}
    return moment;
  });
}

// Powers of one rate, asked for in turn from the second on.
template <Real M>
auto powers_of(const M& g) {
  return [g, power = g](int) mutable { return power *= g; };
}

}  // namespace epsilary::bounds::renyi
