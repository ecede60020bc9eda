
#include "figures/draw.hpp"
#include "figures/matplotpp.hpp"

namespace epsilary::drawing {

bool has_matplotpp() { return false; }

void draw_with_matplotpp(const Figure&, const std::filesystem::path&) {
  throw Error(Problem::could_not, "this program was built without Matplot++",
              "install it, so that CMake's find_package(Matplot++) finds it, and build again");
}

}  // namespace epsilary::drawing
