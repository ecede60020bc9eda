// What Balle et al. 2020 say beside their theorems: (6) of the proof of Corollary 3.3, the clients of Remark 4 who come
// to no slot, and the excess risks at a given epsilon after Theorem 4.2.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"
#include "bounds/theory/checkin/risk_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

const char* const compared = "Balle et al. 2020, comparison of Algorithms 1 and 2 after Theorem 4.2";

Bound at_epsilon(std::string id, std::string title, std::string protocol, std::string formula, std::string source) {
  return {
      .id = std::move(id),
      .title = std::move(title),
      .protocol = std::move(protocol),
      .source = std::move(source),
      .formula = std::move(formula),
      .quantity = Quantity::risk,
      .side = Side::estimate,
      .standing = Standing::rate,
      .note = "an order of magnitude: every constant and logarithm of the O~ is taken as 1",
      .adjacency = Adjacency::none,
      .needs = {radius, lipschitz, dim, eps, n, m},
      .rises = {radius, lipschitz, dim},
      .falls = {eps, n},
      .assumes = {assume::slots_within_users(), assume::positive<eps>()},
  };
}

std::vector<Bound> risks() {
  Bound fixed =
      at_epsilon("balle2020-risk-fixed", "Excess risk with a fixed window at a given epsilon, order", "checkin-fixed",
                 R"(RL\sqrt{\frac1m+\frac{p}{\varepsilon^2n^2}},\quad p_0=\frac mn)", compared);
  fixed.falls.push_back(m);
  fixed.evaluate = risk_order_fixed_window();
  Bound averaged = at_epsilon("balle2020-risk-averaged", "Excess risk with averaged updates at a given epsilon, order",
                              "checkin-averaged", R"(RL\sqrt{\frac1m+\frac{p}{\varepsilon^2nm}})", compared);
  averaged.falls.push_back(m);
  averaged.evaluate = risk_order_averaged();
  Bound smooth =
      at_epsilon("balle2020-risk-smooth", "Excess risk with averaged updates at a given epsilon, smooth loss, order",
                 "checkin-averaged", R"(RL\sqrt{\frac1n+\frac{p}{\varepsilon^2nm}}+\frac{\beta R^2}{m})", compared);
  smooth.falls.push_back(m);
  smooth.needs.push_back(Param::smooth);
  smooth.evaluate = risk_order_smooth();
  Bound central = at_epsilon("balle2020-risk-central", "Optimal excess risk of central privacy, order", "central-sgd",
                             R"(RL\sqrt{\frac1n+\frac{p}{\varepsilon^2n^2}})",
                             "Balle et al. 2020, as m tends to n; Bassily, Feldman, Talwar and Thakurta 2019");
  central.needs = {radius, lipschitz, dim, eps, n};
  central.assumes = {assume::positive<eps>()};
  central.evaluate = risk_order_central();
  return {fixed, averaged, smooth, central};
}

Bound once() {
  return {
      .id = "balle2020-cor3.3-eq6",
      .title = "One of n/m repetitions of random check-ins, simplified",
      .protocol = "checkin-epoch-once",
      .source = "Balle et al. 2020, Corollary 3.3, (6) of its proof",
      .formula = R"(\frac{2(e^{\varepsilon_0}-1)\sqrt{2me^{\varepsilon_0}\log(1/\beta)}}{n},\quad p_0=\frac mn)",
      .note = "twice the larger term of Theorem 3.2 at p0 = m/n and delta = beta",
      .proof = "posterior",
      .needs = {eps0, n, m, beta},
      .rises = {eps0},
      .falls = {n, beta},
      .assumes = {assume::slots_within_users(),
                  provably("(e^eps0 - 1) sqrt(m e^eps0)/(2 n) <= sqrt(2 log(1/beta)), as in the corollary",
                           [](const Values<Ball>& x) { return one_repetition_margin(x); })},
      .evaluate = one_repetition(),
  };
}

// Client j of n picks one of the slots j..j+m-1, and the slots m..n are used: of the first m-1 clients (m-j)/m come too
// early, of the last m-1 as many too late.
Bound lost() {
  return {
      .id = "balle2020-remark4-lost",
      .title = "Expected clients of a sliding window who come before its first slot or after its last",
      .protocol = "checkin-sliding",
      .source = "Balle et al. 2020, Remark 4, counted",
      .formula = R"(2\sum_{j<m}\frac{m-j}{m}=m-1)",
      .quantity = Quantity::count,
      .side = Side::exact,
      .proof = "empty",
      .adjacency = Adjacency::none,
      .needs = {n, m},
      .rises = {m},
      .assumes = {assume::slots_within_users()},
      .evaluate = each_number([]<Real R>(const Values<R>& x) { return R(x[m] - 1); }),
  };
}

}  // namespace

std::span<const Bound> balle2020_asides() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = risks();
    out.push_back(once());
    out.push_back(lost());
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
