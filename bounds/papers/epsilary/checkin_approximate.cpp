// Shuffled check-in of randomizers that are not pure: reports with Gaussian noise, each seen by itself, and
// (eps0, delta0)-LDP randomizers with every call clipped.
#include <span>

#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/checkin/rounds.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;
using checkin::Hiding;

Ball gaussian_reports(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  return composed(
      x,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::separate_gaussian(1 / x[sigma], check_ins(x), r), log_mass);
      },
      request);
}

// A share of delta for the losses of a randomizer that is pure at 2 eps0, the rest for T n gamma expected calls at
// distance delta0 each.
Answer<Ball> clipped_reports(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return {Ball(0)};
  const Ball kept = (x.has(share) ? x[share] : Ball(0.5)) * x[delta];
  Values<Ball> pure = x;
  pure.set(eps0, 2 * x[eps0]);
  pure.set(delta, kept);
  const Ball value = composed(
      pure,
      [&](const Resolution& r, double log_mass) {
        return symmetric_laws(checkin::shuffled_clones(pure[eps0], check_ins(x), r, Hiding::blanket), log_mass);
      },
      request);
  if (!value.finite()) return {value};
  const auto cost = checkin::log_approximation_cost(Ball(x[T] * x[n] * x[gamma]), value, x[delta0]);
  Answer<Ball> answer{.value = value, .log_delta_total = cost ? log_add(Ball(log(kept)), *cost) : log(kept)};
  answer.within = certainly(*answer.log_delta_total <= log(x[delta]));
  if (!answer.within && !x.has(share)) return {.value = Ball(0), .refused = checkin::room_for_delta0};
  if (!x.has(share)) answer.at = {{share, Ball(0.5)}};
  return answer;
}

}  // namespace

std::span<const Bound> epsilary_checkin_approximate() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    add_both(
        out,
        {
            .id = "epsilary-shuffled-checkin-gaussian-pld",
            .protocol = "shuffled-checkin",
            .source = "epsilary; Self check-in 2022, Theorem 1, with the trade-off function of a Gaussian report "
                      "under subsampling, mixed over the number of check-ins and composed",
            .formula = R"(\Bigl(\sum_k\mathrm{Bin}_{n,\gamma}(k)\,C_{k/n}(G_{1/\sigma})\Bigr)^{\otimes T})",
            .note = "for the Gaussian noise itself and not only its (eps0, delta0); nothing is gained by shuffling "
                    "here, only by who checks in",
            .proof = "noisy, subsampling, mixture, population",
            .needs = {sigma, n, gamma},
            .rises = {gamma},
            .falls = {n, sigma},
            .assumes = checkin_within_reach(),
            .evaluate = refined<gaussian_reports>(),
        },
        "epsilon of shuffled check-in with Gaussian noise by composing its privacy losses",
        "delta of shuffled check-in with Gaussian noise by composing its privacy losses");
    for (Bound& b : out) {
      b.assumes.push_back(exactly("0.05 <= sigma", [](const auto& x) { return 20 * x[sigma] >= 1; }));
      b.example = std::string("--sigma 1 --n 100000 --gamma 0.001 --T 1000 ") +
                  (b.quantity == Quantity::epsilon ? "--delta 1e-6" : "--eps 0.1");
    }
    std::vector<Hypothesis> reach = checkin_within_reach();
    reach.push_back(exactly("eps0 <= 10", [](const auto& x) { return x[eps0] <= 10; }));
    out.push_back({
        .id = "epsilary-shuffled-checkin-2eps0-pld",
        .title = "epsilon of shuffled check-in of an approximate randomizer, every call clipped",
        .protocol = "shuffled-checkin",
        .source = "epsilary; epsilary-shuffled-checkin-blanket-pld at 2 eps0, with every call clipped",
        .formula =
            R"(\text{epsilary-shuffled-checkin-blanket-pld at }2\varepsilon_0,\quad \delta'=\delta+Tn\gamma(e^{\varepsilon}+1)\delta_0)",
        .note =
            "half of delta is kept for the losses unless --share says otherwise; all clients of a round must apply the "
            "same randomizer",
        .proof = "clip, noisy, convex, subsampling, mixture, population",
        .needs = {eps0, delta0, n, gamma, T, delta},
        .takes = {share},
        .rises = {eps0, delta0, T},
        .falls = {delta},
        .assumes = reach,
        .example = "--eps0 0.5 --delta0 1e-16 --n 100000 --gamma 0.001 --T 100 --delta 1e-6",
        .width = default_width,
        .evaluate = refined<clipped_reports>(),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
