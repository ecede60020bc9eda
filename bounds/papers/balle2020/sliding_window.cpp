// Random check-ins with a sliding window: Theorem 4.3 is Theorem 3.2 at p0 = 1.
#include <span>

#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/checkin/hypotheses.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

using Approximate = Replaced<SlidingWindow, 8, Each<m>, delta1>;

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
      .evaluate = printed<Approximate>(),
  };
}
Bound approximate_of_whole() {
  Bound b = parts_found(approximate(), {eps0, delta0, m, delta}, least_delta1_of<Approximate>());
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
          .evaluate = each_number([]<Real R>(const Values<R>& x) {
            return with_cap(random_replacement(x[eps0], x[m], R(1), x[delta]), x[eps0]);
          }),
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
          .evaluate = each_number([]<Real R>(const Values<R>& x) {
            return with_cap(random_replacement_simple(x[eps0], x[m], x[delta]), x[eps0]);
          }),
      },
      approximate(),
      approximate_of_whole(),
  };
  return list;
}

}  // namespace epsilary::bounds
