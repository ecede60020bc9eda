#include "bounds/theory/cldp/convergence_formulas.hpp"

#include "bounds/theory/cldp/convergence.hpp"

namespace epsilary::bounds::cldp {
namespace {

using enum Param;

// No model is worse by more than the diameter times the longest gradient of the loss.
template <Real R>
Answer<R> risk(const Values<R>& x, const R& G, const R& longest) {
  return {.value = checkin::last_iterate(checkin::risk_rate(x[radius], G, x[T]), x[T]),
          .cap = x[radius] * longest,
          .beside = {{"step", x[radius] / G}}};
}
template <Real R>
Answer<R> risk(const Values<R>& x, int c) {
  return risk(x, R(sqrt(moment(x, c))), R(x[lipschitz] * sqrt(squared_stretch(x))));
}

}  // namespace

Evaluator second_moment_as_printed() {
  return each_number([](const auto& x) { return moment(x, printed_c(x)); });
}
Evaluator second_moment_tight() {
  return each_number([](const auto& x) { return moment(x, tight_c(x)); });
}

Evaluator risk_of_last_iterate() {
  return each_number([](const auto& x) { return risk(x, x[gradient], x[gradient]); });
}
Evaluator risk_as_printed() {
  return each_number([](const auto& x) { return risk(x, printed_c(x)); });
}
Evaluator risk_tight() {
  return each_number([](const auto& x) { return risk(x, tight_c(x)); });
}
Evaluator risk_order() {
  return each_number([](const auto& x) {
    return risk_rate(x[lipschitz], x[radius], x[dim], squared_stretch(x), x[per_round], x[eps0], x[T], printed_c(x));
  });
}

}  // namespace epsilary::bounds::cldp
