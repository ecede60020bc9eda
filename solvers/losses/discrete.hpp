// Pairs of laws on finitely many outcomes, composed: what several mechanisms cost that were run many times each.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/losses/pair.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::solvers {

// The probability of each outcome under P and under Q, and how often the mechanism is run.
struct OutcomePair {
  std::vector<Ball> p, q;
  std::uint64_t times = 1;
};

// Encloses the exact delta(eps), or the exact least eps >= 0 with delta(eps) <= delta, of all rounds together, P
// against Q. Indeterminate where no eps is enough. About as narrow as asked, at best some 1e-5.
Ball compose(const std::vector<OutcomePair>& pairs, const Target& target, const Request& request);

// The outcomes in at most about so many groups: those of a group taken for one, which whoever sees less sees, are
// dominated; each spread to the two ends of its group, of which it is a mixture, they dominate.
OutcomePair merged(const OutcomePair& pair, std::size_t groups);
OutcomePair spread(const OutcomePair& pair, std::size_t groups);

}  // namespace epsilary::solvers
