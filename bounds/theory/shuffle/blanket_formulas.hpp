// Amplification by shuffling through the privacy blanket, by one of its inequalities.
#pragma once

#include "bounds/theory/epsilon_and_delta.hpp"
#include "bounds/theory/shuffle/blanket_inequalities.hpp"

namespace epsilary::bounds::blanket {

EpsilonAndDelta of_shuffle(Inequality by);

}  // namespace epsilary::bounds::blanket
