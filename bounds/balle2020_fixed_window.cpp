#include "bounds/balle2020_fixed_window.hpp"

#include <span>

#include "bounds/assume.hpp"
#include "bounds/bound.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace balle2020;

// Theorem 3.2 at `factor` times eps0, with the delta that replacing m calls at this distance costs.
template <Real R>
Answer<R> approximate(const Values<R>& x, int factor, Param distance) {
  const R eps_ = random_replacement(R(factor * x[eps0]), x[m], x[p0], x[delta]);
  return with_delta(eps_, log_approximation_delta(x[delta], x[m], eps_, x[distance]));
}

Hypothesis slots_divide_users() {
  return exactly("m divides n", [](const auto& x) { return is_integer(x[n] / x[m]); });
}

std::vector<Hypothesis> closed_form_hypotheses() {
  return {slots_divide_users(),
          provably("eps0 <= (2/3) log(n / (8 sqrt(m)))",
                   [](const auto& x) { return 2 * log(x[n] / (8 * sqrt(x[m]))) / 3 - x[eps0]; }),
          provably("n >= (e^eps0 - 1)^2 e^eps0 sqrt(m) log(1/beta)",
                   [](const auto& x) {
                     const auto x0 = expm1(x[eps0]);
                     return x[n] + x0 * x0 * (1 + x0) * sqrt(x[m]) * log(x[beta]);
                   }),
          provably("log(1/beta) >= 1/512", [](const auto& x) { return -512 * log(x[beta]) - 1; })};
}

template <Real R>
Answer<R> closed(const Values<R>& x, const R& constant) {
  return with_delta(repeated_closed(x[eps0], x[n], x[beta], x[delta], constant),
                    log_repeated_delta(x[n], x[m], x[beta], x[delta]));
}

const char* const approximate_formula =
    R"(\varepsilon' = \text{Theorem 3.2 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_1)";

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
          .needs = {eps0, m, p0, delta},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .assumes = {assume::small_eps0(), assume::small_delta()},
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement_simple(x[p0] * x[eps0], x[m], x[delta]),
                            replacement_cap(x[eps0], x[p0]));
          }),
      },
      {
          .id = "balle2020-thm3.2-approx",
          .title = "Random check-ins with a fixed window, approximate randomizer",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem 3.2, case delta0 > 0 (full version)",
          .formula = approximate_formula,
          .standing = Standing::repaired,
          .note = "the conference text prints e^{-delta eps0} for e^{-5 eps0} and delta_0 for delta_1 in delta'; "
                  "epsilary-fixed-clip is far tighter",
          .needs = {eps0, delta0, m, p0, delta, delta1},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .assumes = {assume::lemma_a3_admits_delta0()},
          .evaluate = each_number([](const auto& x) { return approximate(x, 8, delta1); }),
      },
      {
          .id = "balle2020-thm3.2-approx-printed",
          .title = "Random check-ins with a fixed window, approximate randomizer, conference text",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem 3.2, case delta0 > 0 (conference version)",
          .formula =
              R"(\varepsilon' = \text{Theorem 3.2 at } 8\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
          .standing = Standing::repaired,
          .note = "its own proof gives delta_1, not the printed delta_0; true all the same, because clipping "
                  "(epsilary-fixed-2eps0) proves delta_0 already at 2 eps0",
          .needs = {eps0, delta0, m, p0, delta, delta1},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .assumes = {assume::lemma_a3_admits_delta0()},
          .evaluate = each_number([](const auto& x) { return approximate(x, 8, delta0); }),
      },
      {
          .id = "epsilary-fixed-2eps0",
          .title = "Random check-ins with a fixed window, every call clipped",
          .protocol = "checkin-fixed",
          .source = "epsilary; Balle et al. 2020, Theorem 3.2 with Lemma A.3 proved at 2 eps0",
          .formula =
              R"(\varepsilon' = \text{Theorem 3.2 at } 2\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
          .note = "clipping the law of each call to that of a fixed record gives a 2 eps0-DP randomizer at total "
                  "variation delta0",
          .needs = {eps0, delta0, m, p0, delta},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) { return approximate(x, 2, delta0); }),
      },
      {
          .id = "epsilary-fixed-clip",
          .title = "Random check-ins with a fixed window, approximate randomizer at eps0 itself",
          .protocol = "checkin-fixed",
          .source = "epsilary; only the calls on the changed record are clipped, to the call they replace",
          .formula =
              R"(\varepsilon = \text{epsilary-fixed-posterior at } \varepsilon_0,\quad \delta' = \delta + p_0\delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\log(1/(1-b))}{b}\right),\ b=p_0(1-e^{-\varepsilon_0}))",
          .needs = {eps0, delta0, m, p0, delta},
          .rises = {eps0, p0},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) {
            const auto eps_ = random_replacement_posterior(x[eps0], x[m], x[p0], x[delta]);
            return with_delta(eps_, log_clipped_delta(x[eps0], x[delta0], x[p0], x[delta], eps_));
          }),
      },
      {
          .id = "epsilary-fixed-posterior",
          .title = "Random check-ins with a fixed window, sharper posterior",
          .protocol = "checkin-fixed",
          .source = "epsilary; Balle et al. 2020, Lemma A.2 with b = p0 (1 - e^{-eps0})",
          .formula =
              R"(\frac{A}{2}+\sqrt{2A\log(1/\delta)},\quad A=\frac{p_0^2(e^{\varepsilon_0}-1)^2}{m(1-p_0(1-e^{-\varepsilon_0}))})",
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
          .protocol = "checkin-fixed",
          .source = "epsilary; overlapping mixtures with the constant probability w",
          .formula = R"(\log(1+w(e^{\varepsilon_0}-1)))",
          .needs = {eps0, w},
          .rises = {eps0, w},
          .evaluate = each_number([](const auto& x) { return replacement_cap(x[eps0], x[w]); }),
      },
      {
          .id = "balle2020-thmA.4",
          .title = "Random replacement with weights at most w",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem A.4",
          .formula =
              R"(w(e^{\varepsilon_0}-1)\sqrt{\frac{2e^{\varepsilon_0}\log(1/\delta)}{m}} + \frac{w^2e^{\varepsilon_0}(e^{\varepsilon_0}-1)^2}{2m})",
          .note = "the case delta0 > 0 prints e^{-2 eps0} for e^{-5 eps0}",
          .needs = {eps0, m, w, delta},
          .rises = {eps0, w},
          .falls = {m, delta},
          .evaluate = each_number([](const auto& x) {
            return with_cap(random_replacement(x[eps0], x[m], x[w], x[delta]), replacement_cap(x[eps0], x[w]));
          }),
      },
      {
          .id = "balle2020-cor3.3",
          .title = "One epoch of random check-ins, n/m repetitions composed",
          .protocol = "checkin-epoch",
          .source = "Balle et al. 2020, Corollary 3.3, equation (7)",
          .formula =
              R"(\varepsilon_1\sqrt{2\frac{n}{m}\log(1/\delta)}+\frac{n}{m}\varepsilon_1(e^{\varepsilon_1}-1),\ \varepsilon_1=\text{Theorem 3.2 at } p_0=\frac{m}{n},\beta;\quad \delta'=\frac{n}{m}\beta+\delta)",
          .standing = Standing::repaired,
          .note = "the whole delta is n beta/m + delta, not the delta of the statement; the last display of the "
                  "proof has log(1/beta) for log(1/delta) and a root too long",
          .needs = {eps0, n, m, beta, delta},
          .rises = {eps0},
          .falls = {beta, delta},
          .assumes = {slots_divide_users()},
          .evaluate = each_number([](const auto& x) {
            return with_delta(repeated(x[eps0], x[n], x[m], x[beta], x[delta]),
                              log_repeated_delta(x[n], x[m], x[beta], x[delta]));
          }),
      },
      {
          .id = "balle2020-cor3.3-closed",
          .title = "One epoch of random check-ins, closed form",
          .protocol = "checkin-epoch",
          .source = "Balle et al. 2020, Corollary 3.3, last display of the proof",
          .formula =
              R"(4(e^{\varepsilon_0}-1)\sqrt{\frac{e^{\varepsilon_0}\log(1/\beta)\log(1/\delta)}{n}}+\frac{12(e^{\varepsilon_0}-1)^2e^{\varepsilon_0}\log(1/\beta)}{n};\quad \delta'=\frac{n}{m}\beta+\delta)",
          .standing = Standing::repaired,
          .note = "12 is right under both printed hypotheses together; the proof derives eps1 <= 1/2 from the first "
                  "alone, which does not give it",
          .needs = {eps0, n, m, beta, delta},
          .rises = {eps0},
          .falls = {beta, delta},
          .assumes = closed_form_hypotheses(),
          .evaluate = each_number([]<Real R>(const Values<R>& x) { return closed(x, R(12)); }),
      },
      {
          .id = "balle2020-cor3.3-closed-loose",
          .title = "One epoch of random check-ins, closed form with a constant that needs less",
          .protocol = "checkin-epoch",
          .source = "Balle et al. 2020, Corollary 3.3, with e^x - 1 <= (e - 1) x for eps1 <= 1",
          .formula =
              R"(4(e^{\varepsilon_0}-1)\sqrt{\frac{e^{\varepsilon_0}\log(1/\beta)\log(1/\delta)}{n}}+\frac{8(e-1)(e^{\varepsilon_0}-1)^2e^{\varepsilon_0}\log(1/\beta)}{n};\quad \delta'=\frac{n}{m}\beta+\delta)",
          .standing = Standing::repaired,
          .note = "8 (e - 1) = 13.7463 in place of 12: valid and not needed",
          .needs = {eps0, n, m, beta, delta},
          .rises = {eps0},
          .falls = {beta, delta},
          .assumes = closed_form_hypotheses(),
          .evaluate = each_number([]<Real R>(const Values<R>& x) { return closed(x, R(8 * (euler<R>() - 1))); }),
      },
  };
  return list;
}

}  // namespace bounds
