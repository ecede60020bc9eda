// What no analysis of shuffling or random check-ins can beat: randomised response, every other record equal.
#pragma once

#include "bounds/theory/epsilon_and_delta.hpp"

namespace epsilary::bounds::lower {

enum class Protocol { shuffle, fixed_window, sliding_window };

EpsilonAndDelta binary_response(Protocol in);
EpsilonAndDelta ternary_response(Protocol in);
EpsilonAndDelta mixed_response();  // of a shuffle, the worst number of ones among the others

}  // namespace epsilary::bounds::lower
