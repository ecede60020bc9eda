// Theorem 1 of self check-in with divergences of one's own.
#include "bounds/theory/checkin/own_moments.hpp"

#include <span>

#include "bounds/core/bound.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;

}  // namespace

std::span<const Bound> checkin2022_own_moments() {
  static const Bound list[] = {{
      .id = "checkin2022-thm1",
      .title = "Divergence of self check-in from divergences of one's own",
      .protocol = "self-checkin",
      .source = "Self check-in 2022, Theorem 1, (5)",
      .formula =
          R"(\frac{1}{\lambda-1}\log\Bigl(\sum_{k=0}^n\mathrm{Bin}_{n,\gamma}(k)\,e^{(\lambda-1)\varepsilon_k(\lambda)}\Bigr))",
      .quantity = Quantity::rdp,
      .note = "step k is the divergence of order lambda of a round with k check-ins, of which the record is one with "
              "probability k/n (gamma in the printed proof); the last step must hold for all larger k",
      .proof = "mixture",
      .needs = {n, gamma, lambda, steps},
      .assumes = {exactly("no more steps than users n",
                          []<class N>(const Values<N>& x) { return N(static_cast<int>(x.steps().size())) <= x[n]; })},
      .example = "--n 1000 --gamma 0.01 --lambda 4 --steps 0.1+0.05x20",
      .evaluate =
          each_number([]<Real R>(const Values<R>& x) { return R(log1p(checkin::mean_excess(x)) / (x[lambda] - 1)); }),
  }};
  return list;
}

}  // namespace epsilary::bounds
