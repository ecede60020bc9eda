// Gaussian noise in random check-ins: its privacy as an (eps0, delta0)-DP randomizer at the eps0 that serves best, and
// the excess risk it leaves.
#pragma once

#include "bounds/core/bound.hpp"

namespace epsilary::bounds::checkin {

Evaluator gaussian_fixed_window();
Evaluator gaussian_sliding_window();
Evaluator gaussian_averaged();

// The risk at the noise given.
Evaluator risk_fixed_window();          // as printed
Evaluator risk_fixed_window_dummies();  // with the exact probability of an empty slot
Evaluator risk_averaged();
Evaluator risk_averaged_doubled();  // with E[1/S; S > 0] <= 2m/n
Evaluator risk_averaged_smooth();
Evaluator mean_of_inverse_load();
Ball used_slots_margin(const Values<Ball>& x);  // n p0/m - log 2

// The risk with the noise that eps needs, proved to be enough.
Evaluator risk_at_epsilon_fixed_window();
Evaluator risk_at_epsilon_sliding_window();
Evaluator risk_at_epsilon_averaged();

// How many updates are dummies: exactly, and at most.
Evaluator fixed_window_dummies();
Evaluator fixed_window_dummies_at_most();
Evaluator sliding_window_dummies();
Evaluator sliding_window_dummies_at_most();

// Steps indexed by the T updates that are performed.
Evaluator risk_of_performed_updates();
// The orders of the risk at an epsilon, constants and logarithms dropped.
Evaluator risk_order_fixed_window();
Evaluator risk_order_averaged();
Evaluator risk_order_smooth();
Evaluator risk_order_central();

}  // namespace epsilary::bounds::checkin
