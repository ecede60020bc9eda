// Random check-ins of clipped gradients with Gaussian noise: the noise as an (eps0, delta0)-DP randomizer at the eps0
// that serves best; and the excess risk that the noise for a given epsilon leaves.
#include <span>

#include "bounds/theory/checkin/clipped.hpp"
#include "bounds/theory/checkin/hypotheses.hpp"
#include "bounds/theory/checkin/risk.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

Bound protected_by_noise(std::string id, std::string title, std::string protocol, std::string of, std::string proof) {
  return {
      .id = std::move(id),
      .title = std::move(title),
      .protocol = std::move(protocol),
      .source = "epsilary; " + of + " with delta0 of the Gaussian mechanism, eps0 optimised",
      .formula =
          R"(\min_{\varepsilon_0}\ \text{)" + of + R"( at }\varepsilon_0,\ \delta_0=\delta_{1/\sigma}(\varepsilon_0))",
      .note =
          "the gradients are clipped and each coordinate gets noise of deviation sigma times twice the clipping norm",
      .proof = std::move(proof),
      .falls = {sigma, delta},
  };
}

std::vector<Bound> private_forms() {
  Bound fixed = protected_by_noise("epsilary-fixed-gaussian", "Random check-ins with a fixed window, Gaussian noise",
                                   "checkin-fixed", "epsilary-fixed-clip", "clip, posterior, tradeoff");
  fixed.needs = {sigma, m, p0, delta};
  fixed.rises = {p0};
  fixed.falls.push_back(m);
  fixed.example = "--sigma 1 --m 100000 --p0 0.1 --delta 1e-6";
  fixed.evaluate = each_number([]<Real R>(const Values<R>& x) {
    return x.at_most(p0, Rational(0)) ? Answer<R>{R(0)} : by_gaussian<FixedClipped>(x);
  });
  Bound sliding =
      protected_by_noise("epsilary-sliding-gaussian", "Random check-ins with a sliding window, Gaussian noise",
                         "checkin-sliding", "epsilary-sliding-clip", "clip, posterior, tradeoff");
  sliding.needs = {sigma, m, delta};
  sliding.takes = {n};
  sliding.falls.push_back(m);
  sliding.assumes = {assume::window_within_users()};
  sliding.example = "--sigma 2 --m 100000 --delta 1e-6";
  sliding.evaluate = each_number([](const auto& x) { return by_gaussian<SlidingClipped>(x); });
  Bound averaged =
      protected_by_noise("epsilary-averaged-gaussian", "Random check-ins with averaged updates, Gaussian noise",
                         "checkin-averaged", "epsilary-averaged-2eps0", "clip, averaged, swap, tradeoff");
  averaged.needs = {sigma, n, delta};
  averaged.falls.push_back(n);
  averaged.example = "--sigma 8 --n 1000000 --delta 1e-6";
  averaged.evaluate = each_number([](const auto& x) { return by_gaussian<ShuffledTwice>(x); });
  return {fixed, sliding, averaged};
}

// The risk with the noise that the statement needs for eps, a gradient of norm at most L changing by 2 L. The noise is
// sought in double; that it is enough is proved.
template <class Statement, Real R, class Risk>
Answer<R> at_epsilon(const Values<R>& x, Risk risk) {
  constexpr std::string_view lacks = "an eps that some noise below 1e9 reaches";
  const Values<double> rough = split::nearby<double>(x);
  const auto found = noise_for<Statement>(rough, rough[eps]);
  if (!found) return {.value = R(0), .refused = lacks};
  const R needed = from_rational<R>(Decimal::nearest(*found, 12).exact());
  Values<R> at = x;
  at.set(sigma, needed);
  const Answer<R> privacy = by_gaussian<Statement>(at);
  if (!privacy.refused.empty()) return {.value = R(0), .refused = privacy.refused};
  if constexpr (std::same_as<R, Ball>)
    if (!certainly(privacy.value <= x[eps])) return {.value = unknown<R>()};
  at.set(noise, R(2 * x[lipschitz] * needed));
  Answer<R> answer{.value = risk(at), .cap = guessing_risk(x)};
  answer.at = {{noise, at[noise]}};
  return answer;
}

Bound risky(std::string id, std::string title, std::string protocol, std::string formula) {
  return {
      .id = std::move(id),
      .title = std::move(title),
      .protocol = std::move(protocol),
      .source = "epsilary; Balle et al. 2020, the comparison after Theorem 4.2, with its constants",
      .formula = std::move(formula),
      .quantity = Quantity::risk,
      .standing = Standing::published,
      .adjacency = Adjacency::none,
      .rises = {radius},
      .falls = {eps, delta},
      .example = "--eps 1 --delta 1e-6 --n 1000000 --m 100000 --dim 100 --lipschitz 1 --radius 1",
  };
}

std::vector<Bound> risk_forms() {
  Bound fixed = risky("epsilary-risk-fixed", "Excess risk with a fixed window at a given epsilon", "checkin-fixed",
                      R"(\text{balle2020-thm3.5-tight at the noise of epsilary-fixed-gaussian},\ p_0=m/n)");
  fixed.note =
      "p0 = m/n unless given; the noise is proved to be enough; the risk rests on the argument of Theorem 3.5, which "
      "is "
      "exact for a Poisson population only";
  fixed.needs = {eps, delta, n, m, dim, lipschitz, radius};
  fixed.takes = {p0};
  fixed.assumes = {assume::slots_within_users(),
                   exactly("p0 > 0", [](const auto& x) { return !x.has(p0) || x[p0] > 0; }),
                   exactly("eps > 0", [](const auto& x) { return x[eps] > 0; })};
  fixed.evaluate = each_number([]<Real R>(const Values<R>& given) {
    Values<R> x = given;
    if (!x.has(p0)) x.set(p0, R(x[m] / x[n]));
    return at_epsilon<FixedClipped>(x, [](const Values<R>& at) {
      const R G = gradient_with_dummies(at, slot_is_used(at[n], at[m], at[p0]));
      return last_iterate(risk_rate(at[radius], G, at[m]), at[m]);
    });
  });
  Bound sliding =
      risky("epsilary-risk-sliding", "Excess risk with a sliding window at a given epsilon", "checkin-sliding",
            R"(\text{Theorem 3.5's argument over the } n-m+1 \text{ updates of Theorem 4.3})");
  sliding.standing = Standing::approximate;
  sliding.note =
      "the paper has no utility theorem for sliding windows: the argument of Theorem 3.5 with a slot empty with "
      "probability (1-1/m)^m, as if slots were independent; the noise is proved to be enough";
  sliding.needs = {eps, delta, n, m, dim, lipschitz, radius};
  sliding.assumes = {assume::slots_within_users(), exactly("m >= 2", [](const auto& x) { return x[m] >= 2; }),
                     exactly("eps > 0", [](const auto& x) { return x[eps] > 0; })};
  sliding.evaluate = each_number([]<Real R>(const Values<R>& x) {
    return at_epsilon<SlidingClipped>(x, [](const Values<R>& at) {
      const R steps = at[n] - at[m] + 1, G = gradient_with_dummies(at, slot_is_used(at[m], at[m], R(1)));
      return last_iterate(risk_rate(at[radius], G, steps), steps);
    });
  });
  Bound averaged =
      risky("epsilary-risk-averaged", "Excess risk with averaged updates at a given epsilon", "checkin-averaged",
            R"(\text{balle2020-thm4.2-convex-doubled at the noise of epsilary-averaged-gaussian})");
  averaged.side = Side::estimate;
  averaged.standing = Standing::rate;
  averaged.note =
      "the display of Theorem 4.2 with the moment of 1/S mended and empty bins skipped, as its proof has it; the noise "
      "is proved to be enough";
  averaged.needs = {eps, delta, n, m, dim, lipschitz, radius};
  averaged.assumes = {assume::slots_within_users(), exactly("eps > 0", [](const auto& x) { return x[eps] > 0; })};
  averaged.evaluate = each_number([]<Real R>(const Values<R>& x) {
    return at_epsilon<ShuffledTwice>(x, [](const Values<R>& at) {
      return last_iterate(risk_rate(at[radius], averaged_gradient(at, 2), at[m]), at[m]);
    });
  });
  return {fixed, sliding, averaged};
}

}  // namespace

std::span<const Bound> epsilary_gaussian_checkins() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out = private_forms();
    for (Bound& b : risk_forms()) out.push_back(std::move(b));
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
