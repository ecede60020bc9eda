// What T rounds of a pair cost: the one door to the tools that compose privacy losses.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solvers/losses/contour/contour.hpp"
#include "solvers/losses/pair.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::solvers {

// A pair as the tools take it, as far as it is known.
struct ComposedPair {
  std::optional<LossLaw> law = {};    // for the lattice and pair by pair; dominates the pair, or is it
  std::optional<LossLaw> below = {};  // where the pair is known only between two: the one that it dominates
  std::function<MomentLaws(double rounds)> moments = {};  // for the contour integral
};

// The end of the bracket that will be relied on, which gets the finer lattice where the pair is known between two.
enum class Promised { upper, lower };

// Encloses the exact delta(eps), or the exact least eps >= 0 with delta(eps) <= delta, of that many rounds. About as
// narrow as asked, or as narrow as the work allowed makes it; indeterminate where nothing is known from above.
Ball compose(const ComposedPair& pair, double rounds, const Target& target, const Request& request,
             Promised promised = Promised::upper);

// The same of several pairs, each so many rounds.
struct RepeatedPair {
  ComposedPair pair;
  double rounds = 1;
};
Ball compose(const std::vector<RepeatedPair>& pairs, const Target& target, const Request& request);

}  // namespace epsilary::solvers
