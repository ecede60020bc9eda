#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/theory/shuffle/clones_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using clones::Hiding;

const char* const clones_source =
    "Feldman, McMillan and Talwar 2021, Theorem 3.1's pair, evaluated exactly; delta0 by epsilary";
const char* const clones_formula =
    R"(H_{e^\varepsilon}(P\|Q),\ P=(A+B,\,C-A+1-B),\ C\sim\mathrm{Bin}(n-1,e^{-\varepsilon_0}),\ A\sim\mathrm{Bin}(C,\tfrac12),\ B\sim\mathrm{Bern}(\tfrac{e^{\varepsilon_0}}{1+e^{\varepsilon_0}}))";

void add_closed(std::vector<Bound>& list) {
  list.push_back({
      .id = "feldman2021-closed",
      .title = "Amplification by shuffling, closed form",
      .protocol = "shuffle",
      .source = "Feldman, McMillan and Talwar 2021, Theorem 3.1",
      .formula =
          R"(\log\left(1+\frac{e^{\varepsilon_0}-1}{e^{\varepsilon_0}+1}\left(8\sqrt{\frac{e^{\varepsilon_0}\log(4/\delta)}{n}}+\frac{8e^{\varepsilon_0}}{n}\right)\right);\quad \delta'=\delta+(e^\varepsilon+1)(1+e^{-\varepsilon_0}/2)n\delta_0)",
      .standing = Standing::published,
      .note = "quoted; with delta0 the whole delta uses the quoted constant, feldman2021-clones a proved one",
      .needs = {eps0, n, delta},
      .rises = {eps0},
      .falls = {n, delta},
      .assumes = {provably("eps0 <= log(n / (16 log(2/delta)))",
                           [](const Values<Ball>& x) { return clones::closed_form_margin_at(x); })},
      .evaluate = clones::closed_epsilon(),
  });
  Bound leaking = list.back();
  leaking.title = "Amplification by shuffling, closed form, approximate randomizer";
  leaking.needs = {eps0, delta0, n, delta};
  leaking.takes = {share};
  leaking.rises = {eps0, delta0};
  leaking.falls = {delta};
  leaking.turns = {n};
  leaking.evaluate = clones::leaking_closed_epsilon();
  list.push_back(leaking);
}

void add_clones(std::vector<Bound>& list) {
  list.push_back({
      .id = "feldman2021-clones",
      .title = "Amplification by shuffling, the clones' delta exactly",
      .protocol = "shuffle",
      .source = clones_source,
      .formula = clones_formula,
      .quantity = Quantity::delta,
      .note = one_randomizer_note,
      .proof = "clones",
      .needs = {eps0, n, eps},
      .takes = {delta0},
      .rises = {eps0},
      .falls = {n, eps},
      .assumes = {assume::at_most<n, 12>()},
      .evaluate = clones::shuffle_delta(Hiding::clones),
  });
  list.push_back({
      .id = "feldman2021-clones",
      .title = "Amplification by shuffling, the clones' epsilon exactly",
      .protocol = "shuffle",
      .source = clones_source,
      .formula = clones_formula,
      .note = one_randomizer_note,
      .proof = "clones",
      .needs = {eps0, n, delta},
      .rises = {eps0},
      .falls = {n, delta},
      .assumes = {assume::at_most<n, 12>()},
      .evaluate = clones::shuffle_epsilon(Hiding::clones),
  });
  Bound leaking = list.back();
  leaking.title = "Amplification by shuffling, the clones' epsilon of an approximate randomizer";
  leaking.needs = {eps0, delta0, n, delta};
  leaking.takes = {share};
  leaking.rises = {eps0, delta0};
  leaking.falls = {delta};
  leaking.turns = {n};
  leaking.evaluate = clones::leaking_shuffle_epsilon(Hiding::clones);
  list.push_back(leaking);
}

}  // namespace

std::span<const Bound> feldman2021_clones() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_closed(out);
    add_clones(out);
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
