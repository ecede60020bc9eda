#include "bounds/forms/composition.hpp"

#include <span>

namespace epsilary::bounds {
namespace {

using namespace composed;

}  // namespace

std::span<const Bound> epsilary_composition() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_both(
        out, Rule::sharp,
        {
            .id = "epsilary-composition-sharp",
            .title = "Composition, sharper than both branches",
            .protocol = "composition",
            .source = "epsilary; Chernoff's bound on the privacy loss, integrated",
            .formula =
                R"(\sum_i\varepsilon_i\tanh\frac{\varepsilon_i}{2}+t,\quad \frac{t^2}{2S}+\log(1+t/S)=\log(1/\delta),\ S=\sum_i\varepsilon_i^2)",
            .proof = "composition",
        });
    for (Bound& b : out) b.adjacency = Adjacency::either;
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
