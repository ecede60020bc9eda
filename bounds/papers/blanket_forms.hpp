// Two forms of a bound by the privacy blanket: delta at eps, and eps at delta.
#pragma once

#include <vector>

#include "bounds/core/bound.hpp"
#include "bounds/theory/shuffle/blanket.hpp"

namespace epsilary::bounds::blanket {

template <Real R>
Reports<R> shuffle(const Values<R>& x) {
  return {x[Param::eps0], x[Param::n], x.has(Param::k) ? x[Param::k] : R(2)};
}

template <class LogDelta>
void add(std::vector<Bound>& out, Bound form) {
  using enum Param;
  if (form.protocol.empty()) form.protocol = "shuffle";
  form.needs.insert(form.needs.begin(), {eps0, n});
  form.falls = {n};

  Bound at_eps = form;
  at_eps.quantity = Quantity::delta;
  at_eps.needs.push_back(eps);
  at_eps.assumes = {exactly("0 < eps < eps0: from eps0 on, the randomizer alone gives delta = 0",
                            [](const auto& x) { return x[Param::eps] > 0 && x[Param::eps] < x[Param::eps0]; })};
  at_eps.evaluate = each_number([]<Real R>(const Values<R>& x) {
    const R log_delta = LogDelta{}(x[Param::eps], shuffle(x));
    return Answer<R>{.value = exp(log_delta), .cap = R(1), .beside = {{"log_delta", log_delta}}};
  });
  out.push_back(at_eps);

  form.needs.push_back(delta);
  form.falls.push_back(delta);
  form.evaluate = each_number([]<Real R>(const Values<R>& x) {
    return with_cap(blanket::epsilon(LogDelta{}, shuffle(x), R(log(x[Param::delta]))), x[Param::eps0]);
  });
  out.push_back(form);
}

inline constexpr const char* bennett_formula =
    R"(\delta=\frac{b_+}{\log(1+t)\gamma n}\left((1-\gamma+\gamma e^{-x})^n-(1-\gamma)^n\right),\ t=\frac{ab_+}{c},\ x=\frac{c}{b_+^2}((1+t)\log(1+t)-t))";

}  // namespace epsilary::bounds::blanket
