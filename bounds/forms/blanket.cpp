#include "bounds/forms/blanket.hpp"

#include "bounds/theory/shuffle/blanket_formulas.hpp"

namespace epsilary::bounds::blanket {

void add(std::vector<Bound>& out, Inequality by, Bound form) {
  using enum Param;
  const EpsilonAndDelta formulas = of_shuffle(by);
  if (form.protocol.empty()) form.protocol = "shuffle";
  form.needs.insert(form.needs.begin(), {eps0, n});
  form.falls = {n};

  Bound at_eps = form;
  at_eps.quantity = Quantity::delta;
  at_eps.needs.push_back(eps);
  at_eps.assumes = {exactly("0 < eps < eps0: from eps0 on, the randomizer alone gives delta = 0",
                            [](const Values<Rational>& x) { return x[eps] > 0 && x[eps] < x[eps0]; })};
  at_eps.evaluate = formulas.delta;
  out.push_back(at_eps);

  form.needs.push_back(delta);
  form.falls.push_back(delta);
  form.evaluate = formulas.epsilon;
  out.push_back(form);
}

}  // namespace epsilary::bounds::blanket
