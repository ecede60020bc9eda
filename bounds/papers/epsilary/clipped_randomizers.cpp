// Approximate randomizers by clipping: every call or two of them at 2 eps0, or those on the changed record at eps0
// itself.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/mixture_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

// A shuffle, and what is a post-processing of one.
Bound shuffled() {
  return {
      .id = "epsilary-shuffle-2eps0",
      .title = "Amplification by shuffling, two calls clipped",
      .protocol = "shuffle",
      .source =
          "epsilary; Balle et al. 2020, Theorem 5.1, with the calls on the changed record and the first one clipped",
      .formula =
          R"(\varepsilon' = \text{Theorem 5.1 at } 2\varepsilon_0,\quad \delta' = \delta + 2(e^{\varepsilon'}+1)\delta_0)",
      .note =
          "clipping the first call and the one on the changed record, each to the call it replaces, is enough: at "
          "most two calls of a run",
      .proof = "clip, swap",
      .needs = {eps0, delta0, n, delta},
      .takes = {share},
      .rises = {eps0, delta0},
      .falls = {n, delta},
      .evaluate = two_calls_clipped(),
  };
}
Bound averaged() {
  Bound b = shuffled();
  b.id = "epsilary-averaged-2eps0";
  b.title = "Random check-ins with averaged updates, as a shuffle with two calls clipped";
  b.protocol = "checkin-averaged";
  b.note = "as epsilary-averaged: given the loads, which do not depend on the data, the protocol permutes all n users";
  b.proof = "clip, averaged, swap";
  return b;
}

}  // namespace

std::span<const Bound> epsilary_clipped_randomizers() {
  static const Bound list[] = {
      {
          .id = "epsilary-fixed-2eps0",
          .title = "Random check-ins with a fixed window, every call clipped",
          .protocol = "checkin-fixed",
          .source = "epsilary; Balle et al. 2020, Theorem 3.2 with Lemma A.3 proved at 2 eps0",
          .formula =
              R"(\varepsilon' = \text{Theorem 3.2 at } 2\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
          .note = "clipping the law of each call to that of a fixed record gives a 2 eps0-DP randomizer at total "
                  "variation delta0",
          .proof = "clip",
          .needs = {eps0, delta0, m, p0, delta},
          .takes = {share},
          .rises = {eps0, p0, delta0},
          .falls = {delta},
          .turns = {m},
          .evaluate = clipped_calls_in_fixed_window(),
      },
      {
          .id = "epsilary-fixed-clip",
          .title = "Random check-ins with a fixed window, approximate randomizer at eps0 itself",
          .protocol = "checkin-fixed",
          .source = "epsilary; only the calls on the changed record are clipped, to the call they replace",
          .formula =
              R"(\varepsilon = \text{epsilary-fixed-posterior at } \varepsilon_0,\quad \delta' = \delta + p_0\delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\log(1/(1-b))}{b}\right),\ b=p_0(1-e^{-\varepsilon_0}))",
          .proof = "clip, posterior",
          .needs = {eps0, delta0, m, p0, delta},
          .takes = {share},
          .rises = {eps0, p0, delta0},
          .falls = {m, delta},
          .evaluate = clipped_record_in_fixed_window(),
      },
      {
          .id = "epsilary-sliding-2eps0",
          .title = "Random check-ins with a sliding window, every call clipped",
          .protocol = "checkin-sliding",
          .source = "epsilary; Balle et al. 2020, Theorem 4.3 with Lemma A.3 proved at 2 eps0",
          .formula =
              R"(\varepsilon' = \text{Theorem 4.3 at } 2\varepsilon_0,\quad \delta' = \delta + m(e^{\varepsilon'}+1)\delta_0)",
          .proof = "clip",
          .needs = {eps0, delta0, m, delta},
          .takes = {n, share},
          .rises = {eps0, delta0},
          .falls = {delta},
          .turns = {m},
          .assumes = {assume::window_within_users()},
          .evaluate = clipped_calls_in_sliding_window(),
      },
      {
          .id = "epsilary-sliding-clip",
          .title = "Random check-ins with a sliding window, approximate randomizer at eps0 itself",
          .protocol = "checkin-sliding",
          .source = "epsilary; only the calls on the changed record are clipped, to the call they replace",
          .formula =
              R"(\varepsilon = \text{Theorem 4.3 at } \varepsilon_0,\quad \delta' = \delta + \delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\varepsilon_0}{1-e^{-\varepsilon_0}}\right))",
          .proof = "clip, posterior",
          .needs = {eps0, delta0, m, delta},
          .takes = {n, share},
          .rises = {eps0, delta0},
          .falls = {m, delta},
          .assumes = {assume::window_within_users()},
          .evaluate = clipped_record_in_sliding_window(),
      },
      {
          .id = "epsilary-replacement-clip",
          .title = "Random replacement with weights at most w, approximate randomizer at eps0 itself",
          .protocol = "random-replacement",
          .source = "epsilary; only the calls on the changed record are clipped, to the call they replace",
          .formula =
              R"(\varepsilon = \text{Theorem A.4, sharp posterior},\quad \delta' = \delta + w\delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\log(1/(1-b))}{b}\right),\ b=w(1-e^{-\varepsilon_0}))",
          .proof = "clip, posterior",
          .needs = {eps0, delta0, m, w, delta},
          .takes = {share},
          .rises = {eps0, w, delta0},
          .falls = {m, delta},
          .evaluate = clipped_record_in_weighted_slots(),
      },
      shuffled(),
      averaged(),
  };
  return list;
}

}  // namespace epsilary::bounds
