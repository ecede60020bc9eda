// What no analysis of shuffling or random check-ins can beat: randomised response, every other record equal.
#pragma once

#include "bounds/theory/epsilon_and_delta.hpp"

namespace epsilary::bounds::responses {

enum class Protocol { shuffle, fixed_window, sliding_window };

EpsilonAndDelta binary_response(Protocol in);
EpsilonAndDelta ternary_response(Protocol in);
EpsilonAndDelta mixed_response();  // of a shuffle, the worst number of ones among the others

// Enough other reports show a label for the sum of ternary response, which else visits every slot to tell so.
Ball somebody_answers_margin(const Values<Ball>& x);

// In the limit of many users: mu of the Gaussian mechanism that a shuffle comes to at worst, and its epsilon.
Evaluator worst_limit();
Evaluator worst_limit_epsilon();

}  // namespace epsilary::bounds::responses
