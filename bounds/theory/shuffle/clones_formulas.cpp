#include "bounds/theory/shuffle/clones_formulas.hpp"

#include "bounds/core/split.hpp"
#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/slots.hpp"
#include "bounds/theory/shuffle/clones.hpp"

namespace epsilary::bounds::clones {
namespace {

using enum Param;

constexpr std::string_view room_for_delta0 = "room in delta for what delta0 costs";

// What an (eps0, delta0)-LDP randomizer spends beside the (1 - delta0) share of the pair's delta: the changed record's
// own leak, and the change of total variation that makes each other report a clone, or moves it above the blanket,
// which is twice as much.
template <Real R>
R leaks(Hiding pair, const Values<R>& x, const R& pair_delta, const R& eps_) {
  const int times = pair == Hiding::clones ? 1 : 2;
  return x[delta0] * (1 - pair_delta + times * (1 + exp(eps_)) * (x[n] - 1) * exp(-x[eps0]));
}

template <Hiding pair>
struct Pair {
  template <Real R>
  using Slots = SlotsOf<std::conditional_t<pair == Hiding::clones, AmongClones, UnderBlanket>, R>;

  template <Real R>
  static R epsilon(const Values<R>& x, const R& leak) {
    return family_epsilon<Slots>(x[delta], x[n], x[eps0], R(1), leak);
  }
  template <Real R>
  static R delta_at(const Values<R>& x) {
    const R leak = x.has(delta0) ? x[delta0] : R(0);
    // What delta0 costs by itself may be more than all there is.
    if (x.has(delta0) && certainly(leaks(pair, x, R(0), x[eps]) >= R(1))) return R(1);
    const R d = x.at_least(eps, eps0) ? R(0) : checkin::profile_delta(Slots<R>{x[n], x[eps0], R(1), leak}, x[eps]);
    return x.has(delta0) ? R(d + leaks(pair, x, d, x[eps])) : d;
  }
};

// The pair of an approximate randomizer at the delta it keeps.
template <Hiding pair>
struct Leaking {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R value = Pair<pair>::epsilon(x, x[delta0]);
    Answer<R> answer = with_cap(value, x[eps0]);
    if (x.at_most(delta0, 0)) return {std::move(answer)};
    return {std::move(answer), R(log(leaks(pair, x, x[delta], value)))};
  }
};
// The quoted closed form, which has a hypothesis on the delta it keeps.
struct LeakingClosed {
  static constexpr std::string_view lacks = room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R value = closed_form(x[eps0], x[n], x[delta]);
    Answer<R> answer = with_cap(value, x[eps0]);
    if (x.at_most(delta0, 0)) return {std::move(answer)};
    return {std::move(answer), R(log(closed_form_leak(value, x[eps0], x[n], x[delta0])))};
  }
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    Answer<R> found = of_whole_delta<LeakingClosed>(x);
    R kept = x.has(share) ? R(x[share] * x[delta]) : x[delta];
    for (const Chosen<R>& c : found.at)
      if (c.param == share) kept = c.value * x[delta];
    if (found.refused.empty() && !certainly(closed_form_margin(x[eps0], x[n], kept) >= 0))
      found.refused = "eps0 <= log(n / (16 log(2/delta))) at the part of delta it keeps";
    return found;
  }
};

// The clones' pair, or the blanket's, of the reports drawn.
template <Hiding pair>
struct OfSample {
  static constexpr Orders orders = Orders::real;
  template <Real R>
  static Moment<R> moment(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const M reports(x[per_round]), local(x[eps0]);
    const Clones<M> laws =
        pair == Hiding::blanket ? Clones<M>::under_blanket(reports, local) : Clones<M>(reports, local);
    return laws.subsampled_moment(M(order), M(x[per_round] / x[n]));
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::divergence<R>(moment(x, order), order)};
  }
};

template <Hiding pair>
Evaluator divergence_of_sample() {
  return each_number([]<Real R>(const Values<R>& x) {
    const Moment<R> m1 = OfSample<pair>::moment(x, x[lambda]);
    Answer<R> answer{.value = renyi::divergence<R>(m1, x[lambda])};
    answer.beside.push_back({"moment", plain<R>(m1)});
    return answer;
  });
}

// f.template operator()<pair>() for the pair given.
template <class F>
Evaluator with(Hiding pair, F f) {
  return pair == Hiding::clones ? f.template operator()<Hiding::clones>() : f.template operator()<Hiding::blanket>();
}

}  // namespace

Evaluator shuffle_epsilon(Hiding pair) {
  return with(pair, []<Hiding by>() {
    return each_number([]<Real R>(const Values<R>& x) { return with_cap(Pair<by>::epsilon(x, R(0)), x[eps0]); });
  });
}
Evaluator leaking_shuffle_epsilon(Hiding pair) {
  return with(pair, []<Hiding by>() { return whole_delta_of<Leaking<by>>(); });
}
Evaluator shuffle_delta(Hiding pair) {
  return with(pair, []<Hiding by>() {
    return each_number([]<Real R>(const Values<R>& x) { return with_cap(Pair<by>::delta_at(x), R(1)); });
  });
}

Evaluator closed_epsilon() {
  return each_number([](const auto& x) { return with_cap(closed_form(x[eps0], x[n], x[delta]), x[eps0]); });
}
Evaluator leaking_closed_epsilon() {
  return each_number([](const auto& x) { return LeakingClosed::answer(x); });
}
Ball closed_form_margin_at(const Values<Ball>& x) { return closed_form_margin(x[eps0], x[n], x[delta]); }

Evaluator sample_divergence(Hiding pair) {
  return with(pair, []<Hiding by>() { return divergence_of_sample<by>(); });
}
Evaluator sample_rounds(Hiding pair) {
  return with(pair, []<Hiding by>() { return rounds_of<OfSample<by>>().after_rounds; });
}

}  // namespace epsilary::bounds::clones
