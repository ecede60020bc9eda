#include "bounds/theory/accounting.hpp"

#include <cmath>

#include "solvers/sums/expectation.hpp"

namespace epsilary::bounds {
namespace {

constexpr std::string_view few_terms = "lambda <= 1048576, as the sum over it has as many terms";

template <Real R>
bool has_too_many_terms(const RoundFamily& family, const R& order) {
  return !family.closed && !(to_double(order) <= 0x1p20);
}

template <Real R>
R converted(const RoundFamily& family, const R& rdp, const R& order, const R& delta, const R& log_delta) {
  const R plain = renyi::to_epsilon(rdp, order, log_delta);
  if (!family.optimal) return plain;
  if constexpr (std::same_as<R, double>)
    if (!std::isnormal(delta)) return plain;
  const R best = renyi::to_epsilon_optimal(rdp, order, delta);
  if constexpr (std::same_as<R, Ball>)
    return min(best, plain);
  else
    return certainly(best <= plain) ? best : plain;  // not where rounding hides it
}

// The order with the least epsilon, in double, by the conversion that is used, which need not have its best where Lemma
// 2 has.
double order_found(const RoundFamily& family, const Values<double>& x, double log_delta) {
  const double rounds = x[Param::T];
  const auto cost = [&](double order) {
    const double rdp = rounds * family.round(x, order).rdp;
    return std::isfinite(rdp) ? converted(family, rdp, order, x[Param::delta], log_delta) : rdp;
  };
  // The optimal conversion is sharp at order 2 and often sharper at large ones, not at 3 and 4.
  const auto search = [&] { return best_order(cost, family.orders, family.largest, family.optimal ? 32 : 4); };
  if (!family.sketched) return search();
  double found = 0, promised = 0;
  {
    const Sketch sketch;
    found = search();
    promised = cost(found);
  }
  return cost(found) <= 1.01 * promised ? found : search();  // unless the sketch missed something
}

template <Real R>
void tell_Delta(Answer<R>& answer, const Round<R>& round, const Values<R>& x) {
  if (round.Delta && !x.has(Param::Delta)) answer.at.push_back({Param::Delta, *round.Delta});
}

// All of delta kept for the conversion.
template <Real R>
Answer<R> converted_rounds(const RoundFamily& family, const Values<R>& x) {
  using Param::lambda, Param::T, Param::delta;
  const R log_delta = log(x[delta]);
  R order;
  if (x.has(lambda)) {
    order = x[lambda];
    if (has_too_many_terms(family, order)) return {.value = R(0), .refused = few_terms};
  } else {
    const double found = order_found(family, in_double(x), to_double(log_delta));
    order = family.orders == Orders::integer ? R(found) : short_decimal<R>(found);
  }
  const Round<R> round = family.round(x, order);
  Answer<R> answer{.value = converted(family, R(x[T] * round.rdp), order, x[delta], log_delta)};
  if (!x.has(lambda)) answer.at.push_back({lambda, order});
  tell_Delta(answer, round, x);
  return answer;
}

// The same at a whole delta: what T rounds spend is taken from it first.
struct Converted {
  const RoundFamily& family;
  std::string_view lacks = family.lacks;
  template <Real R>
  std::optional<R> beside(const Values<R>& x) const {
    const R spent = x[Param::T] * family.spent(x);
    return certainly(spent <= 0) ? std::nullopt : std::optional<R>(log(spent));
  }
  template <Real R>
  Spending<R> at(const Values<R>& x) const {
    Answer<R> answer = converted_rounds(family, x);
    return {std::move(answer), beside(x)};
  }
};

}  // namespace

template <Real R>
Answer<R> one_round(const RoundFamily& family, const Values<R>& x) {
  if (has_too_many_terms(family, x[Param::lambda])) return {.value = R(0), .refused = few_terms};
  const Round<R> round = family.round(x, x[Param::lambda]);
  Answer<R> answer{.value = round.rdp};
  tell_Delta(answer, round, x);
  if (family.has_event()) {
    const R spent = family.spent(x);
    answer.beside.push_back({"delta_per_round", spent});
    if (!certainly(spent <= 0)) answer.log_delta_total = log(spent);
  }
  return answer;
}

template <Real R>
Answer<R> after_rounds(const RoundFamily& family, const Values<R>& x) {
  return family.has_event() ? of_whole_delta(x, Converted{family}) : converted_rounds(family, x);
}

template Answer<double> one_round(const RoundFamily&, const Values<double>&);
template Answer<mp50> one_round(const RoundFamily&, const Values<mp50>&);
template Answer<Ball> one_round(const RoundFamily&, const Values<Ball>&);
template Answer<double> after_rounds(const RoundFamily&, const Values<double>&);
template Answer<mp50> after_rounds(const RoundFamily&, const Values<mp50>&);
template Answer<Ball> after_rounds(const RoundFamily&, const Values<Ball>&);

}  // namespace epsilary::bounds
