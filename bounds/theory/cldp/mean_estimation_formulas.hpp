// Private mean estimation with few bits: the risks of Theorems 2 to 4, the variance of one message, and how many bits a
// message needs.
#pragma once

#include <string_view>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::cldp {

// Bits, where given, against log2 of the dimension.
Hypothesis too_few_bits();
Hypothesis bits_for_a_coordinate(std::string_view words);
Hypothesis bits_for_a_coordinate_and_a_sign();
Hypothesis bits_for_a_row_and_a_sign();  // of a Hadamard matrix, whose rows are a power of two

Evaluator minimax_risk_order();
Evaluator risk_of_few_bits_as_printed();
Evaluator risk_of_few_bits();
Evaluator risk_of_coordinates();  // maximum norm
Evaluator risk_of_norms_1_and_2();
Evaluator risk_of_hadamard_rows();
Evaluator message_variance();
Evaluator message_variance_exactly();

}  // namespace epsilary::bounds::cldp
