// One known randomizer in a shuffle or in random check-ins: its blanket, from above, and what it leaks when all others
// hold one record, from below (PROOFS.md, own).
#pragma once

#include <vector>

#include "bounds/core/point.hpp"
#include "bounds/core/randomizer.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::bounds::own {

// Of a randomizer that brings it along: it is (eps0, delta0)-LDP.
struct LocalPrivacy {
  Ball eps0;
  Rational delta0;
};
LocalPrivacy privacy(const Randomizer& randomizer);

// The two laws of the record over a third, which hides them: of an outcome both ratios and its mass under the third.
// Where it is not whole, what is missing of the masses shows nothing. Where the third has no mass the record is seen
// alone.
struct Outcome {
  Ball first, second, mass;
};
struct Alone {
  Ball first, second;  // masses
};
struct Hidden {
  std::vector<Outcome> seen;
  std::vector<Alone> alone = {};
  double most = 0;     // log of the largest finite ratio of the first law to the second, rounded up
  bool whole = false;  // the masses add up to one
};

// For every pair of records, both ways: the third law is the least that any record gives to an outcome, or less.
std::vector<Hidden> blankets(const Randomizer& randomizer, const Ball& eps0);
// The third law is that of a record which all others hold: the pairs that leak most, roughly.
std::vector<Hidden> equal_others(const Randomizer& randomizer, const Ball& eps0);
// Two laws within a factor P of each other, at a distance of at most `distance`, and no other law below their maximum
// over Q.
Hidden three_numbers(const Ball& P, const Ball& Q, const Ball& distance);

// One of `slots` slots holds the record with probability w (a shuffle of n reports: n slots, w = 1). Where `rate` is
// given each of n clients checks in with that probability and those who do are shuffled, their number being public.
struct Slots {
  double slots;
  Ball w;
  Ball rate = Ball(1), absent = Ball(0);
};

// Some input alone can send an output, with a probability above delta or not surely below it: no eps is enough.
bool gives_away(const std::vector<Hidden>& pairs, const Slots& slots, const Ball& delta);

// The largest of them: delta at eps, or the least eps at delta. Enclosed; indeterminate where no eps is enough.
Ball largest_delta(const std::vector<Hidden>& pairs, const Slots& slots, const Ball& eps, const Request& request);
Ball largest_epsilon(const std::vector<Hidden>& pairs, const Slots& slots, const Ball& delta, const Request& request);
// The same over T rounds: the largest delta(eps) at some eps, joined by chords in e^eps, is the profile of a symmetric
// pair, which is composed.
Ball largest_epsilon_of_rounds(const std::vector<Hidden>& pairs, const Slots& slots, double rounds, const Ball& delta,
                               const Request& request);
// What T rounds of one of them cost at least, of those that leak most: the pairs are attained, and a pair is composed
// whose profile is below theirs, either way.
Ball least_epsilon_of_rounds(const std::vector<Hidden>& attained, const Slots& slots, double rounds, const Ball& delta,
                             const Request& request);

}  // namespace epsilary::bounds::own
