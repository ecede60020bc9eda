// The order of a Renyi divergence that costs least, without proof: every order is valid.
#pragma once

#include <functional>

namespace epsilary::solvers {

enum class Orders { integer, real };

// Doubling while the cost falls, up to `longest`, then closing in. Integers from 2, or reals above 1.
double best_order(const std::function<double(double)>& cost, Orders orders, double longest);

}  // namespace epsilary::solvers
