// A divergence of one round as the statements about it have it: at one order, and as epsilon after T rounds.
#pragma once

#include "bounds/core/bound.hpp"
#include "solvers/search/best_order.hpp"

namespace epsilary::bounds {

struct RoundForms {
  Evaluator one_round, after_rounds;
  Orders orders;
  bool spends;              // it holds outside an event only, whose probability in each round is taken from delta
  bool converts_optimally;  // by the optimal conversion, and not by Lemma 2 of Self check-in 2022
};

}  // namespace epsilary::bounds
