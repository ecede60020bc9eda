// n users choose one of m bins each: how large the Euclidean norm of the loads gets, beside Lemma A.6 of Balle et al.
// 2020.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bounds/theory/composition.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds::loads {

// The least v with P(|L|^2 > v) <= delta, by counting: what m bins can hold, weighted by 1/prod L_i!.
std::int64_t exact_square(std::int64_t n, std::int64_t m, const Rational& delta);

// P(|L|^2 >= t) <= m P(L_1 > B) + 2 e^{-r t} (E e^{r min(Y, B)^2})^m with Y ~ Poisson(n/m): the truncated sum does not
// fall when users are added, and a Poisson number of them is at least n with probability 1/2. Any B and rate r hold.
struct Choice {
  double most, rate;
};
template <Real R>
R log_bin_excess(const R& mean, const R& b) {  // of P(L_1 >= b), Chernoff
  return b - mean - b * log(b / mean);
}
// log E e^{rate (min(Y, most)^2 - mean^2)}: what lies far below the mean is moved up, what lies above `most` is
// geometric.
template <Real R>
R log_square_moment(const R& mean, const Choice& by) {
  const double mu = to_double(mean), first = std::max(0.0, std::floor(mu - 25 * std::sqrt(mu) - 25));
  const R rate(by.rate);
  const auto weight = [&](double l) { return exp(rate * (R(l) * R(l) - mean * mean)); };
  R mass = exp(R(first) * log(mean) - mean - lgamma(R(first) + 1));
  R sum = first > 0 ? R(exp(log_bin_excess(mean, R(first))) * weight(first)) : R(0);
  for (double l = first; l <= by.most; ++l) {
    sum += mass * weight(l);
    mass = mass * mean / (R(l) + 1);
  }
  sum += mass / (1 - mean / (R(by.most) + 2)) * weight(by.most);
  return log(sum);
}
template <Real R>
R square(const R& n, const R& m, const R& delta, const Choice& by) {
  const R mean = n / m, left = delta - m * exp(log_bin_excess(mean, R(R(by.most) + 1)));
  return (m * log_square_moment(mean, by) + log(2 / left)) / R(by.rate) + m * mean * mean;
}

// The search needs no proof. A tenth of delta goes to the largest bin.
inline Choice best_choice(double n, double m, double delta) {
  const double mean = n / m, wanted = std::log(delta / 10 / m);
  double low = std::floor(mean), high = low + 1;
  while (log_bin_excess(mean, high + 1) > wanted) low = high, high = std::ceil(mean + 2 * (high - mean) + 1);
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (log_bin_excess(mean, middle + 1) > wanted ? low : high) = middle;
  }
  const double spread = std::sqrt(m * (4 * mean * mean * mean + 6 * mean * mean + mean));
  const double typical = std::sqrt(2 * std::log(2 / delta)) / spread;
  const auto at = [&](double u) { return square(n, m, delta, {high, typical * std::exp(u)}); };
  const double u = minimise<double>(at, std::log(0.1), std::log(4.0), 40).at.value;
  return {high, typical * std::exp(u)};
}
template <Real R>
R chernoff_norm(const R& n, const R& m, const R& delta) {
  return sqrt(square(n, m, delta, best_choice(to_double(n), to_double(m), to_double(delta))));
}

}  // namespace epsilary::bounds::loads
