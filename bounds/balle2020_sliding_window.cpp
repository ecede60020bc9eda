// Random check-ins with a sliding window: Theorem 4.3 is Theorem 3.2 at p0 = 1.
#include <span>

#include "bounds/assume.hpp"
#include "bounds/balle2020_approximate.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace balle2020;

using Approximate = Replaced<SlidingWindow, 8, m, delta1>;
using Twice = Replaced<SlidingWindow, 2, m, delta0>;

struct Clipped {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R eps_ = random_replacement(x[eps0], x[m], R(1), x[delta]);
    return {{.value = eps_}, log_clipping_cost(x[eps0], x[delta0], R(1), eps_)};
  }
};

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
      {
          .id = "epsilary-sliding-2eps0",
          .title = "Random check-ins with a sliding window, every call clipped",
          .protocol = "checkin-sliding",
          .source = "epsilary; Balle et al. 2020, Theorem 4.3 with Lemma A.3 proved at 2 eps0",
          .formula =
              R"(\varepsilon' = \text{Theorem 4.3 at } 2\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
          .proof = "clip",
          .needs = {eps0, delta0, m, delta},
          .takes = {n, share},
          .rises = {eps0, delta0},
          .falls = {delta},
          .turns = {m},
          .assumes = {assume::window_within_users()},
          .evaluate = whole_delta_of<Twice>(),
      },
      {
          .id = "epsilary-sliding-clip",
          .title = "Random check-ins with a sliding window, approximate randomizer at eps0 itself",
          .protocol = "checkin-sliding",
          .source = "epsilary; only the calls on the changed record are clipped, to the call they replace",
          .formula =
              R"(\varepsilon = \text{Theorem 4.3 at } \varepsilon_0,\quad \delta' = \delta + \delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\varepsilon_0}{1-e^{-\varepsilon_0}}\right))",
          .proof = "clip, posterior",
          .needs = {eps0, delta0, m, delta},
          .takes = {n, share},
          .rises = {eps0, delta0},
          .falls = {m, delta},
          .assumes = {assume::window_within_users()},
          .evaluate = whole_delta_of<Clipped>(),
      },
  };
  return list;
}

}  // namespace bounds
