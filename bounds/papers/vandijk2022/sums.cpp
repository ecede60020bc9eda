// What adds up: mu of unequal Gaussian mechanisms, zCDP and tCDP over rounds and groups, and the trade-off function of
// composed DP-SGD.
#include <span>

#include "bounds/core/bound.hpp"
#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/composed.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"
#include "bounds/theory/gaussian.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace dpsgd;

// The type-II error that (eps, delta(eps)) leaves a test of level alpha, for a trade-off function that is symmetric: a
// line that touches the function at one level, from either end.
Ball line_below(const Values<Ball>& x, const Ball& at, const Request& request) {
  Values<Ball> point = x;
  point.set(eps, abs(at));
  const Ball kept = 1 - composed_fixed_size(point, request);
  return certainly(at >= 0) ? kept - exp(at) * x[alpha] : exp(at) * (kept - x[alpha]);
}

// Every eps gives a line below the function. The one that touches it at alpha is sought around where it would be by the
// central limit theorem, with little work; the line found is bounded with all of it.
Answer<Ball> tradeoff_at(const Values<Ball>& x, const Request& request) {
  const double steps = to_double(x[T]), level = to_double(x[alpha]);
  const double mu = to_double(x[q]) * std::sqrt(steps) * clt_factor(to_double(x[sigma]));
  const double middle = mu * -to_double(normal_quantile(Ball(level))) - mu * mu / 2;
  const Request little{10 * composed_width, request.work / 40};
  double best = middle, least = 2;
  for (const double shift : {-0.5, -0.2, 0.0, 0.2, 0.5}) {
    const double at = middle + shift * mu;
    const Ball line = line_below(x, Ball(at), little);
    if (line.finite() && 1 - line.lower() < least) best = at, least = 1 - line.lower();
  }
  const Ball at(best), line = line_below(x, at, request);
  Answer<Ball> answer{.value = certainly(line <= 0) ? Ball(0) : line};
  answer.at = {{eps, abs(at)}};
  return answer;
}

// Of a group, 1 - (1-f)^{og}: the level that g - 1 neighbours make of alpha, each rounded up, and f there.
Answer<Ball> composed_tradeoff(const Values<Ball>& x, const Request& request) {
  Values<Ball> point = x;
  const double members = x.has(group) ? to_double(x[group]) : 1;
  for (double k = 1; k < members; ++k) {
    const Ball level = 1 - tradeoff_at(point, request).value.lower_end();
    if (!certainly(level < 1 - Ball(1e-9))) return {.value = Ball(0)};
    point.set(alpha, level.upper_end());
  }
  return tradeoff_at(point, request);
}

Bound tradeoff() {
  return {
      .id = "vandijk2022-composed-tradeoff",
      .title = "Trade-off function of DP-SGD, from below, by composing its privacy losses",
      .protocol = "dp-sgd",
      .source = "van Dijk and Nguyen 2022, sections 4.4 and, for a group, 4.6",
      .formula =
          R"(f(\alpha)=\max_\varepsilon 1-\delta(\varepsilon)-e^{\varepsilon}\alpha,\ C_q(G_{1/\sigma})^{\otimes T};\quad 1-(1-f)^{\circ g})",
      .quantity = Quantity::error,
      .side = Side::lower,
      .note =
          "a line below the function that touches it near alpha, at the eps told; fixed-size batches drawn afresh at "
          "each step, replace-one neighbours",
      .proof = "batches, subsampling, domination, tradeoff",
      .needs = {q, sigma, T, alpha},
      .takes = {group},
      .rises = {sigma},
      .falls = {q, T, alpha, group},
      .assumes = {exactly("q >= 1e-8", [](const auto& x) { return 100000000 * x[q] >= 1; }),
                  exactly("0.05 <= sigma <= 10000",
                          [](const auto& x) { return 20 * x[sigma] >= 1 && x[sigma] <= 10000; }),
                  exactly("T <= 10^9", [](const auto& x) { return x[T] <= 1000000000; }),
                  exactly("1e-9 <= alpha <= 1 - 1e-9",
                          [](const auto& x) { return 1000000000 * x[alpha] >= 1 && 1000000000 * (1 - x[alpha]) >= 1; }),
                  exactly("group <= 10", [](const auto& x) { return !x.has(group) || x[group] <= 10; })},
      .remark = fixed_size_remark,
      .example = "--q 0.01 --sigma 1 --T 1000 --alpha 0.05",
      .width = composed_width,
      .evaluate = bracketed<composed_tradeoff>(),
  };
}

// rho of T rounds for a group; the orders of a group end at omega/g.
template <Real R>
R summed_rho(const Values<R>& x) {
  const R size = group_size(x);
  return x[T] * size * size * x[rho];
}

std::vector<Bound> concentrated_sums() {
  const Bound zcdp{
      .id = "vandijk2022-zcdp-compose",
      .title = "rho of T rounds of rho-zCDP, for a group",
      .protocol = "any",
      .source = "van Dijk and Nguyen 2022, section 3.3; Bun and Steinke 2016",
      .formula = R"(k\rho,\quad g^2\rho)",
      .quantity = Quantity::rdp,
      .note = "a divergence over its order; k = T rounds, adaptively, and groups of g",
      .proof = "concentrated",
      .adjacency = Adjacency::either,
      .needs = {rho, T},
      .takes = {group},
      .rises = {rho, T, group},
      .evaluate = each_number([](const auto& x) { return summed_rho(x); }),
  };
  Bound tcdp = zcdp;
  tcdp.id = "vandijk2022-tcdp-compose";
  tcdp.title = "rho of T rounds of (rho, omega)-tCDP, for a group";
  tcdp.source = "van Dijk and Nguyen 2022, section 3.3; Bun, Dwork, Rothblum and Steinke 2018";
  tcdp.formula = R"((k\rho,\omega),\quad (g^2\rho,\omega/g))";
  tcdp.note =
      "a divergence over its order, for orders below the omega beside it; k = T rounds, adaptively, groups of g";
  tcdp.needs = {rho, omega, T};
  tcdp.assumes = {exactly("omega > group, so that an order is left",
                          [](const auto& x) { return !x.has(group) || x[omega] > x[group]; })};
  tcdp.evaluate = each_number([]<Real R>(const Values<R>& x) {
    Answer<R> answer{.value = summed_rho(x)};
    answer.beside = {{"omega", R(x[omega] / group_size(x))}};
    return answer;
  });
  Bound zcdp_epsilons = zcdp, tcdp_epsilons = tcdp;
  zcdp_epsilons.title = "epsilon of T rounds of rho-zCDP, for a group";
  zcdp_epsilons.evaluate = each_number([](const auto& x) { return zcdp_epsilon(summed_rho(x), x[delta]); });
  tcdp_epsilons.title = "epsilon of T rounds of (rho, omega)-tCDP, for a group";
  tcdp_epsilons.evaluate = each_number(
      []<Real R>(const Values<R>& x) { return tcdp_epsilon(summed_rho(x), R(x[omega] / group_size(x)), x[delta]); });
  tcdp_epsilons.falls = {omega};
  for (Bound* b : {&zcdp_epsilons, &tcdp_epsilons}) {
    b->quantity = Quantity::epsilon;
    b->note = "by the best order; k = T rounds, adaptively, and groups of g";
    b->needs.push_back(delta);
    b->falls.push_back(delta);
  }
  return {zcdp, zcdp_epsilons, tcdp, tcdp_epsilons};
}

}  // namespace

std::span<const Bound> vandijk2022_sums() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    out.push_back({
        .id = "vandijk2022-gdp-compose",
        .title = "mu of Gaussian mechanisms with a mu of their own each",
        .protocol = "gaussian",
        .source = "van Dijk and Nguyen 2022, section 4.3; Dong, Roth and Su 2022, Corollary 3.3",
        .formula = R"(\sqrt{\sum_i\mu_i^2})",
        .quantity = Quantity::mu,
        .side = Side::exact,
        .note = "the steps are the mu of the mechanisms",
        .proof = "tradeoff",
        .adjacency = Adjacency::either,
        .needs = {steps},
        .evaluate = each_number([]<Real R>(const Values<R>& x) {
          R sum(0);
          for (const R& mu : x.steps()) sum += mu * mu;
          return R(sqrt(sum));
        }),
    });
    for (Bound& b : concentrated_sums()) out.push_back(std::move(b));
    out.push_back(tradeoff());
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
