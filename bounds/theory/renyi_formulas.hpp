// Renyi divergences of mechanisms over rounds, sampled or not, and conversions from and to epsilon and delta.
#pragma once

#include "bounds/theory/round_forms.hpp"

namespace epsilary::bounds::renyi {

RoundForms pure_mechanism();         // eps0-DP: randomised response is the worst
RoundForms gaussian_mechanism();     // mu
RoundForms approximate_mechanism();  // (eps0, delta0)-DP, outside an event of probability delta0
RoundForms sampled_pure();           // at rate q, without replacement
RoundForms sampled_gaussian();

Evaluator sum_of_steps();  // divergences of one order, of one mechanism after another

// From a divergence rdp at the order lambda.
Evaluator epsilon_of_order();  // Canonne, Kamath and Steinke 2020
Evaluator delta_of_order();
Evaluator first_epsilon_of_order();    // Mironov 2017
Evaluator optimal_epsilon_of_order();  // Asoodeh et al. 2021
// The least divergence of a pair that is not better than (eps, delta).
Evaluator least_divergence_of_pair();

}  // namespace epsilary::bounds::renyi
