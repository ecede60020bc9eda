#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const approximate_formula =
    R"(\varepsilon' = \text{Theorem 3.2 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_1)";

Bound approximate() {
  return {
      .id = "balle2020-thm3.2-approx",
      .title = "Random check-ins with a fixed window, approximate randomizer",
      .protocol = "checkin-fixed",
      .source = "Balle et al. 2020, Theorem 3.2, case delta0 > 0 (full version)",
      .formula = approximate_formula,
      .standing = Standing::repaired,
      .note =
          "the conference text at hand has e^{-delta eps0} for e^{-5 eps0} and delta_0 for delta_1 in delta'; "
          "epsilary-fixed-clip is far tighter",
      .proof = "clip",
      .needs = {eps0, delta0, m, p0, delta, delta1},
      .rises = {eps0, p0},
      .falls = {delta},
      .turns = {m},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = replaced_in_fixed_window().parts_given,
  };
}
Bound approximate_conference() {
  return {
      .id = "balle2020-thm3.2-approx-printed",
      .title = "Random check-ins with a fixed window, approximate randomizer, conference text",
      .protocol = "checkin-fixed",
      .source = "Balle et al. 2020, Theorem 3.2, case delta0 > 0 (conference version)",
      .formula =
          R"(\varepsilon' = \text{Theorem 3.2 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
      .standing = Standing::repaired,
      .note =
          "its own proof gives delta_1, not the printed delta_0; true all the same, because clipping "
          "(epsilary-fixed-2eps0) proves delta_0 already at 2 eps0",
      .proof = "clip",
      .needs = {eps0, delta0, m, p0, delta, delta1},
      .rises = {eps0, p0},
      .falls = {delta},
      .turns = {m},
      .assumes = {assume::lemma_a3_admits_delta0()},
      .evaluate = replaced_in_fixed_window_conference().parts_given,
  };
}
// For approximate randomizers what m calls cost rises in m, and the theorem falls.
Bound turning(Bound b) {
  b.rises = {eps0, p0, delta0};
  b.turns = {m};
  b.example = "--eps0 0.1 --delta0 1e-18 --m 10000 --p0 0.1 --delta 1e-6";
  return b;
}
}  // namespace

std::span<const Bound> balle2020_fixed_window() {
  static const Bound list[] = {
      {
          .id = "balle2020-thm3.2",
          .title = "Random check-ins with a fixed window",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem 3.2, case delta0 = 0",
          .formula =
              R"(p_0(e^{\varepsilon_0}-1)\sqrt{\frac{2e^{\varepsilon_0}\log(1/\delta)}{m}} + \frac{p_0^2e^{\varepsilon_0}(e^{\varepsilon_0}-1)^2}{2m})",
          .proof = "posterior, overlap, composition",
          .needs = {eps0, m, p0, delta},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .evaluate = fixed_window(),
      },
      {
          .id = "balle2020-thm3.2-simple",
          .title = "Random check-ins with a fixed window, simplified",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem 3.2, simplified",
          .formula = R"(7p_0\varepsilon_0\sqrt{\log(1/\delta)/m})",
          .note = "the proof says delta <= 1/4, but 1/100 as in the statement is needed",
          .proof = "posterior",
          .needs = {eps0, m, p0, delta},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .assumes = {assume::small_eps0(), assume::small_delta()},
          .evaluate = fixed_window_simple(),
      },
      approximate(),
      turning(parts_found(approximate(), {eps0, delta0, m, p0, delta}, replaced_in_fixed_window().whole_given)),
      approximate_conference(),
      turning(parts_found(approximate_conference(), {eps0, delta0, m, p0, delta},
                          replaced_in_fixed_window_conference().whole_given)),
      {
          .id = "balle2020-thmA.4",
          .title = "Random replacement with weights at most w",
          .protocol = "random-replacement",
          .source = "Balle et al. 2020, Theorem A.4",
          .formula =
              R"(w(e^{\varepsilon_0}-1)\sqrt{\frac{2e^{\varepsilon_0}\log(1/\delta)}{m}} + \frac{w^2e^{\varepsilon_0}(e^{\varepsilon_0}-1)^2}{2m})",
          .note = "in the text at hand the case delta0 > 0 has e^{-2 eps0} for e^{-5 eps0}",
          .proof = "posterior, overlap, composition",
          .needs = {eps0, m, w, delta},
          .rises = {eps0, w},
          .falls = {m, delta},
          .evaluate = weighted_slots(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
