// Shuffling and random check-ins by the pairs of the clones and of the blanket, with a weight on every slot.
#pragma once

#include "bounds/theory/epsilon_and_delta.hpp"
#include "bounds/theory/shuffle/hiding.hpp"

namespace epsilary::bounds::checkin {

using clones::Hiding;

EpsilonAndDelta in_shuffle(Hiding pair);
EpsilonAndDelta in_fixed_window(Hiding pair);
EpsilonAndDelta in_sliding_window(Hiding pair);
// Where the number n of users is known: in the slots whose lottery the client can win, by the clones; in those or in
// the slots that anybody wins, by the blanket; and of a sliding window.
EpsilonAndDelta in_winnable_slots();
EpsilonAndDelta in_known_fixed_window();
EpsilonAndDelta in_known_sliding_window();
// In a shuffle of which each of the others is absent with probability dropout.
EpsilonAndDelta among_those_present();

}  // namespace epsilary::bounds::checkin
