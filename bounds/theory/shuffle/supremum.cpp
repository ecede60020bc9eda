#include "bounds/theory/shuffle/supremum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bounds/theory/checkin/slots.hpp"
#include "solvers/sums/adaptive_strategy.hpp"

namespace epsilary::bounds::supremum {
namespace {

using solvers::AdaptiveLaws;

// What a slot adds: (1-w)(1-c) + w (r1 - c r0), c = e^eps, r1 and r0 the ratios of the two laws of the record to that
// of whoever else would be in the slot. All three are within e = e^{eps0} of each other, so (r1, r0) lies in a hexagon,
// and has the mean (1, 1). Four laws on its corners are extreme: three corners or two; the others are below one of them
// in convex order.
AdaptiveLaws slot_laws(const Ball& eps0, const Ball& w, const Ball& eps) {
  const Ball e = exp(eps0), c = exp(eps), one(1), low = exp(-eps0), none(0), rest = (1 - w) * -expm1(eps);
  const auto x = [&](const Ball& r1, const Ball& r0) { return rest + w * (r1 - c * r0); };
  const Ball t = 1 / (e + 2), s = 1 / (e + 1), u = 1 / (2 * e + 1);
  return {{x(e, one), x(one, e), x(low, low), x(low, one), x(one, low), x(e, e)},
          {{t, t, e * t, none, none, none},
           {s, none, none, e * s, none, none},
           {none, s, none, none, e * s, none},
           {none, none, none, e * u, e * u, u}},
          -expm1(eps)};
}

// Roughly, minus the logarithm of delta: by the normal law of the sum, which is below by `drift`. It chooses windows.
double likely(const AdaptiveLaws& laws, double terms, double drift) {
  double variance = 0;
  for (const auto& shares : laws.shares) {
    double m1 = 0, m2 = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double a = laws.atoms[k].midpoint(), p = shares[k].midpoint();
      m1 += p * a, m2 += p * a * a;
    }
    variance = std::max(variance, m2 - m1 * m1);
  }
  return std::min(700.0, drift * drift / (2 * terms * variance) + 3);
}
double likely(const AdaptiveLaws& laws, double terms) { return likely(laws, terms, terms * laws.mean.midpoint()); }

}  // namespace

double checkin_delta(const Ball& eps0, std::int64_t m, const Ball& w, const Ball& eps, const AdaptiveEffort& effort) {
  const AdaptiveLaws laws = slot_laws(eps0, w, eps);
  return adaptive_sum(laws, {m}, likely(laws, static_cast<double>(m)), effort).front();
}

double checkin_delta_attained(const Ball& eps0, std::int64_t m, const Ball& w, const Ball& eps,
                              const AdaptiveEffort& effort) {
  const AdaptiveLaws laws = slot_laws(eps0, w, eps);
  return adaptive_sum_attained(laws, m, likely(laws, static_cast<double>(m)), effort);
}

double shuffle_delta(const Ball& eps0, std::int64_t n, const Ball& eps, const AdaptiveEffort& effort) {
  const Ball alone = exp(eps) * expm1(eps0 - eps) / (1 + exp(eps0));  // one report: randomised response
  if (n == 1) return alone.upper();
  const AdaptiveLaws laws = slot_laws(eps0, Ball(1), eps);
  const double e = std::exp(eps0.midpoint()), guess = likely(laws, static_cast<double>(n));
  // Groups of the number told: of as many as are told at the beginning of the group or more, fewer slots are left than
  // at its end. More slots leak less, so those at the end bound the group.
  const auto last =
      static_cast<std::int64_t>(std::min(static_cast<double>(n - 1), std::ceil((guess + 14) * std::max(1.0, e))));
  std::vector<std::int64_t> edges{0};
  for (double width = std::max(1.0, std::floor(e / 6)); edges.back() < last;) {
    edges.push_back(std::min(last, edges.back() + static_cast<std::int64_t>(width)));
    if (static_cast<double>(edges.back()) > 4 * e) width *= 1.2;
  }
  std::vector<std::int64_t> slots;
  for (std::size_t g = 1; g < edges.size(); ++g) slots.push_back(n - edges[g]);
  const std::vector<double> deltas = adaptive_sum(laws, slots, guess, effort);
  // P(at least j are told) = (1 - e^{-eps0})^j.
  const auto at_least = [&](std::int64_t j) { return j == 0 ? Ball(1) : exp(Ball(j) * log(-expm1(-eps0))); };
  Ball sum = at_least(last) * alone;
  for (std::size_t g = 1; g < edges.size(); ++g)
    sum += (at_least(edges[g - 1]) - at_least(edges[g])) * Ball(std::min(deltas[g - 1], alone.upper()));
  return sum.upper();
}

double sampled_delta(const Ball& eps0, const Ball& population, const std::vector<Reporting>& numbers, const Ball& eps,
                     const AdaptiveEffort& effort) {
  const AdaptiveLaws laws = slot_laws(eps0, Ball(1), eps);
  std::vector<solvers::AdaptiveStart> from;
  for (const Reporting& r : numbers) from.push_back({r.reports, (population - r.reports) * laws.mean});
  const double guess = likely(laws, static_cast<double>(numbers.front().reports), (population * laws.mean).midpoint());
  const std::vector<double> found = adaptive_sum_from(laws, from, guess, effort);
  Ball sum(0);
  for (std::size_t i = 0; i < found.size(); ++i) sum += Ball(numbers[i].weight) * Ball(found[i]);
  return (sum / population).upper();
}

Numbers chernoff_numbers(const Ball& slots, const Ball& mean, double depth) {
  constexpr double bins = 48;
  const double most = slots.midpoint();
  // P(at least k), at most.
  const auto tail = [&](double k) {
    if (k > most) return 0.0;
    return k <= mean.upper() ? 1.0 : std::min(1.0, exp(-checkin::chernoff_exponent(slots, mean, k)).upper());
  };
  const double first = std::min(most, std::max(1.0, std::floor(mean.midpoint())));
  const double last = std::min(
      most, std::ceil(mean.midpoint() + std::sqrt(2 * depth * mean.midpoint()) + depth));  // far enough, or all slots
  double end = first;
  for (double low = first, high = last; high - low >= 0;) {  // the least k that is exceeded with e^-depth at most
    const double middle = std::floor((low + high) / 2);
    if (tail(middle + 1) <= std::exp(-depth)) {
      end = middle, high = middle - 1;
    } else {
      end = std::max(end, std::min(last, middle + 1)), low = middle + 1;
    }
  }
  const double width = std::max(1.0, std::ceil((end - first) / bins));
  Numbers out{{}, tail(end + 1)};
  // Those of a bin as many as the most in it.
  double above = out.lost;
  for (double k = end; k >= first; k -= width) {
    const double from = k - width < first ? 1.0 : tail(k - width + 1);
    out.most_first.push_back({std::llround(k), std::max(0.0, from - above) * (1 + 1e-12) + 1e-16});
    above = std::max(above, from);
  }
  return out;
}

}  // namespace epsilary::bounds::supremum
