// Bits of CLDP-SGD: of one message, on average per client and round, and in all.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::cldp {

Evaluator message_bits();       // Theorem 1, part 2, by the norm
Evaluator message_bits_thm4();  // Theorem 4, p = 2
// Several messages of a client.
Evaluator histogram_bits_at_most();
Evaluator histogram_bits_exactly();
Evaluator bits_one_by_one();
// A gradient in full precision against one message of R_infinity.
Evaluator saving_of_a_message();

}  // namespace epsilary::bounds::cldp
