// The worst case of random check-ins and of shuffling over all adaptive eps0-LDP randomizers and all data, between what
// randomised response attains and what the recursion allows (PROOFS.md, recursion, blocks, pivot).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bounds/core/point.hpp"
#include "bounds/theory/checkin/slots.hpp"
#include "solvers/losses/request.hpp"

namespace epsilary::bounds::supremum {

// One of `slots` slots holds the record with probability w at most (a shuffle of n reports: n slots, w = 1). epsilon
// where x has delta, delta where it has eps.
Ball checkins(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request);
// All clients check in: who else there is, any of it, with which weight response attains what, and with which
// probability the record is sent at most; what the blanket's pair says of it. x has m.
struct KnownWindow {
  std::vector<checkin::KnownOthers<Ball>> others;
  Ball attained, most;
  Answer<Ball> (*blanket)(const Values<Ball>&);
};
Ball known_checkins(const Values<Ball>& x, const KnownWindow& window, const Request& request);
Ball shuffle(const Values<Ball>& x, const Request& request);
// The shuffle again, where the pair of the blanket is smaller by that.
Ball shuffle_or_blanket(const Values<Ball>& x, const Request& request);

}  // namespace epsilary::bounds::supremum
