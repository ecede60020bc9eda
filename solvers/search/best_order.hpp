// The order of a Renyi divergence that costs least, without proof: every order is valid.
#pragma once

#include <functional>

namespace epsilary::solvers {

enum class Orders { integer, real, corners };  // corners: real, interpolated between integers

// Doubling while the cost falls, up to `longest`, then closing in. Integers from 2, or reals above 1. One that turns
// only once from `settled` on may have a first least before it.
double best_order(const std::function<double(double)>& cost, Orders orders, double longest, double settled = 4);

}  // namespace epsilary::solvers
