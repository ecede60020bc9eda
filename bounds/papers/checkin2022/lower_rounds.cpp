// The divergence of randomised response on equal data, over T rounds.
#include <span>

#include "bounds/forms/composed_rounds.hpp"
#include "bounds/forms/notes.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace rounds;

}  // namespace

std::span<const Bound> checkin2022_lower_rounds() {
  static const Bound list[] = {
      {
          .id = "checkin2022-thm3-exact",
          .title = "Shuffled check-in of randomised response on equal data over T rounds, by Lemma 2",
          .protocol = "shuffled-checkin",
          .source = "epsilary; the pair of the proof of Self check-in 2022, Theorem 3, and Lemma 2",
          .formula =
              R"(\min_\lambda\ T\varepsilon(\lambda)+\frac{\log(1/\delta)+(\lambda-1)\log(1-1/\lambda)-\log\lambda}{\lambda-1})",
          .side = Side::estimate,
          .standing = Standing::approximate,
          .note = not_a_bound,
          .proof = "lower, truncation",
          .needs = {eps0, n, gamma, T, delta},
          .takes = {lambda},
          .rises = {eps0, T},
          .falls = {delta},
          .assumes = checkin_within_reach(),
          .width = default_width,
          .evaluate = binary_checkins_by_divergence(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
