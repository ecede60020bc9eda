#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/risk_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const convex_note =
    "the theorem is an O~; the constants are those of its proof, which uses E[1/S] <= m/n, where 2m/(n+1) is true, and "
    "skips empty bins: a display, not a bound; epsilary-averaged-risk is one";

}  // namespace

std::span<const Bound> balle2020_risk() {
  static const Bound list[] = {
      {
          .id = "balle2020-thm3.5",
          .title = "Excess risk with a fixed window",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem 3.5, with the constant of its proof",
          .formula =
              R"(\frac{2RG(2+\log m)}{\sqrt m},\quad G=\frac{\sqrt{p\sigma^2+L^2}}{1-2e^{-np_0/m}},\ \eta_i=\frac{R}{G\sqrt i})",
          .quantity = Quantity::risk,
          .standing = Standing::published,
          .note = "the slots are not independent, so the gradient is unbiased only for a Poisson population; the "
                  "proof writes (1 - 2e^{-np0/m}) where its square is needed",
          .adjacency = Adjacency::none,
          .needs = {radius, lipschitz, dim, noise, n, m, p0},
          .rises = {radius, lipschitz, dim, noise},
          .falls = {n, p0},
          .assumes = {assume::slots_within_users(),
                      provably("n p0/m > log 2", [](const Values<Ball>& x) { return used_slots_margin(x); })},
          .evaluate = risk_fixed_window(),
      },
      {
          .id = "balle2020-thm3.5-tight",
          .title = "Excess risk with a fixed window, only real updates rescaled",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Theorem 3.5, with the exact probability of an empty slot",
          .formula =
              R"(\frac{2RG(2+\log m)}{\sqrt m},\quad G^2=\frac{L^2+p\sigma^2}{1-p_\bot}+p_\bot p\sigma^2,\ p_\bot=(1-p_0/m)^n)",
          .quantity = Quantity::risk,
          .standing = Standing::published,
          .note = "as for balle2020-thm3.5, the argument is exact for a Poisson population only",
          .adjacency = Adjacency::none,
          .needs = {radius, lipschitz, dim, noise, n, m, p0},
          .rises = {radius, lipschitz, dim, noise},
          .falls = {n, p0},
          .assumes = {assume::slots_within_users(), assume::positive<p0>()},
          .evaluate = risk_fixed_window_dummies(),
      },
      {
          .id = "balle2020-thm4.2-convex",
          .title = "Excess risk with averaged updates",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, Theorem 4.2, with the constant of its proof",
          .formula = R"(\frac{2RG(2+\log m)}{\sqrt m},\quad G^2=L^2+\frac{mp\sigma^2}{n},\ \eta_i=\frac{R}{G\sqrt i})",
          .quantity = Quantity::risk,
          .side = Side::estimate,
          .standing = Standing::rate,
          .note = convex_note,
          .adjacency = Adjacency::none,
          .needs = {radius, lipschitz, dim, noise, n, m},
          .rises = {radius, lipschitz, dim, noise},
          .falls = {n},
          .assumes = {assume::slots_within_users()},
          .evaluate = risk_averaged(),
      },
      {
          .id = "balle2020-thm4.2-convex-doubled",
          .title = "Excess risk with averaged updates, noise term doubled",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, Theorem 4.2, with E[1/S; S > 0] <= 2m/n",
          .formula = R"(\frac{2RG(2+\log m)}{\sqrt m},\quad G^2=L^2+\frac{2mp\sigma^2}{n})",
          .quantity = Quantity::risk,
          .side = Side::estimate,
          .standing = Standing::rate,
          .note = "mends the moment of 1/S and not the skipped empty bins: a display, not a bound; "
                  "epsilary-averaged-risk is one",
          .adjacency = Adjacency::none,
          .needs = {radius, lipschitz, dim, noise, n, m},
          .rises = {radius, lipschitz, dim, noise},
          .falls = {n},
          .assumes = {assume::slots_within_users()},
          .evaluate = risk_averaged_doubled(),
      },
      {
          .id = "balle2020-thm4.2-smooth",
          .title = "Excess risk with averaged updates, smooth loss",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, Theorem 4.2, smooth case, constant derived from its proof",
          .formula =
              R"(2R\sqrt{\frac{L^2+p\sigma^2}{n}}+\frac{\beta R^2}{m},\quad \eta=\frac{R\sqrt n}{\beta R\sqrt n+m\sqrt{L^2+p\sigma^2}})",
          .quantity = Quantity::risk,
          .side = Side::estimate,
          .standing = Standing::rate,
          .note =
              "the theorem is an O~; the constants are derived from its proof, which skips empty bins: a display, not "
              "a bound",
          .adjacency = Adjacency::none,
          .needs = {radius, lipschitz, dim, noise, smooth, n, m},
          .rises = {radius, lipschitz, dim, noise, smooth},
          .falls = {n, m},
          .assumes = {assume::slots_within_users()},
          .evaluate = risk_averaged_smooth(),
      },
      {
          .id = "balle2020-thm4.2-inverse-load",
          .title = "Mean of one over the load of a bin",
          .protocol = "checkin-averaged",
          .source = "Balle et al. 2020, proof of Theorem 4.2, exact",
          .formula = R"(\mathbb{E}[1\{S>0\}/S],\quad S\sim\mathrm{Bin}(n,1/m))",
          .quantity = Quantity::ratio,
          .side = Side::exact,
          .note = "the proof bounds it by m/n, but by Jensen's inequality it can be larger; 2m/(n+1) is true",
          .proof = "loads",
          .adjacency = Adjacency::none,
          .needs = {n, m},
          .evaluate = mean_of_inverse_load(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
