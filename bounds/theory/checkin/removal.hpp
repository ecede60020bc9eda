// Distributed check-in under removal: the moments of a noisy sum with and without one client, given the number of
// others and mixed over it.
#pragma once

#include <concepts>
#include <limits>
#include <string_view>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/distributed.hpp"

namespace epsilary::bounds::removal {

template <Real R>
Moment<R> ideal(const Values<R>& x, const R& order, const Moment<R>& k) {
  using M = Moment<R>;
  return distributed::removal_moment(M(order), chance_of<M>(x, Param::gamma), k,
                                     distributed::IdealNoise<M>{M(x[Param::multiplier])});
}
// The larger of both directions.
template <Real R>
Moment<R> client(const Values<R>& x, const R& order, const Moment<R>& k) {
  using M = Moment<R>;
  const distributed::ClientNoise<M> noise{M(x[Param::multiplier]), M(x[Param::dim])};
  const Chance<M> rate = chance_of<M>(x, Param::gamma);
  return max(distributed::removal_moment(M(order), rate, k, noise),
             distributed::removal_moment_reverse(M(order), rate, k, noise));
}

// The mean over the number of other clients, given that it reaches the quorum.
template <Real R, class F>
Round<R> over_the_others(const Values<R>& x, const R& order, F moment) {
  using M = Moment<R>;
  const M others = M(x[Param::n]) - 1;
  const double least = count_of(x[Param::quorum]);
  const Chance<M> rate = chance_of<M>(x, Param::gamma);
  const M m1 =
      distributed::quorum_mean(others, rate, M(0), least, [&](double k, const M&) { return moment(x, order, M(k)); });
  return {renyi::divergence<R>(m1, order)};
}
// The probability that fewer of them check in.
template <Real R>
R too_few_others(const Values<R>& x) {
  using M = Moment<R>;
  const M below =
      distributed::below_quorum(M(M(x[Param::n]) - 1), chance_of<M>(x, Param::gamma), count_of(x[Param::quorum]));
  return plain<R>(below);
}
inline constexpr std::string_view enough_others = "T P(K' < quorum) < delta, K' the number of other clients";

struct Removal {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  static constexpr std::string_view lacks = enough_others;
  template <Real R>
  static R spent(const Values<R>& x) {
    return too_few_others(x);
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return over_the_others(x, order, [](const auto&... a) { return ideal<R>(a...); });
  }
};

struct RemovalClient {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  static constexpr std::string_view lacks = enough_others;
  template <Real R>
  static R spent(const Values<R>& x) {
    return too_few_others(x);
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    if constexpr (std::same_as<R, double>)  // beyond the quorum the divergence is infinite; only a search comes here
      if (order > x[Param::quorum]) return {std::numeric_limits<double>::infinity()};
    return over_the_others(x, order, [](const auto&... a) { return client<R>(a...); });
  }
};

struct GivenOthers {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::divergence<R>(ideal(x, order, Moment<R>(x[Param::per_round])), order)};
  }
};

struct GivenOthersClient {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    if constexpr (std::same_as<R, double>)  // infinite; only a search comes here
      if (order > x[Param::per_round]) return {std::numeric_limits<double>::infinity()};
    return {renyi::divergence<R>(client(x, order, Moment<R>(x[Param::per_round])), order)};
  }
};

}  // namespace epsilary::bounds::removal
