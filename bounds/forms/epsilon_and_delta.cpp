#include "bounds/forms/epsilon_and_delta.hpp"

#include <utility>

namespace epsilary::bounds {

void add_epsilon_and_delta(std::vector<Bound>& list, const Bound& form, const EpsilonAndDelta& formulas) {
  for (const Param given : {Param::delta, Param::eps}) {
    Bound b = form;
    b.quantity = given == Param::delta ? Quantity::epsilon : Quantity::delta;
    b.needs.push_back(given);
    b.falls.push_back(given);
    b.evaluate = given == Param::delta ? formulas.epsilon : formulas.delta;
    list.push_back(std::move(b));
  }
}

}  // namespace epsilary::bounds
