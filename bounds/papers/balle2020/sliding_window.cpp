// Random check-ins with a sliding window: Theorem 4.3 is Theorem 3.2 at p0 = 1.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/forms/parts.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

Bound approximate() {
  return {
      .id = "balle2020-thm4.3-approx",
      .title = "Random check-ins with a sliding window, approximate randomizer",
      .protocol = "checkin-sliding",
      .source = "Balle et al. 2020, Theorem 4.3, case delta0 > 0",
      .formula =
          R"(\varepsilon' = \text{Theorem 4.3 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_1)",
      .standing = Standing::repaired,
      .note =
          "the protocol makes n-m+1 calls, yet m is right: only the calls in the window of the changed user "
          "need replacing",
      .proof = "clip",
      .needs = {eps0, delta0, m, delta, delta1},
      .takes = {n},
      .rises = {eps0},
      .falls = {delta},
      .turns = {m},
      .assumes = {assume::window_within_users(), assume::lemma_a3_admits_delta0()},
      .evaluate = replaced_in_sliding_window().parts_given,
  };
}
Bound approximate_of_whole() {
  Bound b = parts_found(approximate(), {eps0, delta0, m, delta}, replaced_in_sliding_window().whole_given);
  b.takes = {n};
  b.rises.push_back(delta0);
  b.turns = {m};
  b.assumes = {assume::window_within_users()};
  b.example = "--eps0 0.1 --delta0 1e-18 --m 10000 --delta 1e-6";
  return b;
}

}  // namespace

std::span<const Bound> balle2020_sliding_window() {
  static const Bound list[] = {
      {
          .id = "balle2020-thm4.3",
          .title = "Random check-ins with a sliding window",
          .protocol = "checkin-sliding",
          .source = "Balle et al. 2020, Theorem 4.3, case delta0 = 0",
          .formula =
              R"((e^{\varepsilon_0}-1)\sqrt{\frac{2e^{\varepsilon_0}\log(1/\delta)}{m}} + \frac{e^{\varepsilon_0}(e^{\varepsilon_0}-1)^2}{2m})",
          .proof = "posterior, overlap, composition",
          .needs = {eps0, m, delta},
          .takes = {n},
          .rises = {eps0},
          .falls = {m, delta},
          .assumes = {assume::window_within_users()},
          .evaluate = sliding_window(),
      },
      {
          .id = "balle2020-thm4.3-simple",
          .title = "Random check-ins with a sliding window, simplified",
          .protocol = "checkin-sliding",
          .source = "Balle et al. 2020, Theorem 4.3, simplified",
          .formula = R"(7\varepsilon_0\sqrt{\log(1/\delta)/m})",
          .proof = "posterior",
          .needs = {eps0, m, delta},
          .takes = {n},
          .rises = {eps0},
          .falls = {m, delta},
          .assumes = {assume::small_eps0(), assume::small_delta(), assume::window_within_users()},
          .evaluate = sliding_window_simple(),
      },
      approximate(),
      approximate_of_whole(),
  };
  return list;
}

}  // namespace epsilary::bounds
