// T rounds of a shuffle of any one eps0-LDP randomizer a round, among a sample or among all, by the smaller of pivot
// and blanket.
#pragma once

#include "solvers/losses/request.hpp"
#include "solvers/numbers/ball.hpp"

namespace epsilary::bounds::supremum {

// In each round `reports` of a population are shuffled, the record among them with probability reports/population. The
// profile of one round, the smaller of the two, at some eps and joined by chords, is that of a symmetric pair; sampled,
// and composed.
struct WorstRounds {
  solvers::Ball eps0;
  double reports, population, rounds;
};
solvers::Ball epsilon_of_rounds(const WorstRounds& protocol, const solvers::Ball& delta,
                                const solvers::Request& request);

}  // namespace epsilary::bounds::supremum
