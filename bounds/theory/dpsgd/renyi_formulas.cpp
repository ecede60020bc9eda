#include "bounds/theory/dpsgd/renyi_formulas.hpp"

#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/renyi.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"

namespace epsilary::bounds::dpsgd {
namespace {

using enum Param;

struct SubsampledMoment {
  template <Real R>
  R operator()(const R& lambda_, const R& p, const R& mu_) const {
    return subsampled_log_moment(lambda_, p, mu_);
  }
  static double order(double p, double mu_, double T_, double delta_) {
    return best_subsampled_order(p, mu_, T_, delta_);
  }
};
struct PoissonMoment {
  template <Real R>
  R operator()(const R& lambda_, const R& p, const R& mu_) const {
    return poisson_log_moment(lambda_, p, mu_);
  }
  static double order(double p, double mu_, double T_, double delta_) { return best_poisson_order(p, mu_, T_, delta_); }
};

// The rate and the number of steps, as given or of a data set with batches.
template <Real R>
struct Sampled {
  R p, steps;
};
template <Real R>
Sampled<R> sampled(const Values<R>& x) {
  if (x.has(q)) return {x[q], x[T]};
  return {rate(x), rounds(x)};
}

template <Real R, class M>
Answer<R> one_step(const Values<R>& x, M moment) {
  const R log_moment = moment(x[lambda], x[q], x[mu]);
  Answer<R> out{R(log_moment / (x[lambda] - 1))};
  if (const R m1 = expm1(log_moment); is_finite(m1)) out.beside.push_back({"moment", m1});
  return out;
}

template <Real R, class M>
Answer<R> accounted(const Values<R>& x, M moment) {
  const auto [p, T_] = sampled(x);
  const R mu_ = 1 / x[sigma];
  // A decimal that the user can type again; the last digits of the best order do not show in epsilon.
  const auto found = [&, p = to_double(p), t = to_double(T_)] {
    return M::order(p, to_double(mu_), t, to_double(x[delta]));
  };
  const R order = x.has(lambda) ? x[lambda] : from_rational<R>(Decimal::nearest(found(), 9).exact());
  Answer<R> out{renyi::to_epsilon(R(T_ * moment(order, p, mu_) / (order - 1)), order, R(log(x[delta])))};
  out.at.push_back({lambda, order});
  return out;
}

template <Real R>
Answer<R> advanced(const Values<R>& x) {
  const auto [p, T_] = sampled(x);
  const R half = x[delta] / 2;
  const R eps_ = subsampled_epsilon(R(half / T_), p, R(1 / x[sigma]));
  return with_cap(half_drift_composition(eps_, T_, half), R(T_ * eps_));
}

template <class M>
RenyiForms forms() {
  return {each_number([](const auto& x) { return one_step(x, M{}); }),
          each_number([](const auto& x) { return accounted(x, M{}); })};
}

}  // namespace

RenyiForms renyi_of_fixed_size() { return forms<SubsampledMoment>(); }
RenyiForms renyi_of_poisson() { return forms<PoissonMoment>(); }
Evaluator advanced_composition() {
  return each_number([](const auto& x) { return advanced(x); });
}

}  // namespace epsilary::bounds::dpsgd
