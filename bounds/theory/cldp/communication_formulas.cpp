#include "bounds/theory/cldp/communication_formulas.hpp"

#include "bounds/theory/cldp/communication.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds::cldp {
namespace {

using enum Param;

// What one message costs becomes what a client sends in a round, on average, and in T rounds.
template <Real R>
R on_average(const Values<R>& x, R message) {
  if (x.has(per_round) && x.has(clients)) message = x[per_round] / x[clients] * message;
  if (x.has(T)) message = x[T] * message;
  return message;
}

template <Real R>
Answer<R> expected(const Values<R>& x, const R& message) {
  return {.value = on_average(x, message), .beside = {{"message", message}}};
}

// 2^bits symbols, or the 2 dim signed coordinates of R_infinity.
template <Real R>
R symbols(const Values<R>& x) {
  return x.has(bits) ? R(pow(R(2), x[bits])) : R(2 * x[dim]);
}

}  // namespace

Evaluator message_bits() {
  return each_number([]<Real R>(const Values<R>& x) {
    const bool sign = is_sign_norm(x);
    Answer<R> answer = expected(x, sign ? sign_bits(x[dim]) : vector_bits(x[dim]));
    if (sign) answer.beside.push_back({"whole", whole_sign_bits(x)});
    return answer;
  });
}

Evaluator message_bits_thm4() {
  return each_number([](const auto& x) { return expected(x, vector_bits_thm4(x[dim])); });
}

Evaluator histogram_bits_at_most() {
  return each_number([](const auto& x) { return expected(x, histogram_bits_bound(x[samples], symbols(x))); });
}

Evaluator histogram_bits_exactly() {
  return each_number([](const auto& x) { return expected(x, histogram_bits(x[samples], symbols(x))); });
}

Evaluator bits_one_by_one() {
  return each_number([]<Real R>(const Values<R>& x) { return expected(x, R(x[samples] * log2_of(symbols(x)))); });
}

Evaluator saving_of_a_message() {
  return each_number([](const auto& x) { return saving(x); });
}

}  // namespace epsilary::bounds::cldp
