// T rounds of one pair that is known between two laws of finitely many losses, composed; and what statements about such
// rounds share.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "bounds/core/bound.hpp"
#include "bounds/theory/checkin/laws.hpp"
#include "bounds/theory/checkin/rounds_formulas.hpp"

namespace epsilary::bounds::rounds {

using checkin::Resolution;

// Bins, cells and lattices finer than for this are not worth their work.
constexpr double finest_width = 2e-4;
inline double width_of(const Request& request) { return std::max(request.width, finest_width); }

// How bins, cells and the lattice share the width. A round in which something of probability e^-depth happens is
// charged to delta in full, so T e^-depth is a small part of it.
Resolution resolution(double width, double depth);
double depth_for(const Ball& rounds, const Ball& log_delta);

// The exact law of a round lies between them.
struct Laws {
  LossLaw upper, lower;
};
// Outcomes of heavier mass below e^{log_mass} together are lost, or dropped. Underflow are lost in full.
Laws symmetric_laws(checkin::SymmetricPairBounds round, double log_mass);
Laws sided_laws(const checkin::PairBounds& round, double log_mass);
using LawsAt = std::function<Laws(const Resolution& resolution, double log_mass)>;

// K ~ Bin(n, gamma).
inline checkin::Reports check_ins(const Values<Ball>& x) {
  return {x[Param::n].midpoint(), x[Param::gamma], x.complement(Param::gamma)};
}

// How far N(mu, 1) is from N(0, 1) in total variation, at most.
inline Ball gaussian_distance(const Ball& mu) { return mu / sqrt(2 * Ball::pi()); }
// What this alone tells of T rounds whose laws are at most so far apart: distances add up, and delta of any epsilon is
// not above their sum. Nothing, where the laws have more to tell.
std::optional<Ball> by_distance(const Values<Ball>& x, const Ball& distance);

// epsilon at delta, or delta at eps, of T rounds. The end that the statement promises gets the finer lattice.
Ball composed(const Values<Ball>& x, const LawsAt& laws_at, const Request& request, Side side = Side::upper);
// The same of a lower bound, the larger of the two directions: T(P, Q) and T(Q, P).
Ball composed_both_ways(const Values<Ball>& x, const LawsAt& laws_at, const Request& request);

// What turns out wider than asked is asked for once more, as fine as it gets.
template <auto formula>
Evaluator refined() {
  return {.bracket = [](const Values<Ball>& x, const Request& request) {
    Answer<Ball> answer{formula(x, request)};
    if (request.width > finest_width && request.width <= default_width && !is_narrow(answer.value, request.width))
      answer = {formula(x, {finest_width, request.work})};
    return answer;
  }};
}

}  // namespace epsilary::bounds::rounds
