#include <epsilary/epsilary.hpp>
#include <iostream>

int main() {
  const epsilary::Result r =
      epsilary::evaluate("balle2020-thm5.1", {{"eps0", 1}, {"n", "1e4"}, {"delta", "1e-6"}}, {.digits = 20});
  if (!r.guarantee) {
    std::cerr << r.status << ": " << r.reason << "\n";
    return 1;
  }
  std::cout << r.value.text() << " " << r.value.as_double() << "\n";
}
