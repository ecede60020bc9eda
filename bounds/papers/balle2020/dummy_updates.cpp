// How many updates of a check-in protocol are dummies: Propositions 3.4 and 4.4 of Balle et al. 2020.
#include <span>

#include "bounds/forms/hypotheses.hpp"
#include "bounds/theory/checkin/risk_formulas.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace checkin;

}  // namespace

std::span<const Bound> balle2020_dummy_updates() {
  static const Bound list[] = {
      {
          .id = "balle2020-prop3.4",
          .title = "Expected dummy updates with a fixed window",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Proposition 3.4",
          .formula = R"(m(1-p_0/m)^n)",
          .quantity = Quantity::count,
          .side = Side::exact,
          .standing = Standing::repaired,
          .note = "an equality; the full version at hand has a bracket elsewhere, (m(1-p0/m))^n",
          .proof = "empty",
          .adjacency = Adjacency::none,
          .needs = {n, m, p0},
          .rises = {m},
          .falls = {n, p0},
          .evaluate = fixed_window_dummies(),
      },
      {
          .id = "balle2020-prop3.4-bound",
          .title = "Expected dummy updates with a fixed window, bound",
          .protocol = "checkin-fixed",
          .source = "Balle et al. 2020, Proposition 3.4, m e^{-c} at p0 = c m / n",
          .formula = R"(m e^{-np_0/m})",
          .quantity = Quantity::count,
          .proof = "empty",
          .adjacency = Adjacency::none,
          .needs = {n, m, p0},
          .rises = {m},
          .falls = {n, p0},
          .evaluate = fixed_window_dummies_at_most(),
      },
      {
          .id = "balle2020-prop4.4",
          .title = "Expected dummy updates with a sliding window",
          .protocol = "checkin-sliding",
          .source = "Balle et al. 2020, Proposition 4.4, before the last step of the proof",
          .formula = R"((n-m+1)(1-1/m)^m)",
          .quantity = Quantity::count,
          .side = Side::exact,
          .note = "the proof ranges over the slots m..n, printed n-m+1",
          .proof = "empty",
          .adjacency = Adjacency::none,
          .needs = {n, m},
          .rises = {n},
          .assumes = {assume::slots_within_users()},
          .evaluate = sliding_window_dummies(),
      },
      {
          .id = "balle2020-prop4.4-bound",
          .title = "Expected dummy updates with a sliding window, bound",
          .protocol = "checkin-sliding",
          .source = "Balle et al. 2020, Proposition 4.4",
          .formula = R"((n-m+1)/e)",
          .quantity = Quantity::count,
          .proof = "empty",
          .adjacency = Adjacency::none,
          .needs = {n, m},
          .rises = {n},
          .falls = {m},
          .assumes = {assume::slots_within_users()},
          .evaluate = sliding_window_dummies_at_most(),
      },
  };
  return list;
}

}  // namespace epsilary::bounds
