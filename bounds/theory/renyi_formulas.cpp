#include "bounds/theory/renyi_formulas.hpp"

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/renyi.hpp"
#include "bounds/theory/renyi_subsampling.hpp"

namespace epsilary::bounds::renyi {
namespace {

using enum Param;

struct PureMechanism {
  static constexpr Orders orders = Orders::real;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::response(x[eps0], order)};
  }
};

struct GaussianMechanism {
  static constexpr Orders orders = Orders::real;
  static constexpr bool closed = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::gaussian(x[mu], order)};
  }
};

// Of an (eps0, delta0)-DP mechanism: up to probability delta0 a pair of laws that is eps0-DP.
struct ApproximateResponse {
  static constexpr Orders orders = Orders::real;
  static constexpr bool optimal = true;
  static constexpr bool closed = true;
  static constexpr std::string_view lacks = "T delta0 < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    return x[delta0];
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    return {renyi::response(x[eps0], order)};
  }
};

// A mechanism of eps0-DP, whose divergences are at most those of randomised response.
struct SampledPure {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const M e = M(x[eps0]);
    const M m1 =
        renyi::subsampled_moment(M(order), renyi::response_moment(e, M(2)), M(expm1(e)), renyi::powers_of(M(x[q])),
                                 [&](int j) { return 1 + renyi::response_moment(e, M(j)); });
    return {renyi::divergence<R>(m1, order)};
  }
};

struct SampledGaussian {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const M m1 = renyi::subsampled_gaussian_moment(M(order), M(x[mu] * x[mu]), renyi::powers_of(M(x[q])));
    return {renyi::divergence<R>(m1, order)};
  }
};

}  // namespace

RoundForms pure_mechanism() { return rounds_of<PureMechanism>(); }
RoundForms gaussian_mechanism() { return rounds_of<GaussianMechanism>(); }
RoundForms approximate_mechanism() { return rounds_of<ApproximateResponse>(); }
RoundForms sampled_pure() { return rounds_of<SampledPure>(); }
RoundForms sampled_gaussian() { return rounds_of<SampledGaussian>(); }

Evaluator sum_of_steps() {
  return each_number([]<Real R>(const Values<R>& x) {
    R sum(0);
    for (const R& step : x.steps()) sum += step;
    return sum;
  });
}

Evaluator epsilon_of_order() {
  return each_number([]<Real R>(const Values<R>& x) { return to_epsilon(x[rdp], x[lambda], R(log(x[delta]))); });
}
Evaluator delta_of_order() {
  return each_number(
      []<Real R>(const Values<R>& x) { return with_cap(R(exp(to_log_delta(x[rdp], x[lambda], x[eps]))), R(1)); });
}
Evaluator first_epsilon_of_order() {
  return each_number([]<Real R>(const Values<R>& x) { return R(x[rdp] - log(x[delta]) / (x[lambda] - 1)); });
}
Evaluator optimal_epsilon_of_order() {
  return each_number([](const auto& x) { return to_epsilon_optimal(x[rdp], x[lambda], x[delta]); });
}
Evaluator least_divergence_of_pair() {
  return each_number([]<Real R>(const Values<R>& x) {
    Answer<R> answer{.value = least_divergence(x[lambda], x[eps], x[delta])};
    const bool inside = x.is_exact(lambda) && x.is_exact(delta) ? x.exact(lambda) * x.exact(delta) < 1
                                                                : certainly(x[lambda] * x[delta] < 1);
    answer.beside.push_back({"r", inside ? optimal_r(x[lambda], x[eps], x[delta]) : R(1)});
    return answer;
  });
}

}  // namespace epsilary::bounds::renyi
