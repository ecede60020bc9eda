#include <span>

#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/checkin/hypotheses.hpp"
#include "bounds/theory/checkin/windows.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

using Approximate = Replaced<FixedWindow, 8, Each<m>, delta1>;
using Conference = Replaced<FixedWindow, 8, Each<m>, delta0>;

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
      .evaluate = each_number([](const auto& x) { return as_printed<Approximate>(x); }),
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
      .evaluate = each_number([](const auto& x) { return as_printed<Conference>(x); }),
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
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement(x[eps0], x[m], x[p0], x[delta]), subsampled(x[eps0], x[p0]));
          }),
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
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement_simple(x[p0] * x[eps0], x[m], x[delta]), subsampled(x[eps0], x[p0]));
          }),
      },
      approximate(),
      turning(parts_found(approximate(), {eps0, delta0, m, p0, delta}, least_delta1_of<Approximate>())),
      approximate_conference(),
      turning(parts_found(approximate_conference(), {eps0, delta0, m, p0, delta}, least_delta1_of<Conference>())),
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
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement(x[eps0], x[m], x[w], x[delta]), subsampled(x[eps0], x[w]));
          }),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
