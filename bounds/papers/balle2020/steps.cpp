// The posteriors q_i and the steps eps_i in the proofs of Theorems 3.2 and 5.1, at a slot, or at five places along
// them.
#include <span>

#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const places =
    "of the T-th slot; without T of the last, the largest, and beside it stand the first and those after a quarter, a "
    "half and three quarters of the slots";

template <Param slots>
Hypothesis one_of() {
  return exactly("T is one of the slots", [](const auto& x) { return !x.has(T) || x[T] <= x[slots]; });
}

Bound posterior(std::string id, std::string title, std::string protocol, std::string formula, std::string source,
                std::string proof, std::vector<Param> needs, Hypothesis one_of) {
  return {
      .id = std::move(id),
      .title = std::move(title),
      .protocol = std::move(protocol),
      .source = std::move(source),
      .formula = std::move(formula),
      .quantity = Quantity::ratio,
      .note = places,
      .proof = std::move(proof),
      .adjacency = Adjacency::none,
      .needs = std::move(needs),
      .takes = {T},
      .rises = {eps0},
      .assumes = {std::move(one_of)},
  };
}
Bound step(Bound b, std::string id, std::string title, std::string formula) {
  b.id = std::move(id);
  b.title = std::move(title);
  b.protocol += "-step";
  b.formula = std::move(formula);
  b.quantity = Quantity::epsilon;
  b.proof += ", overlap";
  b.adjacency = Adjacency::replace;
  return b;
}

}  // namespace

std::span<const Bound> balle2020_steps() {
  static const std::vector<Bound> list = [] {
    Bound printed = posterior("balle2020-posterior", "Posterior of the chosen slot, fixed window", "checkin-fixed",
                              R"(q_i\le\frac{e^{\varepsilon_0}}{me^{\varepsilon_0}-(e^{\varepsilon_0}-1)(i-1)})",
                              "Balle et al. 2020, proof sketch of Theorem 3.2", "posterior", {eps0, m}, one_of<m>());
    printed.falls = {m};
    printed.evaluate = slot_posterior();
    Bound printed_step = step(printed, "balle2020-step", "Epsilon of one slot, fixed window",
                              R"(\varepsilon_i=\log(1+p_0q_i(e^{\varepsilon_0}-1)))");
    printed_step.needs.push_back(p0);
    printed_step.rises.push_back(p0);
    printed_step.evaluate = slot_step();
    Bound swapped = posterior("balle2020-swap-posterior", "Posterior of the place of the swapped record, shuffling",
                              "shuffle", R"(q_i\le\frac1{1+(i-2)e^{-2\varepsilon_0}+(n-i+1)e^{-\varepsilon_0}})",
                              "Balle et al. 2020, proof of Theorem 5.1, before its last inequality", "swap", {eps0, n},
                              one_of<n>());
    swapped.falls = {n};
    swapped.evaluate = swap_posterior();
    Bound swapped_step = step(swapped, "balle2020-swap-step", "Epsilon of one place, shuffling",
                              R"(\varepsilon_i=\log(1+q_i(e^{\varepsilon_0}-1)))");
    swapped_step.evaluate = swap_step();
    return std::vector<Bound>{printed, printed_step, swapped, swapped_step};
  }();
  return list;
}

}  // namespace epsilary::bounds
