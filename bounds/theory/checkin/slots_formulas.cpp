#include "bounds/theory/checkin/slots_formulas.hpp"

#include <vector>

#include "bounds/theory/checkin/slots.hpp"

namespace epsilary::bounds::checkin {
namespace {

using enum Param;
using clones::BlanketSlots;
using clones::LabelledSlots;

// A formula for either pair, as a template of its slots.
template <Real R>
R by_pair(Hiding pair, const Values<R>& x, const R& slots, const R& weight) {
  return pair == Hiding::clones ? in_slots<LabelledSlots>(x, slots, weight) : in_slots<BlanketSlots>(x, slots, weight);
}
template <class Formula>
EpsilonAndDelta for_pair(Hiding pair, Formula) {
  return EpsilonAndDelta::both(pair == Hiding::clones
                                   ? each_number([](const auto& x) { return Formula{}(Hiding::clones, x); })
                                   : each_number([](const auto& x) { return Formula{}(Hiding::blanket, x); }));
}

// Who is absent hides nobody: a label is seen with probability (1 - dropout) 2/(e^{eps0}+1).
template <Real R>
R present(const Values<R>& x) {
  if (x.has(delta)) return family_epsilon<BlanketSlots>(x[delta], x[n], x[eps0], R(1), x[dropout]);
  if (x.at_least(eps, eps0)) return R(0);
  return profile_delta(BlanketSlots<R>{x[n], x[eps0], R(1), x[dropout]}, x[eps]);
}

}  // namespace

EpsilonAndDelta in_shuffle(Hiding pair) {
  return for_pair(pair, []<Real R>(Hiding by, const Values<R>& x) { return by_pair(by, x, x[n], R(1)); });
}
EpsilonAndDelta in_fixed_window(Hiding pair) {
  return for_pair(pair, []<Real R>(Hiding by, const Values<R>& x) {
    Answer<R> answer{.value = by_pair(by, x, x[m], x[p0])};
    if (x.has(delta)) answer.cap = subsampled(x[eps0], x[p0]);
    return answer;
  });
}
EpsilonAndDelta in_sliding_window(Hiding pair) {
  return for_pair(pair, []<Real R>(Hiding by, const Values<R>& x) { return by_pair(by, x, x[m], R(1)); });
}

EpsilonAndDelta in_winnable_slots() {
  return EpsilonAndDelta::both(each_number([]<Real R>(const Values<R>& x) {
    return in_known_window<LabelledSlots>(
        x, []<Real N>(const Values<N>& at) { return std::vector<KnownOthers<N>>{winnable_slots(at)}; });
  }));
}
EpsilonAndDelta in_known_fixed_window() {
  return EpsilonAndDelta::both(each_number([](const auto& x) { return blanket_of_known_window(x); }));
}
EpsilonAndDelta in_known_sliding_window() {
  return EpsilonAndDelta::both(each_number([](const auto& x) { return blanket_of_known_sliding_window(x); }));
}

EpsilonAndDelta among_those_present() {
  return EpsilonAndDelta::both(
      each_number([]<Real R>(const Values<R>& x) { return with_cap(present(x), x.has(delta) ? x[eps0] : R(1)); }));
}

}  // namespace epsilary::bounds::checkin
