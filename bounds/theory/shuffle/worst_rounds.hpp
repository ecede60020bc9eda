// Rounds of a protocol by the sharpest bound of one round, over all adaptive eps0-LDP randomizers and all data: the
// smaller of the recursion and the blanket at some eps, joined by chords, is the profile of a symmetric pair, which is
// composed.
#pragma once

#include <functional>

#include "bounds/theory/shuffle/own_randomizer.hpp"

namespace epsilary::bounds::supremum {

struct WorstRound {
  Ball eps0;
  std::function<double(const Ball& eps, double cell)> recursion;  // an upper bound of delta, for cells of a width
  own::Slots slots;                                               // whose blanket bounds it too
  double thinned = 1;  // only with this probability the record is used, which is not part of either
};

// All n reports are shuffled.
WorstRound shuffled_by_all(const Ball& eps0, double n);
// Of a population so many are chosen and their reports shuffled; who has several records draws one of them.
WorstRound shuffled_sample(const Ball& eps0, double reports, double population, double records);
// Each of n clients checks in with probability `rate` and those who do are shuffled, their number being public. Numbers
// beyond a probability of e^{-depth} are charged in full.
WorstRound shuffled_checkins(const Ball& eps0, double n, const Ball& rate, const Ball& absent, double depth);
// Random check-ins with a fixed window.
WorstRound window_of(const Ball& eps0, double slots, const Ball& w);

// The same with a known population (checkin::KnownOthers); numbers of slots beyond a probability of e^{-depth} are
// charged in full.
WorstRound window_of_all(const Ball& eps0, double slots, const Ball& w, const Ball& population, const Ball& mean,
                         double depth);

// epsilon at delta of so many rounds.
Ball epsilon_of_rounds(const WorstRound& round, double rounds, const Ball& delta, const Request& request);

}  // namespace epsilary::bounds::supremum
