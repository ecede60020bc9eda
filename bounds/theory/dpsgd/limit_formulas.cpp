#include "bounds/theory/dpsgd/limit_formulas.hpp"

#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/sampling.hpp"
#include "bounds/theory/gaussian.hpp"

namespace epsilary::bounds::dpsgd {
namespace {

using enum Param;

// mu of the central limit theorem and what it would give.
struct FixedSizeLimit {
  template <Real R>
  R operator()(const Values<R>& x) const {
    return rate(x) * sqrt(rounds(x)) * clt_factor(x[sigma]);
  }
};
struct PoissonLimit {
  template <Real R>
  R operator()(const Values<R>& x) const {
    return rate(x) * sqrt(rounds(x) * expm1(1 / (x[sigma] * x[sigma])));
  }
};

template <class Limit>
LimitForms forms() {
  return {each_number([](const auto& x) { return Limit{}(x); }),
          each_number([](const auto& x) { return gdp_epsilon(x[delta], Limit{}(x)); }),
          each_number([](const auto& x) { return gdp_delta(x[eps], Limit{}(x)); })};
}

}  // namespace

LimitForms fixed_size_limit() { return forms<FixedSizeLimit>(); }
LimitForms poisson_limit() { return forms<PoissonLimit>(); }

Evaluator told_record() {
  return each_number([](const auto& x) { return told_steps_delta(x[eps], rounds(x), chosen(x), x[sigma]); });
}
Evaluator told_group() {
  return each_number([]<Real R>(const Values<R>& x) {
    return told_steps_delta(x[eps], rounds(x), group_is_met(x[n], x[batch], to_double(x[group])), x[sigma]);
  });
}
Evaluator told_two_records() {
  return each_number([](const auto& x) { return two_records_delta(x[eps], x[epochs], x[n], x[batch], x[sigma]); });
}

}  // namespace epsilary::bounds::dpsgd
