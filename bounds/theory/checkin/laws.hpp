// The privacy loss of one round in which some of a population report: K ~ Bin(n, gamma) of n clients check in and K is
// public, so a round is a mixture over K of pairs known given K; or a fixed number is chosen, which is one of these
// pairs. Each is given as laws of finitely many losses.
#pragma once

#include <algorithm>
#include <vector>

#include "bounds/theory/shuffle/hiding.hpp"
#include "solvers/losses/discrete_side.hpp"

namespace epsilary::bounds::checkin {

using solvers::Ball;
using solvers::DiscreteSide;

struct Resolution {
  double counts = 1e-3;  // relative width of a bin of check-ins, or of clones
  double cells = 0.02;   // width of a cell of the likelihood ratio, in its spreads
  double depth = 100;    // masses below e^-depth are bounded instead of summed
};

// A mass too small for a double, and the largest ratio minus one it may have.
struct UnderflowMass {
  double log_mass, ratio_minus_one;
};

// Two symmetric pairs with the pair of the round between them; the upper one has the underflow too.
struct SymmetricPairBounds {
  DiscreteSide upper, lower;
  std::vector<UnderflowMass> underflow = {};
};

// Who reports in a round. Given that there are k reports, a record is in one of them with probability k/population.
struct Reports {
  double population;
  Ball rate, other;   // each of the population with this probability, and with the other not, or
  double chosen = 0;  // always so many

  double expected() const { return chosen > 0 ? chosen : std::max(1.0, population * rate.midpoint()); }
};
inline Reports chosen(double k, double population) { return {population, Ball(0), Ball(1), k}; }

using clones::Hiding;

// Shuffled reports of an eps0-LDP randomizer. Given K = k: C_{k/n} of the trade-off function of the clones' pair of k
// reports, or of the blanket's (subsampling by Dong, Roth and Su 2022). With fewer reports, fewer clones or a higher
// rate it only grows: a further clone is a post-processing.
SymmetricPairBounds shuffled_clones(const Ball& eps0, const Reports& reports, const Resolution& resolution,
                                    Hiding hiding = Hiding::clones);

// Distributed check-in: C_{k/n}(G_mu) with mu = 2/(multiplier sqrt(k)). A round with fewer than `quorum` check-ins is
// aborted.
SymmetricPairBounds distributed_gaussian(const Ball& multiplier, const Reports& reports, double quorum,
                                         const Resolution& resolution);

// Reports with Gaussian noise of their own, every one seen: C_{k/n}(G_mu) given K = k, whatever the order they come in.
SymmetricPairBounds separate_gaussian(const Ball& mu, const Reports& reports, const Resolution& resolution);

// Shuffled reports of randomised response on equal data, a pair the round attains: all records are 0, the one in
// question 1 under P. Two laws with it between them.
struct DiscretePair {
  DiscreteSide right, left;
};
struct PairBounds {
  DiscretePair upper, lower;
};
PairBounds shuffled_response(const Ball& eps0, const Reports& reports, const Resolution& resolution);

// Distributed check-in of opposite vectors, a pair the round attains: all clients hold one vector of norm 1, the one in
// question its opposite under P. Given K = k: (1-r) N(0,1) + r N(mu,1) against N(0,1), r = k/n, mu as above.
PairBounds distributed_opposite(const Ball& multiplier, const Reports& reports, double quorum,
                                const Resolution& resolution);

}  // namespace epsilary::bounds::checkin
