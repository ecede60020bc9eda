#include "bounds/theory/shuffle/step_formulas.hpp"

#include <concepts>
#include <optional>
#include <utility>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/shuffle/step_losses.hpp"
#include "bounds/theory/shuffle/step_protocols.hpp"

namespace epsilary::bounds::steps {
namespace {

using enum Param;

// An upper bound of the largest step that needs no digits of its index.
template <class Protocol, Real R>
R largest_step(const Values<R>& x) {
  if constexpr (std::same_as<Protocol, ShuffleSteps>)
    return log1p(expm1(x[eps0]) * exp(2 * x[eps0]) / x[n]);
  else {
    const R w_ = Protocol::weight(x);
    return log1p(w_ * expm1(x[eps0]) / (x[m] * checkin::posterior_left(x[eps0], w_)));
  }
}

template <class P>
struct Composed {
  using Protocol = P;
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    const StepSums<R> s = sums(Protocol::sequence(x));
    if (certainly(s.squares <= R(0))) return with_cap(R(0), Protocol::cap(x));
    Answer<R> out = with_cap(min(s.epsilons, composition_sharp(s, x[delta])), Protocol::cap(x));
    out.beside = {
        {"sum", s.epsilons}, {"advanced", kov_advanced(s, x[delta])}, {"advanced_e", kov_advanced_e(s, x[delta])}};
    return out;
  }
};

template <class P, StepResponse response>
struct Divergence {
  using Protocol = P;
  template <Real R>
  static R rdp(const Values<R>& x, const R& order) {
    return log_moments(response, Protocol::sequence(x), R(order - 1)) / (order - 1);
  }
  template <Real R>
  static R order(const Values<R>& x) {
    if (x.has(lambda)) return x[lambda];
    return short_decimal<R>(1 + best_theta(response, Protocol::sequence(in_double(x)), to_double(R(log(x[delta])))));
  }
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    if (!x.has(delta)) return {.value = rdp(x, x[lambda])};
    const R best = order(x);
    Answer<R> out = with_cap(renyi::to_epsilon(rdp(x, best), best, R(log(x[delta]))), Protocol::cap(x));
    if (!x.has(lambda)) out.at.push_back({lambda, best});
    return out;
  }
};

template <class Protocol>
struct LazyClosed {
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    return with_cap(lazy_closed(x[eps0], Protocol::squares(x), largest_step<Protocol>(x), x[delta]), Protocol::cap(x));
  }
};

// An (eps0, delta0) randomizer whose own calls are clipped: a step is delta_i from the response at eps0 itself, and
// 1 - (1 - delta) prod(1 - delta_i) is at most the sum.
template <class Family>
struct Clipped {
  static constexpr std::string_view lacks = checkin::room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const Answer<R> pure = Family::answer(x);
    const R w_ = Family::Protocol::weight(x);
    std::optional<R> cost = checkin::log_clipping_cost(x[eps0], x[delta0], w_, pure.value);
    return {Answer<R>{.value = pure.value, .cap = {}, .at = pure.at}, std::move(cost)};
  }
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    return of_whole_delta<Clipped>(x);
  }
};

template <class Family>
Evaluator answers() {
  return each_number([]<Real R>(const Values<R>& x) { return Family::answer(x); });
}

template <class Protocol>
using Lazy = Divergence<Protocol, StepResponse::lazy>;

template <class Protocol>
StepForms forms() {
  return {answers<Composed<Protocol>>(), answers<LazyClosed<Protocol>>(), answers<Lazy<Protocol>>(),
          answers<Divergence<Protocol, StepResponse::full>>()};
}
template <class Protocol>
StepForms forms_with_clipping() {
  StepForms out = forms<Protocol>();
  out.composed_clipped = answers<Clipped<Composed<Protocol>>>();
  out.lazy_clipped = answers<Clipped<Lazy<Protocol>>>();
  return out;
}

template <class Protocol, StepResponse response>
Answer<Ball> losses(const Values<Ball>& x, const Request& request) {
  const Ball cap = Protocol::cap(x);
  const Ball found = solvers::within_work(
      request.work, [&] { return composed_epsilon(response, Protocol::sequence(x), x[delta], cap, request); },
      unknown<Ball>);
  return with_cap(found, cap);
}

template <class Protocol>
ComposedSteps losses_forms() {
  return {bracketed<losses<Protocol, StepResponse::lazy>>(), bracketed<losses<Protocol, StepResponse::full>>()};
}

}  // namespace

StepForms of_shuffle() { return forms<ShuffleSteps>(); }
StepForms of_fixed_window() { return forms_with_clipping<FixedWindow>(); }
StepForms of_sliding_window() { return forms_with_clipping<SlidingWindow>(); }

ComposedSteps composed_shuffle() { return losses_forms<ShuffleSteps>(); }
ComposedSteps composed_fixed_window() { return losses_forms<FixedWindow>(); }
ComposedSteps composed_sliding_window() { return losses_forms<SlidingWindow>(); }

}  // namespace epsilary::bounds::steps
