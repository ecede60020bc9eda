// Shuffled check-in of randomizers that are not pure: reports with Gaussian noise, each seen by itself, and
// (eps0, delta0)-LDP randomizers with every call clipped.
#include <span>

#include "bounds/forms/composed_rounds.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;

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
            .evaluate = composed_gaussian_reports(),
        },
        "epsilon of shuffled check-in with Gaussian noise by composing its privacy losses",
        "delta of shuffled check-in with Gaussian noise by composing its privacy losses");
    for (Bound& b : out) {
      b.assumes.push_back(exactly("0.05 <= sigma", [](const Values<Rational>& x) { return 20 * x[sigma] >= 1; }));
      b.example = std::string("--sigma 1 --n 100000 --gamma 0.001 --T 1000 ") +
                  (b.quantity == Quantity::epsilon ? "--delta 1e-6" : "--eps 0.1");
    }
    std::vector<Hypothesis> reach = checkin_within_reach();
    reach.push_back(exactly("eps0 <= 10", [](const Values<Rational>& x) { return x[eps0] <= 10; }));
    out.push_back({
        .id = "epsilary-shuffled-checkin-2eps0-pld",
        .title = "epsilon of shuffled check-in of an approximate randomizer, every call clipped",
        .protocol = "shuffled-checkin",
        .source = "epsilary; epsilary-shuffled-checkin-blanket-pld at 2 eps0, with every call clipped",
        .formula =
            R"(\text{epsilary-shuffled-checkin-blanket-pld at }2\varepsilon_0,\quad \delta'=\delta+Tn\gamma(e^{\varepsilon}+1)\delta_0)",
        .note =
            "half of delta is kept for the losses unless a share says otherwise; all clients of a round must apply the "
            "same randomizer",
        .proof = "clip, noisy, convex, subsampling, mixture, population",
        .needs = {eps0, delta0, n, gamma, T, delta},
        .takes = {share},
        .rises = {eps0, delta0, T},
        .falls = {delta},
        .assumes = reach,
        .example = "--eps0 0.5 --delta0 1e-16 --n 100000 --gamma 0.001 --T 100 --delta 1e-6",
        .width = default_width,
        .evaluate = composed_clipped_reports(),
    });
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
