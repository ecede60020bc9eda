// The generic conversion of Self check-in 2022, Section 4.1: a shuffle known by its epsilon for each number of
// check-ins, subsampled, mixed over that number.
#pragma once

#include <optional>
#include <string_view>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/shuffled.hpp"
#include "bounds/theory/renyi_subsampling.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/subsampling.hpp"

namespace epsilary::bounds::generic {

// The mean over K of moment(shuffle's epsilon, rate) for moments of at most `ceiling(rate)`, which grows at most like
// the rate to the power lambda + 1.
template <Real R, class F, class Ceiling>
Moment<R> mean_over_shuffles(const Values<R>& x, const R& order, F moment, Ceiling ceiling) {
  using M = Moment<R>;
  const M N = M(x[Param::n]);
  const Chance<M> rate = chance_of<M>(x, Param::gamma);
  return binomial_mean(
      Binomial<M>{N, rate.yes, rate.no}, 1.0, M(order) + 1,
      [&](double k) {
        return moment(clones::closed_form_or_eps0(x[Param::eps0], R(k), x[Param::beta]), R(R(k) / x[Param::n]));
      },
      [&](double k, const M&) { return ceiling(M(M(k) / N)); }, [&](double, double b) { return ceiling(M(M(b) / N)); });
}

// Randomised response at log(1 + r (e^{eps0} - 1)) bounds what an eps0-DP mechanism at rate r can have.
template <Real R>
auto response_ceiling(const Values<R>& x, const R& order) {
  using M = Moment<R>;
  return [=](const M& r) { return renyi::response_moment(subsampled(M(x[Param::eps0]), r), M(order)); };
}

// The shuffle's delta is spent only when the client takes part: E[K/n] beta = gamma beta in each round.
struct SpendsBeta {
  static constexpr std::string_view lacks = "T gamma beta < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    return x[Param::gamma] * x[Param::beta];
  }
};
template <Real R>
Round<R> outside_the_event(const Values<R>& x, const R& order, const Moment<R>& m1) {
  return {renyi::divergence<R>(Moment<R>(m1 / Moment<R>(1 - x[Param::gamma] * x[Param::beta])), order)};
}

// As printed: the least divergence of an (eps, delta)-DP pair where the largest is needed.
struct LeastDivergence {
  static constexpr Orders orders = Orders::real;
  static constexpr bool sketched = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    // The pair that leaks with probability r beta and else shows all of eps0 is not better than (eps_k, delta_k).
    const M most = expm1(M((order - 1) * (x[Param::eps0] - log1p(-x[Param::beta]))));
    const M m1 = mean_over_shuffles(
        x, order,
        [&](const R& es, const R& r) {
          const R least = renyi::least_divergence(order, subsampled(es, r), R(r * x[Param::beta]));
          return expm1(M((order - 1) * least));
        },
        [&](const M&) { return most; });
    return {renyi::divergence<R>(m1, order)};
  }
};

struct ByResponse : SpendsBeta {
  static constexpr Orders orders = Orders::real;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto moment = [&](const R& es, const R& r) {
      return M(1 - r * x[Param::beta]) * renyi::response_moment(M(subsampled(es, r)), M(order));
    };
    return outside_the_event(x, order, mean_over_shuffles(x, order, moment, response_ceiling(x, order)));
  }
};

// The canonical pair of C_r of an (eps_s, beta)-DP shuffle: masses x at +log rho and x rho at -log rho.
struct ByTradeoff : SpendsBeta {
  static constexpr Orders orders = Orders::real;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto moment = [&](const R& es, const R& r) {
      const M loss = M(subsampled(es, r)), mass = M(x.complement(Param::beta)) / (1 + exp(M(es)));
      return mass * expm1(M(order) * loss) * -expm1((1 - M(order)) * loss);
    };
    return outside_the_event(x, order, mean_over_shuffles(x, order, moment, response_ceiling(x, order)));
  }
};

struct ByTernarySum : SpendsBeta {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto moment = [&](const R& es, const R& r) {
      const M e = M(es), growth = M(r) * exp(e) * max(M(1), M(expm1(e)));
      return M(1 - r * x[Param::beta]) *
             renyi::subsampled_moment(
                 M(order), renyi::response_moment(e, M(2)), M(expm1(e)), renyi::powers_of(M(r)),
                 [&](int j) { return 1 + renyi::response_moment(e, M(j)); }, std::optional<M>(growth));
    };
    // Each term is at most 2 C(lambda,j) e^{j eps0} r^j.
    const auto ceiling = [&](const M& r) { return 2 * exp(M(order) * log1p(r * exp(M(x[Param::eps0])))); };
    return outside_the_event(x, order, mean_over_shuffles(x, order, moment, ceiling));
  }
};

}  // namespace epsilary::bounds::generic
