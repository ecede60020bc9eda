#include "bounds/theory/shuffle/blanket_formulas.hpp"

#include "bounds/theory/shuffle/blanket.hpp"

namespace epsilary::bounds::blanket {
namespace {

using enum Param;

template <Real R>
Reports<R> shuffle(const Values<R>& x) {
  return {x[eps0], x[n], x.has(k) ? x[k] : R(2)};
}

template <Real R>
Answer<R> epsilon_at(Inequality by, const Values<R>& x) {
  return with_cap(epsilon(By{by}, shuffle(x), R(log(x[delta]))), x[eps0]);
}
template <Real R>
Answer<R> delta_at(Inequality by, const Values<R>& x) {
  const R log_delta_ = log_delta(by, x[eps], shuffle(x)), value = exp(log_delta_);
  return {.value = value, .cap = R(1), .beside = {{"log_delta", log_delta_}}};
}

}  // namespace

EpsilonAndDelta of_shuffle(Inequality by) {
  return with(by, []<Inequality chosen>() {
    return EpsilonAndDelta{each_number([](const auto& x) { return epsilon_at(chosen, x); }),
                           each_number([](const auto& x) { return delta_at(chosen, x); })};
  });
}

}  // namespace epsilary::bounds::blanket
