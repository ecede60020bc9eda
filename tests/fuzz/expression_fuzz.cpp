// Any text is either an expression over the names or is refused; nothing else is thrown.
#include <cstdint>
#include <string_view>

#include "experiments/claims/expression.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace epsilary::experiments;
  using epsilary::solvers::Ball;
  static const Names names{
      {"one", {Ball(1)}}, {"list", {Ball(1), Ball(2), Ball(3)}}, {"other", {Ball(-1), Ball(0), Ball(7)}}, {"none", {}}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    compute(text, names);
  } catch (const BadExpression&) {
  }
  try {
    decide(text, names);
  } catch (const BadExpression&) {
  }
  return 0;
}
