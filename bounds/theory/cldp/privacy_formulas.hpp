// Privacy of CLDP-SGD by a chain: the blanket of a shuffle, subsampling, composition. And the orders of its epsilon.
#pragma once

#include "bounds/core/bound.hpp"
#include "bounds/theory/shuffle/blanket_inequalities.hpp"

namespace epsilary::bounds::cldp {

Evaluator round_by(blanket::Inequality by);           // one round
Evaluator strong_rounds_by(blanket::Inequality by);   // T rounds by strong composition
Evaluator optimal_rounds_by(blanket::Inequality by);  // and by the optimal one

// Rates are stated in q and n, or through the clients: the rate of a record.
Rational rate_of(const Values<Rational>& x);
Evaluator round_order();
Evaluator largest_eps0();  // that the order holds for
Ball largest_eps0_at(const Values<Ball>& x);
Evaluator rounds_order();

}  // namespace epsilary::bounds::cldp
