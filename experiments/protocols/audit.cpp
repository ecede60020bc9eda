#include "experiments/protocols/audit.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/protocols/intervals.hpp"
#include "solvers/numbers/ball.hpp"

namespace epsilary::experiments {
namespace {

// Streams: every pair has two of its own, one for each data set.
Repeating stream(const Repeating& how, std::size_t pair, bool neighbour) {
  Repeating own = how;
  own.seed = Random(how.seed, 2 * pair + neighbour)();
  return own;
}

struct Losses {
  std::vector<double> all;
  void add(const Losses& more) { all.insert(all.end(), more.all.begin(), more.all.end()); }
};
std::vector<double> sorted_losses(const Pair& pair, bool neighbour, std::uint64_t runs, const Repeating& how) {
  auto losses = repeat<Losses>(0, runs, how, [&](std::uint64_t, Random& random, Losses& seen) {
                  seen.all.push_back(pair.run(neighbour, random));
                }).all;
  std::ranges::sort(losses);
  return losses;
}

struct Count {
  std::uint64_t hits = 0;
  void add(const Count& more) { hits += more.hits; }
};
std::uint64_t count_hits(const Pair& pair, bool neighbour, const Event& event, std::uint64_t first, std::uint64_t runs,
                         const Repeating& how) {
  return repeat<Count>(first, runs, how, [&](std::uint64_t, Random& random, Count& seen) {
           seen.hits += event.contains(pair.run(neighbour, random));
         }).hits;
}

// What so many hits and misses would say, nearly: normal ends are good enough to choose by.
double promise(double hits, double misses, double runs, double scale, double delta, double deviations) {
  const auto off = [&](double share) { return deviations * std::sqrt(share * (1 - share) / (runs * scale)); };
  const double p = hits / runs, q = (misses + 3 / scale) / runs;
  const double most = p - off(p), least = q + off(std::min(q, 0.5));
  return most > delta ? std::log((most - delta) / least) : 0;
}

// The threshold among all losses seen that promises most.
struct Choice {
  Event event;
  double worth = 0;
};
Choice best_event(const std::vector<double>& on_data, const std::vector<double>& on_neighbour, double scale,
                  double delta, double deviations) {
  Choice best;
  const auto runs = static_cast<double>(on_data.size());
  const auto above = [](const std::vector<double>& losses, double t) {
    return static_cast<double>(losses.end() - std::ranges::lower_bound(losses, t));
  };
  const auto below = [](const std::vector<double>& losses, double t) {
    return static_cast<double>(std::ranges::upper_bound(losses, t) - losses.begin());
  };
  for (const bool neighbour : {false, true}) {
    const std::vector<double>& right = neighbour ? on_neighbour : on_data;
    const std::vector<double>& wrong = neighbour ? on_data : on_neighbour;
    // A few thousand thresholds are enough.
    const std::size_t step = std::max<std::size_t>(1, right.size() / 5000);
    for (std::size_t i = 0; i < right.size(); i += step) {
      const double t = right[i];
      const double hits = neighbour ? below(right, t) : above(right, t);
      const double misses = neighbour ? below(wrong, t) : above(wrong, t);
      const double worth = promise(hits, misses, runs, scale, delta, deviations);
      if (worth > best.worth) best = {{neighbour, t}, worth};
    }
  }
  return best;
}

double epsilon_of(double most, double least, double delta) {
  using solvers::Ball;
  const Ball::Precision bits(128);
  if (!(most > delta)) return 0;
  return std::max(0.0, log((Ball(most) - Ball(delta)) / Ball(least)).lower());
}

}  // namespace

Measured measure(const std::vector<Pair>& pairs, std::uint64_t runs, double delta, double confidence,
                 const Repeating& how) {
  Measured out;
  out.chosen_on = runs / 10;
  out.runs = runs - out.chosen_on;
  const double scale = static_cast<double>(out.runs) / static_cast<double>(out.chosen_on), each = (1 - confidence) / 2;
  const double deviations = std::sqrt(2 * std::log(1 / (2 * each)));  // about the normal quantile, a little above
  double worth = -1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto on_data = sorted_losses(pairs[i], false, out.chosen_on, stream(how, i, false));
    const auto on_neighbour = sorted_losses(pairs[i], true, out.chosen_on, stream(how, i, true));
    const Choice best = best_event(on_data, on_neighbour, scale, delta, deviations);
    if (best.worth > worth) {
      worth = best.worth;
      out.pair = i;
      out.event = best.event;
    }
  }
  const auto count = [&](bool neighbour) {
    return count_hits(pairs[out.pair], neighbour, out.event, out.chosen_on, out.runs, stream(how, out.pair, neighbour));
  };
  out.hits = count(out.event.neighbour);
  out.misses = count(!out.event.neighbour);
  out.most = probability_at_least(out.hits, out.runs, each);
  out.least = probability_at_most(out.misses, out.runs, each);
  out.epsilon = epsilon_of(out.most, out.least, delta);
  return out;
}

}  // namespace epsilary::experiments
