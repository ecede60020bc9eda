// Closed forms for check-ins: a sharper posterior, what holds without amplification, and averaging as a shuffle.
#include <span>

#include "bounds/theory/checkin/mixture_formulas.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

}  // namespace

std::span<const Bound> epsilary_checkin_closed() {
  static const Bound list[] = {
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
          .evaluate = fixed_window_posterior(),
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
          .evaluate = each_number([](const auto& x) { return subsampled(x[eps0], x[w]); }),
      },
      {
          .id = "epsilary-averaged",
          .title = "Random check-ins with averaged updates, as a shuffle of n messages",
          .protocol = "checkin-averaged",
          .source = "epsilary; Balle et al. 2020, Theorem 5.1 applied to Algorithm 2",
          .formula = R"(\text{Theorem 5.1 with the same } n)",
          .note = "the loads do not depend on the data, and given them the protocol permutes all n users uniformly "
                  "and averages; every user must check in and n must be fixed",
          .proof = "averaged, swap",
          .needs = {eps0, n, delta},
          .rises = {eps0},
          .falls = {n, delta},
          .evaluate = swapped(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
