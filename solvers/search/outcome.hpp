// What a solver says: not a bare number, never a NaN.
#pragma once

#include <string_view>

namespace epsilary::solvers {

enum class Solved {
  converged,   // lower and upper bracket the answer as closely as asked
  ran_out,     // no evaluations were left: the answer is in the bracket, which is wider than asked
  no_bracket,  // the ends do not enclose an answer
};

constexpr std::string_view name(Solved s) {
  return s == Solved::converged ? "converged" : s == Solved::ran_out ? "ran out" : "no bracket";
}

template <class R>
struct Solution {
  R value;         // the best estimate
  R lower, upper;  // the bracket it was found in
  int evaluations = 0;
  Solved status = Solved::converged;
};

}  // namespace epsilary::solvers
