#include "bounds/theory/composition_formulas.hpp"

#include <utility>

#include "bounds/core/split.hpp"
#include "bounds/theory/composition.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds::composed {
namespace {

using enum Param;

// Either T equal mechanisms of eps0, or the sequence given as steps.
template <Real R>
StepSums<R> sums(const Values<R>& x) {
  return x.has(steps) ? step_sums(x.steps()) : equal_step_sums(x[eps0], x[T]);
}

constexpr std::string_view room_for_delta0 = "room in delta for the delta0 of T mechanisms";

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
    Answer<R> composed = answer(x);
    if (x.at_most(delta0, 0)) return {std::move(composed)};
    return {std::move(composed), R(log1p(-x[delta]) + log(-expm1(x[T] * log1p(-x[delta0]))))};
  }
};

struct Advanced {
  template <Real R>
  static R epsilon(const Values<R>& x, const StepSums<R>& s) {
    return kov_advanced(s, x[delta]);
  }
};
struct AdvancedE {
  template <Real R>
  static R epsilon(const Values<R>& x, const StepSums<R>& s) {
    return kov_advanced_e(s, x[delta]);
  }
};
struct Optimal {
  template <Real R>
  static R epsilon(const Values<R>& x, const StepSums<R>&) {
    const WorkLimit dear(work_left() /
                         28);  // its terms are lgammas and comparisons, which count for less than they cost
    return optimal_composition(x[eps0], x[T], x[delta]);
  }
};
// T delta0 + delta in all.
struct Strong {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    return with_cap(strong_composition(x[eps0], x[T], x[delta]), R(x[eps0] * x[T]));
  }
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    Answer<R> composed = answer(x);
    if (x.at_most(delta0, 0)) return {std::move(composed)};
    return {std::move(composed), R(log(x[T] * x[delta0]))};
  }
};
struct Sharp {
  template <Real R>
  static R epsilon(const Values<R>& x, const StepSums<R>& s) {
    return composition_sharp(s, x[delta]);
  }
};
// T delta0 + delta in all.
struct HalfDrift {
  static constexpr std::string_view lacks = "T delta0 < delta";
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    Answer<R> answer{.value = half_drift_composition(x[eps0], x[T], x[delta])};
    if (x.at_most(delta0, 0)) return {std::move(answer)};
    return {std::move(answer), R(log(x[T] * x[delta0]))};
  }
};

template <class Statement>
CompositionForms forms() {
  return {each_number([](const auto& x) { return Statement::answer(x); }), whole_delta_of<Statement>()};
}

}  // namespace

CompositionForms by(Rule rule) {
  switch (rule) {
    case Rule::strong: return forms<Strong>();
    case Rule::advanced: return forms<Composed<Advanced>>();
    case Rule::advanced_e: return forms<Composed<AdvancedE>>();
    case Rule::sharp: return forms<Composed<Sharp>>();
    case Rule::optimal: break;
  }
  return forms<Composed<Optimal>>();
}

Evaluator basic() {
  return each_number([]<Real R>(const Values<R>& x) {
    Answer<R> answer{.value = x[eps0] * x[T]};
    if (x.has(delta0) && certainly(x[delta0] > 0)) answer.log_delta_total = log(x[delta0] * x[T]);
    answer.within = x.has(delta);  // the hypothesis saw to it
    return answer;
  });
}
Evaluator basic_of_sequence() {
  return each_number([](const auto& x) { return sums(x).epsilons; });
}
Evaluator half_drift_approximate() { return whole_delta_of<HalfDrift>(); }
Evaluator optimal_delta() {
  return each_number([]<Real R>(const Values<R>& x) {
    const R pure = optimal_composition_delta(x[eps0], x[T], x[eps]);
    if (!x.has(delta0)) return pure;
    const R kept = x[T] * log1p(-x[delta0]);  // log of the probability that no mechanism fails
    return R(exp(kept) * pure - expm1(kept));
  });
}

Evaluator subsampled_mechanism() {
  return each_number([]<Real R>(const Values<R>& x) {
    Answer<R> answer = with_cap(subsampled(x[eps0], x[q]), x[eps0]);
    if (x.has(delta0) && certainly(x[q] * x[delta0] > 0)) answer.log_delta_total = log(x[q] * x[delta0]);
    answer.within = x.has(delta);  // the hypothesis saw to it
    return answer;
  });
}

}  // namespace epsilary::bounds::composed
