#include "bounds/theory/dpsgd/limit_formulas.hpp"

#include <cmath>

#include "bounds/theory/concentrated.hpp"
#include "bounds/theory/dpsgd/composed.hpp"
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

// The type-II error that (eps, delta(eps)) leaves a test of level alpha, for a trade-off function that is symmetric: a
// line that touches the function at one level, from either end.
Ball line_below(const Values<Ball>& x, const Ball& at, const Request& request) {
  Values<Ball> point = x;
  point.set(eps, abs(at));
  const Ball kept = 1 - composed_fixed_size(point, request);
  return certainly(at >= 0) ? kept - exp(at) * x[alpha] : exp(at) * (kept - x[alpha]);
}

// Every eps gives a line below the function. The one that touches it at alpha is sought around where it would be by the
// central limit theorem, with little work; the line found is bounded with all of it.
Answer<Ball> tradeoff_at(const Values<Ball>& x, const Request& request) {
  const double steps = to_double(x[T]), level = to_double(x[alpha]);
  const double mu = to_double(x[q]) * std::sqrt(steps) * clt_factor(to_double(x[sigma]));
  const double middle = mu * -to_double(normal_quantile(Ball(level))) - mu * mu / 2;
  const Request little{10 * composed_width, request.work / 40};
  double best = middle, least = 2;
  for (const double shift : {-0.5, -0.2, 0.0, 0.2, 0.5}) {
    const double at = middle + shift * mu;
    const Ball line = line_below(x, Ball(at), little);
    if (line.finite() && 1 - line.lower() < least) best = at, least = 1 - line.lower();
  }
  const Ball at(best), line = line_below(x, at, request);
  Answer<Ball> answer{.value = certainly(line <= 0) ? Ball(0) : line};
  answer.at = {{eps, abs(at)}};
  return answer;
}

// Of a group, 1 - (1-f)^{og}: the level that g - 1 neighbours make of alpha, each rounded up, and f there.
Answer<Ball> composed_tradeoff(const Values<Ball>& x, const Request& request) {
  Values<Ball> point = x;
  const double members = x.has(group) ? to_double(x[group]) : 1;
  for (double k = 1; k < members; ++k) {
    const Ball level = 1 - tradeoff_at(point, request).value.lower_end();
    if (!certainly(level < 1 - Ball(1e-9))) return {.value = Ball(0)};
    point.set(alpha, level.upper_end());
  }
  return tradeoff_at(point, request);
}

// rho of T rounds for a group; the orders of a group end at omega/g.
template <Real R>
R rho_in_all(const Values<R>& x) {
  const R size = group_size(x);
  return x[T] * size * size * x[rho];
}

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

Evaluator tradeoff_below() { return bracketed<composed_tradeoff>(); }

Evaluator summed_mu() {
  return each_number([]<Real R>(const Values<R>& x) {
    R sum(0);
    for (const R& each : x.steps()) sum += each * each;
    return R(sqrt(sum));
  });
}
Evaluator summed_rho() {
  return each_number([](const auto& x) { return rho_in_all(x); });
}
Evaluator summed_rho_truncated() {
  return each_number([]<Real R>(const Values<R>& x) {
    Answer<R> answer{.value = rho_in_all(x)};
    answer.beside = {{"omega", R(x[omega] / group_size(x))}};
    return answer;
  });
}
Evaluator epsilon_of_summed_rho() {
  return each_number([](const auto& x) { return zcdp_epsilon(rho_in_all(x), x[delta]); });
}
Evaluator epsilon_of_summed_rho_truncated() {
  return each_number(
      []<Real R>(const Values<R>& x) { return tcdp_epsilon(rho_in_all(x), R(x[omega] / group_size(x)), x[delta]); });
}

}  // namespace epsilary::bounds::dpsgd
