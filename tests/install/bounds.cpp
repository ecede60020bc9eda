// The rooms behind the door, for those who write theorems of their own.
#include <bounds/evaluate.hpp>
#include <bounds/registry.hpp>
#include <iostream>

int main() {
  bounds::Point point;
  point.set(bounds::Param::eps0, solvers::Decimal("1"));
  point.set(bounds::Param::n, solvers::Decimal("1e4"));
  point.set(bounds::Param::delta, solvers::Decimal("1e-6"));
  const auto result = bounds::evaluate(*bounds::named("balle2020-thm5.1").front(), point, {.digits = 20});
  if (!result.has_number()) {
    std::cerr << name(result.status) << ": " << result.reason << "\n";
    return 1;
  }
  std::cout << solvers::decimal(result.answer().value, 20, solvers::Rounding::up) << "\n";
}
