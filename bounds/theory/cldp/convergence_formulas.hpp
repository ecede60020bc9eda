// Convergence of CLDP-SGD: the second moment of the averaged gradient and the excess risk it leaves, with the constants
// as printed and with those that the variances of the mechanisms give.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::cldp {

Evaluator second_moment_as_printed();
Evaluator second_moment_tight();
Evaluator risk_of_last_iterate();  // at a bound on the gradients
Evaluator risk_as_printed();
Evaluator risk_tight();
Evaluator risk_order();

}  // namespace epsilary::bounds::cldp
