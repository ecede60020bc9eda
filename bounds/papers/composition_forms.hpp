// Forms of a composition theorem: T equal mechanisms, pure or approximate, and a sequence.
#pragma once

#include <vector>

#include "bounds/core/split.hpp"
#include "bounds/theory/composition.hpp"

namespace epsilary::bounds::composed {

using enum Param;

// Either T equal mechanisms of eps0, or the sequence given as steps.
template <Real R>
StepSums<R> sums(const Values<R>& x) {
  return x.has(steps) ? step_sums(x.steps()) : equal_step_sums(x[eps0], x[T]);
}

inline constexpr const char* room_for_delta0 = "room in delta for the delta0 of T mechanisms";

// T mechanisms that are (eps0, delta0)-DP, composed at the delta they keep: 1 - (1 - delta)(1 - delta0)^T in all.
template <class Rule>
struct Composed {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    const StepSums<R> s = sums(x);
    return with_cap(Rule::epsilon(x, s), s.epsilons);
  }
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    if (x.at_most(delta0, 0)) return {answer(x)};
    return {answer(x), log1p(-x[delta]) + log(-expm1(x[T] * log1p(-x[delta0])))};
  }
};

template <class Statement>
void add_equal(std::vector<Bound>& list, Bound form) {
  form.needs = {eps0, T, delta};
  form.rises = {eps0, T};
  form.falls = {delta};
  form.evaluate = each_number([](const auto& x) { return Statement::answer(x); });
  list.push_back(form);
  form.title += ", approximate mechanisms";
  form.needs = {eps0, delta0, T, delta};
  form.takes = {share};
  form.rises.push_back(delta0);
  form.evaluate = whole_delta_of<Statement>();
  list.push_back(form);
}
// For equal mechanisms, and for a sequence.
template <class Rule>
void add_both(std::vector<Bound>& list, Bound form) {
  add_equal<Composed<Rule>>(list, form);
  form.needs = {steps, delta};
  form.falls = {delta};
  form.evaluate = each_number([](const auto& x) { return Composed<Rule>::answer(x); });
  list.push_back(form);
}

}  // namespace epsilary::bounds::composed
