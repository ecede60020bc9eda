#include "bounds/theory/checkin/lower_formulas.hpp"

#include <type_traits>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/lower.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds::equal_data {
namespace {

using enum Param;

// The Delta with the largest share; it does not depend on the order. Any Delta is valid, so the search needs no proof.
template <Real R>
R best_Delta_below(const R& expected) {
  const auto find = [](const auto& mean) {
    using S = std::decay_t<decltype(mean)>;
    return minimise<S>([&](const S& D) { return S(-chernoff_share(D, mean)); }, S(0), S(1)).at.value;
  };
  if constexpr (std::same_as<R, double>)
    return find(expected);
  else
    return from_rational<R>(Decimal(find(to_mp50(expected)).str(30)).exact());
}

struct SecondOrderSplit {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    const R expected = x[n] * x[gamma], D = x.has(Param::Delta) ? x[Param::Delta] : best_Delta_below(expected);
    return {R(log1p(chernoff_share(D, expected) * second_order(x[eps0], x[n], x[gamma], order)) / (order - 1)), D};
  }
};

struct SecondOrder {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {R(log1p(second_order(x[eps0], x[n], x[gamma], order)) / (order - 1))};
  }
};

// Of a sample, the larger of both directions.
struct GivenSample {
  static constexpr Orders orders = Orders::real;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::divergence<R>(max(given_moment(x, order), given_moment(x, R(1 - order))), order)};
  }
};

// The terms of its sums are compared and copied more often than they are added, which nobody counts.
constexpr double uncounted_of_balls = 35;

}  // namespace

RoundForms second_order_rounds() { return rounds_of<SecondOrder>(); }
RoundForms second_order_split() { return rounds_of<SecondOrderSplit>(); }
RoundForms given_sample() { return rounds_of<GivenSample>(); }

Evaluator divergence() {
  return each_number([]<Real R>(const Values<R>& x) {
    const WorkLimit dear(work_left() / uncounted_of_balls);
    return both_directions<R>(checkin_moment(x, x[lambda]), checkin_moment(x, x.complement(lambda)), x[lambda]);
  });
}
Evaluator divergence_given_sample() {
  return each_number([]<Real R>(const Values<R>& x) {
    return both_directions<R>(given_moment(x, x[lambda]), given_moment(x, x.complement(lambda)), x[lambda]);
  });
}

}  // namespace epsilary::bounds::equal_data
