#include "bounds/theory/cldp/mean_estimation_formulas.hpp"

#include "bounds/theory/cldp/mean_estimation.hpp"

namespace epsilary::bounds::cldp {
namespace {

using enum Param;

template <class Needed>
Hypothesis enough_bits(std::string_view words, Needed) {
  return provably(words, []<class V>(const V& x) {
    using R = std::remove_cvref_t<decltype(x[dim])>;
    return x.has(bits) ? R(x[bits] - Needed{}(x)) : R(1);
  });
}

}  // namespace

Hypothesis too_few_bits() {
  return provably("bits < log2(dim)", []<class V>(const V& x) {
    using R = std::remove_cvref_t<decltype(x[dim])>;
    if (!x.has(bits)) return R(1);
    const R margin = log2_of(x[dim]) - x[bits];
    return certainly(margin <= 0) ? R(-1) : margin;  // equality is not below
  });
}
Hypothesis bits_for_a_coordinate(std::string_view words) {
  return enough_bits(words, [](const auto& x) { return log2_of(x[dim]); });
}
Hypothesis bits_for_a_coordinate_and_a_sign() {
  return enough_bits("bits >= log2(dim) + 1, a coordinate and a sign", [](const auto& x) { return sign_bits(x[dim]); });
}
Hypothesis bits_for_a_row_and_a_sign() {
  return enough_bits("bits >= log2(dim) + 1, a row and a sign", [](const auto& x) { return whole_sign_bits(x); });
}

Evaluator minimax_risk_order() {
  return each_number([](const auto& x) {
    return x.has(norm) && !x.at_least(norm, 2)
               ? minimax_rate_small(x[radius], x[dim], x[n], x[eps0])
               : minimax_rate_large(x[radius], x[dim], squared_stretch(x), x[n], x[eps0]);
  });
}

Evaluator risk_of_few_bits_as_printed() {
  return each_number([](const auto& x) { return guessing_risk(x); });
}

Evaluator risk_of_few_bits() {
  return each_number([]<Real R>(const Values<R>& x) {
    const R symbols = pow(R(2), x[bits]);
    return x.has(norm) ? few_symbols_risk(x[radius], x[dim], x[norm], symbols)
                       : few_symbols_risk(x[radius], x[dim], symbols);
  });
}

Evaluator risk_of_coordinates() {
  return each_number([]<Real R>(const Values<R>& x) {
    return with_cap(R(squared_length(x[radius], x[dim], x[eps0]) / x[n]), guessing_risk(x));
  });
}

Evaluator risk_of_norms_1_and_2() {
  return each_number([]<Real R>(const Values<R>& x) {
    return with_cap(mean_risk(x[radius], x[dim], x[n], x[eps0], x.at_most(norm, 1) ? 1 : 6), guessing_risk(x));
  });
}

Evaluator risk_of_hadamard_rows() {
  return each_number([]<Real R>(const Values<R>& x) {
    return Answer<R>{.value = mean_risk(x[radius], x[dim], x[n], x[eps0], 1),
                     .cap = guessing_risk(x),
                     .beside = {{"bits", whole_sign_bits(x)}}};
  });
}

Evaluator message_variance() {
  return each_number([]<Real R>(const Values<R>& x) {
    return Answer<R>{.value = squared_length(x[radius], x[dim], x[eps0]),
                     .beside = {{"plus", R(1 / (1 + exp(-x[eps0])))}, {"blanket", R(2 / (exp(x[eps0]) + 1))}}};
  });
}

Evaluator message_variance_exactly() {
  return each_number(
      []<Real R>(const Values<R>& x) { return R(squared_length(x[radius], x[dim], x[eps0]) - x[square]); });
}

}  // namespace epsilary::bounds::cldp
