#include "bounds/theory/shuffle/response_formulas.hpp"

#include <cmath>

#include "bounds/theory/gaussian.hpp"
#include "bounds/theory/shuffle/limit.hpp"
#include "bounds/theory/shuffle/responses.hpp"

namespace epsilary::bounds::responses {
namespace {

using enum Param;

// The slots and the probability that the record is in one of them.
template <Real R>
struct Slots {
  R m, w;
};
struct ShuffledSlots {
  template <Real R>
  static Slots<R> slots(const Values<R>& x) {
    return {x[n], R(1)};
  }
};
struct FixedWindowSlots {
  template <Real R>
  static Slots<R> slots(const Values<R>& x) {
    return {x[m], x.has(n) ? fixed_window_weight(x[m], x[n], x[p0]) : x[p0]};
  }
};
struct SlidingWindowSlots {
  template <Real R>
  static Slots<R> slots(const Values<R>& x) {
    return {x[m], x.has(n) ? sliding_window_weight(x[m]) : R(1)};
  }
};

// The worse of the two directions.
template <class Protocol>
struct BinaryIn {
  template <Real R>
  static R epsilon(const Values<R>& x) {
    const Slots<R> at = Protocol::slots(x);
    return max(family_epsilon<Binary>(x[delta], at.m, x[eps0], at.w, false),
               family_epsilon<Binary>(x[delta], at.m, x[eps0], at.w, true));
  }
  template <Real R>
  static R delta_at(const Values<R>& x) {
    if (x.at_least(eps, eps0)) return R(0);
    const Slots<R> at = Protocol::slots(x);
    return max(plain<R>(Binary<R>{at.m, x[eps0], at.w, false}(x[eps]).delta),
               plain<R>(Binary<R>{at.m, x[eps0], at.w, true}(x[eps]).delta));
  }
};
template <class Protocol>
struct TernaryIn {
  template <Real R>
  static R epsilon(const Values<R>& x) {
    if constexpr (std::same_as<R, double>)
      if (x[eps0] > 36) return unknown<R>();  // its answers differ by more than a double tells
    const Slots<R> at = Protocol::slots(x);
    return family_epsilon<Ternary>(x[delta], at.m, x[eps0], at.w);
  }
  template <Real R>
  static R delta_at(const Values<R>& x) {
    if (x.at_least(eps, eps0)) return R(0);
    const Slots<R> at = Protocol::slots(x);
    return plain<R>(Ternary<R>{at.m, x[eps0], at.w}(x[eps]).delta);
  }
};

// The number of other ones and the direction that do worst at an eps, found without proof: each gives a lower bound.
struct Worst {
  double ones = 0;
  bool reverse = false;
};
Worst worst_at(double users, double eps0, double eps) {
  Worst worst;
  double most = -HUGE_VAL;
  for (double ones = 0; ones < users; ++ones)
    for (const bool reverse : {false, true})
      if (const double d = to_double(log(Mixed<double>{users, eps0, ones, reverse}(eps).delta)); d > most)
        worst = {ones, reverse}, most = d;
  return worst;
}

struct MixedIn {
  // Whoever leaks more than delta at an epsilon that was reached has a larger one; at the end nobody does.
  template <Real R>
  static Answer<R> epsilon(const Values<R>& x) {
    const double d = to_double(x[delta]), users = to_double(x[n]), e0 = to_double(x[eps0]);
    Worst by;
    for (int i = 0; i < 20; ++i) {
      const double reached = family_epsilon<Mixed>(d, users, e0, by.ones, by.reverse);
      const Worst next = worst_at(users, e0, reached);
      if (next.ones == by.ones && next.reverse == by.reverse) break;
      by = next;
    }
    return answer(family_epsilon<Mixed>(x[delta], x[n], x[eps0], R(by.ones), by.reverse), by);
  }
  template <Real R>
  static Answer<R> delta_at(const Values<R>& x) {
    if (x.at_least(eps, eps0)) return answer(R(0), Worst{});
    const Worst by = worst_at(to_double(x[n]), to_double(x[eps0]), to_double(x[eps]));
    return answer(plain<R>(Mixed<R>{x[n], x[eps0], R(by.ones), by.reverse}(x[eps]).delta), by);
  }

 private:
  template <Real R>
  static Answer<R> answer(const R& value, const Worst& by) {
    return {.value = value, .cap = {}, .beside = {{"ones", R(by.ones)}}};
  }
};

template <class Family>
EpsilonAndDelta forms() {
  return {each_number([]<Real R>(const Values<R>& x) { return Family::epsilon(x); }),
          each_number([]<Real R>(const Values<R>& x) { return Family::delta_at(x); })};
}
template <template <class> class Response>
EpsilonAndDelta forms_in(Protocol in) {
  switch (in) {
    case Protocol::shuffle: return forms<Response<ShuffledSlots>>();
    case Protocol::fixed_window: return forms<Response<FixedWindowSlots>>();
    case Protocol::sliding_window: break;
  }
  return forms<Response<SlidingWindowSlots>>();
}

}  // namespace

EpsilonAndDelta binary_response(Protocol in) { return forms_in<BinaryIn>(in); }
EpsilonAndDelta ternary_response(Protocol in) { return forms_in<TernaryIn>(in); }
EpsilonAndDelta mixed_response() { return forms<MixedIn>(); }

Ball somebody_answers_margin(const Values<Ball>& x) {
  const Ball slots = x.has(m) ? x[m] : x[n];
  return certainly(slots <= 10000) ? Ball(1) : 10 + log(slots) - x[eps0];
}

Evaluator worst_limit() {
  return each_number([]<Real R>(const Values<R>& x) { return R(sqrt(worst_variance(x[eps0]) / x[n])); });
}
Evaluator worst_limit_epsilon() {
  return each_number(
      []<Real R>(const Values<R>& x) { return gdp_epsilon(x[delta], R(sqrt(worst_variance(x[eps0]) / x[n]))); });
}

}  // namespace epsilary::bounds::responses
