#include "bounds/forms/parts.hpp"

#include <utility>

namespace epsilary::bounds {

Bound parts_found(Bound printed, std::vector<Param> needs, const Evaluator& evaluator) {
  printed.title += ", the whole delta given";
  printed.needs = std::move(needs);
  printed.takes.clear();
  printed.falls = {Param::delta};
  printed.assumes.clear();
  printed.evaluate = evaluator;
  return printed;
}

}  // namespace epsilary::bounds
