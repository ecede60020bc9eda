// The delta that is asked for is the whole delta. A statement that spends it in parts keeps a share for itself, and the
// rest pays for what it spends beside: an approximate randomizer, rare loads, rounds with too few check-ins. Every
// share at which the parts add up to at most delta gives a valid bound: the best is sought without proof, and the sum
// is proved once.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <utility>

#include "bounds/core/bound.hpp"
#include "solvers/numbers/functions.hpp"
#include "solvers/search/largest_share.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds {

// What a statement says at the part of delta it keeps, and the log of what it spends beside; nothing, where it spends
// no more.
// Constructed and no aggregate: GCC 12 destroys a member twice where an initializer after a nested aggregate throws.
template <Real R>
struct Spending {
  Spending(Answer<R> says, std::optional<R> log_spent = {})
      : answer(std::move(says)), log_beside(std::move(log_spent)) {}
  Answer<R> answer;
  std::optional<R> log_beside;
};

namespace split {

// A point in doubles, or where delta is too small for a double in numbers of 50 digits.
template <Real S, Real R>
Values<S> nearby(const Values<R>& x) {
  if constexpr (std::same_as<S, R>)
    return x;
  else
    return x.template as<S>();
}
template <Real R, class F>
auto searched(const Values<R>& x, F search) {
  const double log_delta = to_double(R(log(x[Param::delta])));
  if constexpr (!std::same_as<R, double>)
    if (log_delta < -650) return search(nearby<mp50>(x));
  return search(nearby<double>(x));
}

// A share as a decimal of 12 digits that can be typed again, below one.
inline Rational typed(double share) {
  return Decimal::round(Decimal::nearest(std::min(share, 1 - 1e-12), 17).exact(), 12, Rounding::down).exact();
}

template <Real R>
Values<R> keeping(const Values<R>& x, const R& share) {
  Values<R> kept = x;
  kept.set(Param::delta, R(share * x[Param::delta]));
  return kept;
}

// A statement whose costs do not depend on what it says has them apart, as beside(values).
template <class Statement, Real S>
std::optional<S> log_beside(const Values<S>& x, const Statement& statement = {}) {
  if constexpr (requires { statement.beside(x); })
    return statement.beside(x);
  else
    return statement.at(x).log_beside;
}

template <class Statement, Real S>
std::optional<double> best_share(const Values<S>& x, const Statement& statement = {}) {
  const S log_delta = log(x[Param::delta]);
  return largest_share([&](double share) {
    const std::optional<S> cost = log_beside(keeping(x, S(share)), statement);
    return cost ? std::exp(to_double(S(*cost - log_delta))) : 0.0;
  });
}

}  // namespace split

// What the statement gives when its parts add up to x[delta]: statement.at(values) is a Spending, with values[delta]
// what it keeps, and its value falls in that. Where a share is given it is as given, and the whole delta is what it
// comes to. statement.lacks says what is needed for any split to be possible.
template <class Statement, Real R>
Answer<R> of_whole_delta(const Values<R>& x, const Statement& statement = {}) {
  using Param::delta, Param::share;
  const auto spent = [&](const R& kept) {
    Spending<R> at = statement.at(split::keeping(x, kept));
    const R log_kept = log(kept * x[delta]);
    at.answer.log_delta_total = at.log_beside ? log_add(log_kept, *at.log_beside) : log_kept;
    return at.answer;
  };
  if (x.has(share)) return spent(x[share]);
  if (!split::log_beside(x, statement)) {
    Answer<R> whole = statement.at(x).answer;
    whole.log_delta_total = log(x[delta]);
    whole.within = true;
    return whole;
  }
  const auto found = split::searched(x, [&]<Real S>(const Values<S>& y) { return split::best_share(y, statement); });
  if (found)
    for (const double less : {1e-12, 1e-10, 1e-7, 1e-4}) {
      const R kept = from_rational<R>(split::typed(*found * (1 - less)));
      Answer<R> answer = spent(kept);
      if constexpr (std::same_as<R, Ball>)
        if (!certainly(*answer.log_delta_total <= log(x[delta]))) continue;
      answer.within = true;
      answer.at.push_back({share, kept});
      return answer;
    }
  return {.value = R(0), .refused = statement.lacks};
}

template <class Statement>
Evaluator whole_delta_of() {
  return each_number([](const auto& x) { return of_whole_delta<Statement>(x); });
}

namespace split {

// The part of delta, between 0 and 1, at which a cost is least, and nothing where it is infinite everywhere. The cost
// may be infinite near the ends.
template <class Cost>
std::optional<double> best_part(Cost cost) {
  const auto part = [](double u) { return 1 / (1 + std::exp(-u)); };
  const auto at = [&](double u) {
    const double c = cost(part(u));
    return std::isfinite(c) ? c : 1e300;
  };
  double best = 0, least = 1e300;
  for (double u = -12; u <= 12; ++u)
    if (const double c = at(u); c < least) best = u, least = c;
  if (least >= 1e300) return {};
  const auto finer = minimise<double>(at, best - 1, best + 1, 40);
  return part(finer.value < least ? finer.at.value : best);
}

}  // namespace split

}  // namespace epsilary::bounds
