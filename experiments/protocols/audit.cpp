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
void see_losses(const Pair& pair, bool neighbour, std::uint64_t runs, const Repeating& how, std::vector<double>& into) {
  const auto losses = repeat<Losses>(0, runs, how, [&](std::uint64_t, Random& random, Losses& seen) {
                        seen.all.push_back(pair.run(neighbour, random));
                      }).all;
  into.insert(into.end(), losses.begin(), losses.end());
}

struct Count {
  std::uint64_t hits = 0;
  void add(const Count& more) { hits += more.hits; }
};
std::uint64_t count_hits(const Pair& pair, bool neighbour, const Event& event, std::uint64_t first, std::uint64_t runs,
                         const Repeating& how) {
  return repeat<Count>(first, runs, how,
                       [&](std::uint64_t, Random& random, Count& seen) {
                         seen.hits += event.contains(pair.run(neighbour, random));
                       })
      .hits;
}

// What an event of these probabilities would say after so many runs, nearly: normal ends are good enough to choose by.
double promise(double right, double wrong, double runs, double delta, double deviations) {
  const auto off = [&](double p) { return deviations * std::sqrt(std::max(0.0, p * (1 - p)) / runs); };
  const double most = right - off(right), least = wrong + off(std::min(wrong, 0.5)) + 3 / runs;
  return most > delta ? std::log((most - delta) / least) : 0;
}

struct Choice {
  Event event;
  double worth = 0;
};
// The threshold that promises most, among the losses seen on both data sets. Of all of them together, half of which are
// of either, a loss l is of the data set with probability 1/(1 + e^-l): so every run says something of both
// probabilities of an event, and a choice among many is not led astray by chance.
Choice best_event(std::vector<double> losses, double runs, double delta, double deviations) {
  Choice best;
  const double share = 2 / static_cast<double>(losses.size());
  for (const bool neighbour : {false, true}) {
    std::ranges::sort(losses, [=](double a, double b) { return neighbour ? a < b : a > b; });
    double right = 0, wrong = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const double l = neighbour ? -losses[i] : losses[i];
      right += share / (1 + std::exp(-l));
      wrong += share / (1 + std::exp(l));
      if (i + 1 < losses.size() && losses[i + 1] == losses[i]) continue;  // they are in the event or not together
      const double worth = promise(std::min(1.0, right), wrong, runs, delta, deviations);
      if (worth > best.worth) best = {{neighbour, losses[i]}, worth};
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
  out.chosen_on = runs_that_choose(runs);
  out.runs = runs - out.chosen_on;
  const double each = (1 - confidence) / 2;
  const double deviations = std::sqrt(2 * std::log(1 / (2 * each)));  // about the normal quantile, a little above
  double worth = -1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::vector<double> losses;
    for (const bool neighbour : {false, true})
      see_losses(pairs[i], neighbour, out.chosen_on, stream(how, i, neighbour), losses);
    const Choice best = best_event(std::move(losses), static_cast<double>(out.runs), delta, deviations);
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
