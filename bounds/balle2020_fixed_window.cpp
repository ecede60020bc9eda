#include "bounds/balle2020_fixed_window.hpp"

#include <span>

#include "bounds/assume.hpp"
#include "bounds/balle2020_approximate.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace balle2020;

using Approximate = Replaced<FixedWindow, 8, m, delta1>;
using Conference = Replaced<FixedWindow, 8, m, delta0>;
using Twice = Replaced<FixedWindow, 2, m, delta0>;

struct Clipped {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R eps_ = random_replacement_posterior(x[eps0], x[m], x[p0], x[delta]);
    return {{.value = eps_}, log_clipping_cost(x[eps0], x[delta0], x[p0], eps_)};
  }
};

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
          "the conference text prints e^{-delta eps0} for e^{-5 eps0} and delta_0 for delta_1 in delta'; "
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
            return with_cap(random_replacement(x[eps0], x[m], x[p0], x[delta]), replacement_cap(x[eps0], x[p0]));
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
            return with_cap(random_replacement_simple(x[p0] * x[eps0], x[m], x[delta]),
                            replacement_cap(x[eps0], x[p0]));
          }),
      },
      approximate(),
      turning(parts_found(approximate(), {eps0, delta0, m, p0, delta}, least_delta1_of<Approximate>())),
      approximate_conference(),
      turning(parts_found(approximate_conference(), {eps0, delta0, m, p0, delta}, least_delta1_of<Conference>())),
      {
          .id = "epsilary-fixed-2eps0",
          .title = "Random check-ins with a fixed window, every call clipped",
          .protocol = "checkin-fixed",
          .source = "epsilary; Balle et al. 2020, Theorem 3.2 with Lemma A.3 proved at 2 eps0",
          .formula =
              R"(\varepsilon' = \text{Theorem 3.2 at } 2\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
          .note = "clipping the law of each call to that of a fixed record gives a 2 eps0-DP randomizer at total "
                  "variation delta0",
          .proof = "clip",
          .needs = {eps0, delta0, m, p0, delta},
          .takes = {share},
          .rises = {eps0, p0, delta0},
          .falls = {delta},
          .turns = {m},
          .evaluate = whole_delta_of<Twice>(),
      },
      {
          .id = "epsilary-fixed-clip",
          .title = "Random check-ins with a fixed window, approximate randomizer at eps0 itself",
          .protocol = "checkin-fixed",
          .source = "epsilary; only the calls on the changed record are clipped, to the call they replace",
          .formula =
              R"(\varepsilon = \text{epsilary-fixed-posterior at } \varepsilon_0,\quad \delta' = \delta + p_0\delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\log(1/(1-b))}{b}\right),\ b=p_0(1-e^{-\varepsilon_0}))",
          .proof = "clip, posterior",
          .needs = {eps0, delta0, m, p0, delta},
          .takes = {share},
          .rises = {eps0, p0, delta0},
          .falls = {m, delta},
          .evaluate = whole_delta_of<Clipped>(),
      },
      {
          .id = "epsilary-fixed-posterior",
          .title = "Random check-ins with a fixed window, sharper posterior",
          .protocol = "checkin-fixed",
          .source = "epsilary; Balle et al. 2020, Lemma A.2 with b = p0 (1 - e^{-eps0})",
          .formula =
              R"(\frac{A}{2}+\sqrt{2A\log(1/\delta)},\quad A=\frac{p_0^2(e^{\varepsilon_0}-1)^2}{m(1-p_0(1-e^{-\varepsilon_0}))})",
          .proof = "posterior, overlap, composition",
          .needs = {eps0, m, p0, delta},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement_posterior(x[eps0], x[m], x[p0], x[delta]),
                            replacement_cap(x[eps0], x[p0]));
          }),
      },
      {
          .id = "epsilary-checkin-cap",
          .title = "What holds for any check-in protocol without amplification by the slots",
          .protocol = "random-replacement",
          .source = "epsilary; overlapping mixtures with the constant probability w",
          .formula = R"(\log(1+w(e^{\varepsilon_0}-1)))",
          .proof = "cap",
          .needs = {eps0, w},
          .rises = {eps0, w},
          .evaluate = each_number([](const auto& x) { return replacement_cap(x[eps0], x[w]); }),
      },
      {
          .id = "balle2020-thmA.4",
          .title = "Random replacement with weights at most w",
          .protocol = "random-replacement",
          .source = "Balle et al. 2020, Theorem A.4",
          .formula =
              R"(w(e^{\varepsilon_0}-1)\sqrt{\frac{2e^{\varepsilon_0}\log(1/\delta)}{m}} + \frac{w^2e^{\varepsilon_0}(e^{\varepsilon_0}-1)^2}{2m})",
          .note = "the case delta0 > 0 prints e^{-2 eps0} for e^{-5 eps0}",
          .proof = "posterior, overlap, composition",
          .needs = {eps0, m, w, delta},
          .rises = {eps0, w},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement(x[eps0], x[m], x[w], x[delta]), replacement_cap(x[eps0], x[w]));
          }),
      },
  };
  return list;
}

}  // namespace bounds
