// What hidden pairs leak: the largest delta at an eps, the largest eps at a delta, of one round and of several.
#include <algorithm>
#include <cmath>
#include <functional>

#include "bounds/theory/larger.hpp"
#include "bounds/theory/shuffle/chords.hpp"
#include "bounds/theory/shuffle/own_randomizer.hpp"
#include "solvers/losses/compose.hpp"
#include "solvers/losses/discrete_side.hpp"
#include "solvers/search/bracket.hpp"
#include "solvers/sums/excess.hpp"

namespace epsilary::bounds::own {
namespace {

// What a slot adds, (1-w)(1-c) + w (r1 - c r0), c = e^eps; outcomes that show nothing have r1 = r0 = 0. A client that
// does not check in adds 1 - c.
FiniteLaw slot_law(const Hidden& pair, const Slots& s, const Ball& eps) {
  const Ball c = exp(eps), rest = (1 - s.w) * -expm1(eps);
  FiniteLaw law;
  Ball shown(0);
  for (const Outcome& o : pair.seen) {
    law.value.push_back(rest + s.w * (o.first - c * o.second));
    law.mass.push_back(s.rate * o.mass);
    shown += o.mass;
  }
  if (!pair.whole) {
    law.value.push_back(rest);
    law.mass.push_back(s.rate * max(Ball(0), 1 - shown));
  }
  if (!s.absent.is_zero()) {
    law.value.push_back(-expm1(eps));
    law.mass.push_back(s.absent);
  }
  return law;
}

// The probability that the record is used at all.
Ball used(const Slots& s) { return s.w * s.rate; }

Ball seen_alone(const Hidden& pair, const Slots& s, const Ball& eps) {
  const Ball c = exp(eps);
  Ball sum(0);
  for (const Alone& a : pair.alone) sum += max(Ball(0), a.first - c * a.second);
  return used(s) * sum;
}

// Where delta is zero but for what is seen alone.
bool is_beyond(const Hidden& pair, const Ball& eps) { return certainly(eps >= Ball(pair.most)); }

Ball delta_of(const Hidden& pair, const Slots& s, const Ball& eps, double width, double work) {
  const Ball alone = seen_alone(pair, s, eps);
  if (is_beyond(pair, eps)) return alone;
  return alone + mean_excess(slot_law(pair, s, eps), s.slots, width, work);
}
Ball delta_at_most(const Hidden& pair, const Slots& s, const Ball& eps) {
  const Ball alone = seen_alone(pair, s, eps);
  if (is_beyond(pair, eps)) return alone;
  return alone + chernoff_excess(slot_law(pair, s, eps), s.slots);
}

// The square of how far apart the two laws are under the third: who leaks most, roughly, comes first.
double rough_leak(const Hidden& pair) {
  double sum = 0;
  for (const Alone& a : pair.alone) sum += 1e9 * std::abs(a.first.midpoint() - a.second.midpoint());
  for (const Outcome& o : pair.seen) {
    const double gap = o.first.midpoint() - o.second.midpoint();
    sum += o.mass.midpoint() * gap * gap;
  }
  return sum;
}
std::vector<const Hidden*> most_leaking_first(const std::vector<Hidden>& pairs) {
  std::vector<const Hidden*> out;
  for (const Hidden& p : pairs) out.push_back(&p);
  std::ranges::stable_sort(out, std::greater<>{}, [](const Hidden* p) { return rough_leak(*p); });
  return out;
}

// Where delta_of comes down to delta: sqrt(-2 log delta) is nearly linear in eps.
struct Crossing {
  double eps, slope;  // of -log delta there
};
Crossing rough_crossing(const Hidden& pair, const Slots& s, const Ball& delta, double work) {
  const double wanted = std::sqrt(-2 * log(delta).midpoint());
  const auto depth = [&](double eps) {
    const Ball d = delta_of(pair, s, Ball(eps), 0.02, work);
    const Ball most = d.finite() ? d.upper_end() : Ball(1);
    if (!certainly(most > 0)) return HUGE_VAL;  // nothing is lost there
    return std::sqrt(std::max(0.0, -2 * log(most).midpoint()));
  };
  double low = 0, high = pair.most, at_low = depth(0), at_high = HUGE_VAL;
  if (at_low >= wanted) return {0, 1};
  // From the left by secants, which a concave depth does not overshoot far; halving where they fail.
  double eps = std::min(high / 2, std::max(1e-12, high * 1e-3)), before = low, at_before = at_low;
  for (int i = 0; i < 60 && high - low > 1e-7 * high; ++i) {
    const double at = depth(eps);
    (at < wanted ? low : high) = eps;
    (at < wanted ? at_low : at_high) = at;
    if (std::abs(at - wanted) < 1e-6 * wanted) break;
    double next = std::isfinite(at) && at != at_before ? eps + (wanted - at) * (eps - before) / (at - at_before) : -1;
    before = eps, at_before = at;
    if (!(next > low && next < high)) next = (low + high) / 2;
    eps = next;
  }
  const double right = eps * (1 + 1e-4), rise = depth(right) - depth(eps);
  return {eps, wanted * std::max(rise / (right - eps), 1e-3 * wanted / std::max(eps, 1e-300))};
}

// Both ends proved: delta is above the one asked at the lower, and not above it at the upper.
Ball epsilon_of(const Hidden& pair, const Slots& s, const Ball& delta, const Request& request) {
  const Crossing c = rough_crossing(pair, s, delta, request.work / 16);
  const double width = std::clamp(c.slope * c.eps * request.width / 4, 1e-5, 0.1);
  const auto at = [&](double eps) { return delta_of(pair, s, Ball(eps), width, request.work); };
  double high = c.eps;
  if (high > 0 || !certainly(at(0) <= delta)) {
    double step = request.width / 4;
    for (high = c.eps * (1 + step); high < pair.most && !certainly(at(high) <= delta); step *= 2)
      high = std::min(pair.most, c.eps * (1 + step) + step * 1e-12);
    if (high >= pair.most) high = pair.most;
  }
  double low = high;
  for (double step = request.width / 4; low > 0; step *= 2) {
    low = c.eps * (1 - step);
    if (step >= 1) low = 0;
    if (low <= 0 || certainly(at(low) > delta)) break;
  }
  return Ball::hull(Ball(low), Ball(high));
}

// What one outcome gives away whatever eps is.
Ball never_hidden(const Hidden& pair, const Slots& s) {
  Ball sum(0);
  for (const Alone& a : pair.alone)
    if (a.second.is_zero()) sum += a.first;
  return used(s) * sum;
}

}  // namespace

bool gives_away(const std::vector<Hidden>& pairs, const Slots& s, const Ball& delta) {
  return std::ranges::any_of(pairs, [&](const Hidden& p) { return !certainly(never_hidden(p, s) <= delta); });
}

Ball largest_delta(const std::vector<Hidden>& pairs, const Slots& s, const Ball& eps, const Request& request) {
  Ball low(0), high(0);
  for (const Hidden* pair : most_leaking_first(pairs)) {
    if (certainly(delta_at_most(*pair, s, eps) <= low)) continue;
    const Ball found = delta_of(*pair, s, eps, request.width, request.work);
    low = max(low, found.lower_end()), high = max(high, found.upper_end());
  }
  return Ball::hull(low, high);
}

Ball largest_epsilon(const std::vector<Hidden>& pairs, const Slots& s, const Ball& delta, const Request& request) {
  if (gives_away(pairs, s, delta)) return Ball::indeterminate();
  double low = 0, high = 0;
  bool first = true;
  for (const Hidden* pair : most_leaking_first(pairs)) {
    if (!first && (certainly(delta_at_most(*pair, s, Ball(low)) <= delta) ||
                   certainly(delta_of(*pair, s, Ball(low), 0.05, request.work) <= delta)))
      continue;
    first = false;
    const Ball found = epsilon_of(*pair, s, delta, request);
    low = std::max(low, found.lower()), high = std::max(high, found.upper());
  }
  return Ball::hull(Ball(low), Ball(high));
}

namespace {

// What a point of a profile may cost: the same whatever is asked for, so that the pair composed is one and the same.
constexpr double work_of_point = 2e7;

// Where delta is about what T rounds may neglect, as e^eps - 1.
double farthest_ratio(const std::vector<const Hidden*>& pairs, const Slots& s, const Ball& neglected) {
  Ball last(0);
  for (const Hidden* pair : pairs) {
    const Crossing end = rough_crossing(*pair, s, neglected + never_hidden(*pair, s), work_of_point);
    last = max(last, Ball(end.eps));
  }
  return expm1(last).midpoint();
}

std::vector<double> even_places(double farthest, int points) {
  std::vector<double> z;
  for (int i = 0; i <= points; ++i) z.push_back(farthest * i / points);
  return z;
}

Hidden exchanged(Hidden pair) {
  double most = 0;
  const auto note = [&](const Ball& a, const Ball& b) {
    if (certainly(a > 0) && certainly(b > 0)) most = std::max(most, log(a / b).upper());
  };
  for (Outcome& o : pair.seen) {
    std::swap(o.first, o.second);
    note(o.first, o.second);
  }
  for (Alone& a : pair.alone) {
    std::swap(a.first, a.second);
    note(a.first, a.second);
  }
  pair.most = most;
  return pair;
}

// Exchanged it has the same outcomes, to the last bit.
bool is_symmetric(const Hidden& pair) {
  if (!pair.alone.empty()) return false;
  const auto same = [](const Ball& a, const Ball& b) { return a.contains(b) && b.contains(a); };
  return std::ranges::all_of(pair.seen, [&](const Outcome& o) {
    return std::ranges::any_of(pair.seen, [&](const Outcome& p) {
      return same(o.first, p.second) && same(o.second, p.first) && same(o.mass, p.mass);
    });
  });
}

// Masses of both sides, as a pair would have them, at most one.
void keep_within_one(DiscreteSide& right, DiscreteSide& left) {
  double heavy[2] = {0, 0}, light[2] = {0, 0};
  int at = 0;
  for (const DiscreteSide* side : {&right, &left}) {
    for (std::size_t i = 0; i < side->lighter_mass.size(); ++i) {
      light[at] += side->lighter_mass[i];
      heavy[at] += side->lighter_mass[i] * (1 + side->ratio_minus_one[i]);
    }
    ++at;
  }
  const double most = std::max(heavy[0] + light[1], heavy[1] + light[0]) * (1 + 1e-9);
  if (most <= 1) return;
  for (DiscreteSide* side : {&right, &left})
    for (double& m : side->lighter_mass) m /= most;
}

}  // namespace

Ball largest_epsilon_of_rounds(const std::vector<Hidden>& pairs, const Slots& s, double rounds, const Ball& delta,
                               const Request& request) {
  constexpr int points = 160;
  const Ball::Precision bits(128);
  if (gives_away(pairs, s, delta / Ball(rounds))) return Ball::indeterminate();
  // Beyond the last point all is lost, which costs at most so much over the rounds.
  const Ball neglected = delta * Ball(1e-6) / Ball(rounds);
  const std::vector<double> z = even_places(farthest_ratio(most_leaking_first(pairs), s, neglected), points);
  std::vector<double> high;
  for (const double at : z)
    high.push_back(largest_delta(pairs, s, log1p(Ball(at)), {.width = 1e-3, .work = work_of_point}).upper());
  const LossLaw law = symmetric_law(joined_by_chords(z, high));
  return compose({.law = law}, rounds, {.delta = delta}, request);
}

Ball least_epsilon_of_rounds(const std::vector<Hidden>& attained, const Slots& s, double rounds, const Ball& delta,
                             const Request& request) {
  constexpr int points = 120;
  constexpr std::size_t most_tried = 2;
  const Ball::Precision bits(128);
  std::vector<const Hidden*> candidates = most_leaking_first(attained);
  candidates.resize(std::min(most_tried, candidates.size()));
  Ball best(0);
  for (const Hidden* pair : candidates) {
    if (pair != candidates.front() && rough_leak(*pair) < 0.98 * rough_leak(*candidates.front())) break;
    const Hidden other = exchanged(*pair);
    const auto side = [&](const Hidden& one) {
      const std::vector<double> z = even_places(farthest_ratio({&one}, s, delta / Ball(100) / Ball(rounds)), points);
      std::vector<double> low, high;
      for (const double at : z) {
        const Ball found = delta_of(one, s, log1p(Ball(at)), 5e-4, work_of_point);
        low.push_back(std::max(0.0, found.lower()));
        high.push_back(found.upper());
      }
      return below_chords(z, low, high);
    };
    const bool symmetric = is_symmetric(*pair);
    DiscreteSide right = side(*pair), left = symmetric ? right : side(other);
    keep_within_one(right, left);
    const auto composed = [&](const LossLaw& law, const Request& wanted) {
      return compose({.law = law}, rounds, {.delta = delta}, wanted);
    };
    const Ball found = symmetric
                           ? composed(symmetric_law(right), request)
                           : larger(
                                 request, [&](const Request& r) { return composed(dominated_law(right, left), r); },
                                 [&](const Request& r) { return composed(dominated_law(left, right), r); });
    if (!found.finite()) return found;  // with more work it may be the largest
    best = max(best, found);
  }
  return best;
}

}  // namespace epsilary::bounds::own
