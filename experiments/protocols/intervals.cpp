#include "experiments/protocols/intervals.hpp"

#include <cmath>

#include "solvers/numbers/ball.hpp"
#include "solvers/numbers/functions.hpp"

namespace epsilary::experiments {
namespace {

using solvers::Ball, solvers::Real, solvers::certainly;

// At least P(Bin(n, p) >= k), for p < k/n: the terms fall, so what is left after one of them is below a geometric
// series.
template <Real R>
R upper_tail(double n, double k, const R& p) {
  const R odds = p / (1 - p), trials(n), successes(k);
  R sum(1), term(1);
  for (double i = k; i < n; ++i) {
    const double left = n - i, next = i + 1;  // exact
    const R ratio = R(left) / R(next) * odds;
    term = term * ratio;
    sum = sum + term;
    if (certainly(ratio < R(1)) && certainly(term * ratio < (1 - ratio) * sum * R(0x1p-50))) {
      sum = sum + term * ratio / (1 - ratio);
      break;
    }
  }
  return sum * exp(solvers::log_binomial(trials, successes) + successes * log(p) + (trials - successes) * log1p(-p));
}

}  // namespace

double probability_at_least(std::uint64_t k, std::uint64_t n, double error) {
  if (k == 0) return 0;
  const auto trials = static_cast<double>(n), successes = static_cast<double>(k);
  // Sought in double, proved once.
  double low = 0, high = successes / trials;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (middle > 0 && upper_tail(trials, successes, middle) <= error ? low : high) = middle;
  }
  const Ball::Precision bits(128);
  while (low > 0 && !certainly(upper_tail(trials, successes, Ball(low)) <= Ball(error))) low *= 1 - 1e-9;
  return low;
}

double probability_at_most(std::uint64_t k, std::uint64_t n, double error) {
  return std::min(1.0, std::nextafter(1 - probability_at_least(n - k, n, error), 2.0));
}

Interval probability_between(std::uint64_t k, std::uint64_t n, double confidence) {
  const double each = (1 - confidence) / 2;
  return {probability_at_least(k, n, each), probability_at_most(k, n, each)};
}

Interval mean_between(const Tally& seen, double low, double high, double confidence) {
  if (seen.count < 2) return {low, high};
  const auto n = static_cast<double>(seen.count);
  const double range = high - low, doubt = 1 - confidence;
  // Each of the two holds with half of the doubt, each of its sides with a quarter, so the narrower may be taken.
  const double bernstein = std::log(8 / doubt), hoeffding = std::log(4 / doubt);
  const double off = std::min(std::sqrt(2 * seen.variance() * bernstein / n) + 7 * range * bernstein / (3 * (n - 1)),
                              range * std::sqrt(hoeffding / (2 * n)));
  return {std::max(low, seen.mean - off), std::min(high, seen.mean + off)};
}

}  // namespace epsilary::experiments
