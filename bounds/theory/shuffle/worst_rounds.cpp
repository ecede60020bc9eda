#include "bounds/theory/shuffle/worst_rounds.hpp"

#include <cmath>
#include <cstdint>

#include "bounds/theory/shuffle/chords.hpp"
#include "bounds/theory/shuffle/supremum.hpp"
#include "bounds/theory/subsampling.hpp"
#include "solvers/losses/compose.hpp"
#include "solvers/sums/counts.hpp"

namespace epsilary::bounds::supremum {

using namespace solvers;

namespace {

std::int64_t whole(double x) { return std::llround(x); }

// Numbers of check-ins below the population, the most first, and what is charged in full.
struct Checkins {
  std::vector<Reporting> below;
  double all = 0, lost = 0;  // weights of everybody checking in, and of numbers beyond the window
};
Checkins checkins_of(double n, const Ball& rate, const Ball& absent, double depth) {
  constexpr double one_by_one = 1000, bins = 24;  // so many steps of the recursion give every number on the way
  const Counts counts(n, rate, absent, depth);
  const double width = counts.high() <= one_by_one ? 0 : (counts.high() / std::max(1.0, counts.low()) - 1) / bins;
  const BinnedCounts binned = bin_counts(counts, n, 1, width);
  Checkins out;
  // A bin is bounded by the most check-ins in it: the worst case rises in their number.
  for (auto bin = binned.inside.rbegin(); bin != binned.inside.rend(); ++bin) {
    const double weight = bin->weight * (1 + 8 * binned.slack);
    if (bin->high < n)
      out.below.push_back({whole(bin->high), weight});
    else
      out.all += weight;
  }
  for (const CountBin& block : binned.outside) {
    const bool fewer = block.high < counts.mode();
    (fewer && !out.below.empty() ? out.below.back().weight : out.lost) += block.weight;
  }
  return out;
}

}  // namespace

WorstRound shuffled_by_all(const Ball& eps0, double n) {
  return {eps0,
          [=](const Ball& eps, double cell) { return shuffle_delta(eps0, whole(n), eps, {.cell = cell}); },
          {n, Ball(1)}};
}

WorstRound shuffled_sample(const Ball& eps0, double reports, double population, double records) {
  if (records > 1 || !(reports < population)) {
    WorstRound all = shuffled_by_all(eps0, reports);
    all.thinned = (Ball(reports) / (Ball(population) * Ball(records))).upper();
    return all;
  }
  return {eps0,
          [=](const Ball& eps, double cell) {
            return sampled_delta(eps0, Ball(population), {{whole(reports), 1.0}}, eps, {.cell = cell});
          },
          {reports, Ball(reports) / Ball(population)}};
}

WorstRound shuffled_checkins(const Ball& eps0, double n, const Ball& rate, const Ball& absent, double depth) {
  if (absent.is_zero()) return shuffled_by_all(eps0, n);
  const Checkins numbers = checkins_of(n, rate, absent, depth);
  return {eps0,
          [=](const Ball& eps, double cell) {
            double sum = numbers.lost;
            if (!numbers.below.empty()) sum += sampled_delta(eps0, Ball(n), numbers.below, eps, {.cell = cell});
            if (numbers.all > 0) sum += numbers.all * shuffle_delta(eps0, whole(n), eps, {.cell = cell});
            return sum * (1 + 1e-12);
          },
          {n, Ball(1), rate, absent}};
}

WorstRound window_of(const Ball& eps0, double slots, const Ball& w) {
  return {eps0,
          [=](const Ball& eps, double cell) { return checkin_delta(eps0, whole(slots), w, eps, {.cell = cell}); },
          {slots, w}};
}

WorstRound window_of_all(const Ball& eps0, double slots, const Ball& w, const Ball& population, const Ball& mean,
                         double depth) {
  const Numbers numbers = chernoff_numbers(Ball(slots), mean, depth);
  return {eps0,
          [=](const Ball& eps, double cell) {
            return (numbers.lost + sampled_delta(eps0, population, numbers.most_first, eps, {.cell = cell})) *
                   (1 + 1e-12);
          },
          {slots, w}};
}

Ball epsilon_of_rounds(const WorstRound& round, double rounds, const Ball& delta, const Request& request) {
  constexpr int points = 40;
  constexpr double usual_work = 1e8;  // whatever is asked for, so that the pair composed is one and the same
  constexpr double cell = 0.1;        // of the recursion; a point takes some hundredths of a second
  const Ball::Precision bits(128);
  // The blanket of R_infinity is that of the worst randomizer.
  const auto blanket = own::blankets({.kind = Randomizer::Kind::rinf}, round.eps0);
  const Ball tail = delta * Ball(1e-6) / Ball(rounds);
  const Ball most = subsampled(round.eps0, round.slots.w);
  const Ball found = own::largest_epsilon(blanket, round.slots, tail, {0.05, usual_work}).upper_end();
  const double last = expm1(min(found, most.upper_end())).upper();
  std::vector<double> z, high;
  for (int i = 0; i <= points; ++i) {
    z.push_back(last * i / points);
    const Ball eps = log1p(Ball(z.back()));
    const double by_blanket = own::largest_delta(blanket, round.slots, eps, {1e-3, usual_work}).upper();
    const double worst = round.recursion && certainly(eps < most) ? round.recursion(eps, cell) : by_blanket;
    high.push_back(std::min(by_blanket, worst));
  }
  DiscreteSide atoms = joined_by_chords(z, high);
  if (round.thinned < 1) {  // only the excess shrinks, here rounded up
    for (double& e : atoms.ratio_minus_one) e = std::nextafter(e * round.thinned, HUGE_VAL);
    atoms.infinite = std::nextafter(atoms.infinite * round.thinned, HUGE_VAL);
  }
  return compose({.law = symmetric_law(atoms)}, rounds, {.delta = delta}, request);
}

}  // namespace epsilary::bounds::supremum
