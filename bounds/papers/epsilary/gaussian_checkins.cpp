// Random check-ins of clipped gradients with Gaussian noise: the noise as an (eps0, delta0)-DP randomizer at the eps0
// that serves best; and the excess risk that the noise for a given epsilon leaves.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/risk_formulas.hpp"

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
  fixed.evaluate = gaussian_fixed_window();
  Bound sliding =
      protected_by_noise("epsilary-sliding-gaussian", "Random check-ins with a sliding window, Gaussian noise",
                         "checkin-sliding", "epsilary-sliding-clip", "clip, posterior, tradeoff");
  sliding.needs = {sigma, m, delta};
  sliding.takes = {n};
  sliding.falls.push_back(m);
  sliding.assumes = {assume::window_within_users()};
  sliding.example = "--sigma 2 --m 100000 --delta 1e-6";
  sliding.evaluate = gaussian_sliding_window();
  Bound averaged =
      protected_by_noise("epsilary-averaged-gaussian", "Random check-ins with averaged updates, Gaussian noise",
                         "checkin-averaged", "epsilary-averaged-2eps0", "clip, averaged, swap, tradeoff");
  averaged.needs = {sigma, n, delta};
  averaged.falls.push_back(n);
  averaged.example = "--sigma 8 --n 1000000 --delta 1e-6";
  averaged.evaluate = gaussian_averaged();
  return {fixed, sliding, averaged};
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
  fixed.assumes = {assume::slots_within_users(), assume::positive<p0>(), assume::positive<eps>()};
  fixed.evaluate = risk_at_epsilon_fixed_window();
  Bound sliding =
      risky("epsilary-risk-sliding", "Excess risk with a sliding window at a given epsilon", "checkin-sliding",
            R"(\text{Theorem 3.5's argument over the } n-m+1 \text{ updates of Theorem 4.3})");
  sliding.standing = Standing::approximate;
  sliding.note =
      "the paper has no utility theorem for sliding windows: the argument of Theorem 3.5 with a slot empty with "
      "probability (1-1/m)^m, as if slots were independent; the noise is proved to be enough";
  sliding.needs = {eps, delta, n, m, dim, lipschitz, radius};
  sliding.assumes = {assume::slots_within_users(),
                     exactly("m >= 2", [](const Values<Rational>& x) { return x[m] >= 2; }), assume::positive<eps>()};
  sliding.evaluate = risk_at_epsilon_sliding_window();
  Bound averaged =
      risky("epsilary-risk-averaged", "Excess risk with averaged updates at a given epsilon", "checkin-averaged",
            R"(\text{balle2020-thm4.2-convex-doubled at the noise of epsilary-averaged-gaussian})");
  averaged.side = Side::estimate;
  averaged.standing = Standing::rate;
  averaged.note =
      "the display of Theorem 4.2 with the moment of 1/S mended and empty bins skipped, as its proof has it; the noise "
      "is proved to be enough";
  averaged.needs = {eps, delta, n, m, dim, lipschitz, radius};
  averaged.assumes = {assume::slots_within_users(), assume::positive<eps>()};
  averaged.evaluate = risk_at_epsilon_averaged();
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
