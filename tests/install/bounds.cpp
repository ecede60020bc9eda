// The rooms behind the door, for those who write theorems of their own.
#include <bounds/core/evaluate.hpp>
#include <bounds/core/registry.hpp>
#include <iostream>

int main() {
  epsilary::bounds::Point point;
  point.set(epsilary::bounds::Param::eps0, epsilary::solvers::Decimal("1"));
  point.set(epsilary::bounds::Param::n, epsilary::solvers::Decimal("1e4"));
  point.set(epsilary::bounds::Param::delta, epsilary::solvers::Decimal("1e-6"));
  const auto result =
      epsilary::bounds::evaluate(*epsilary::bounds::named("balle2020-thm5.1").front(), point, {.digits = 20});
  if (!result.has_number()) {
    std::cerr << name(result.status) << ": " << result.reason << "\n";
    return 1;
  }
  std::cout << epsilary::solvers::decimal(result.answer().value, 20, epsilary::solvers::Rounding::up) << "\n";
}
