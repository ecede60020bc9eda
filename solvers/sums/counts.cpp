#include "solvers/sums/counts.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solvers/numbers/functions.hpp"
#include "solvers/search/enclose.hpp"

namespace epsilary::solvers {

namespace {

// What taking the middle of a ball for any point of it costs, relative to the middle.
double relative_radius(const Ball& x) { return ((x.upper_end() - x.lower_end()) / abs(centre(x))).upper(); }

}  // namespace

Counts::Counts(double n, const Ball& p, const Ball& q, double depth) : n_(n), p_(p), q_(q) {
  if (!(n < 0x1p53)) throw std::domain_error("a binomial number beyond 2^53");
  const double share = p.midpoint();
  mode_ = low_ = high_ = q.is_zero() ? n : p.is_zero() ? 0 : std::clamp(std::floor((n + 1) * share), 0.0, n);
  if (p.is_zero() || q.is_zero()) return;
  if (!certainly(p > 0 && q > 0)) throw std::domain_error("a binomial number of a rate that may be 0 or 1");
  const Ball::Precision bits(128);
  const Ball odds = p / q, top = exp(log_binomial_weight(Ball(n), Ball(mode_), p, q));
  odds_ = odds.midpoint();
  odds_error_ = relative_radius(odds);
  top_ = top.midpoint();
  top_error_ = relative_radius(top);
  // How far the window goes needs no proof: what is beyond it is bounded, wherever it begins.
  const auto negligible = [&](double k) { return log_binomial_weight(n, k, share, q.midpoint()) < -depth; };
  for (double step = std::ceil(std::sqrt(n * share + 1)); step >= 1; step = std::floor(step / 2)) {
    while (high_ + step <= n && !negligible(high_ + step)) high_ += step;
    while (low_ - step >= 0 && !negligible(low_ - step)) low_ -= step;
  }
}

double Counts::log_tail(double k) const {
  if (p_.is_zero() || q_.is_zero()) return -HUGE_VAL;  // the number is known
  const Ball::Precision bits(128);
  const Ball n(n_), x(k);
  Ball cost;
  if (k > 0) cost += x * log(x / (n * p_));
  if (k < n_) cost += (n - x) * log((n - x) / (n * q_));
  return std::min(0.0, (-cost).upper());
}
double Counts::tail(double k) const {
  const double log_bound = log_tail(k);
  return std::isinf(log_bound) ? 0 : exp(Ball(log_bound)).upper();
}

BinnedCounts bin_counts(const Counts& counts, double n, double least, double width) {
  BinnedCounts out{.slack = counts.slack()};
  const double first = std::max(least, counts.low());
  for (double low = first; low <= counts.high();) {
    const double high = std::min(counts.high(), std::max(low, std::floor(low * (1 + width))));
    out.inside.push_back({low, high});
    low = high + 1;
  }
  std::size_t at = 0;
  counts.walk([&](double k, double weight) {
    if (k < first) return;
    while (k < out.inside[at].low) --at;
    while (k > out.inside[at].high) ++at;
    out.inside[at].weight += weight;
    out.inside[at].mean += weight * (k - out.inside[at].low);
  });
  for (CountBin& b : out.inside) b.mean = b.low + (b.weight > 0 ? b.mean / b.weight : 0);
  const auto beyond = [&](double low, double high, double nearest) {
    return CountBin{low, high, counts.tail(nearest), 0, counts.log_tail(nearest)};
  };
  // Each reaches twice as far from the mode.
  for (double low = std::max(counts.high() + 1, least); low <= n;) {
    const double high = std::min(n, 2 * low - counts.mode());
    out.outside.push_back(beyond(low, high, low));
    low = high + 1;
  }
  for (double high = counts.low() - 1; high >= least;) {
    const double low = std::max(least, 2 * high - counts.mode());
    out.outside.push_back(beyond(low, high, high));
    high = low - 1;
  }
  return out;
}

}  // namespace epsilary::solvers
