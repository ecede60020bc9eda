// Approximate randomizers in the theorems of Balle et al. 2020: every call is replaced by one of a pure randomizer at
// some total-variation distance, and the theorem for pure randomizers is applied at a multiple of eps0.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "bounds/core/split.hpp"
#include "bounds/theory/checkin/averaged.hpp"
#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/shuffle/swapping.hpp"

namespace epsilary::bounds::checkin {

// The theorems for pure randomizers, at the delta they keep.
struct FixedWindow {
  template <Real R>
  static R epsilon(const Values<R>& x, const R& eps0) {
    return random_replacement(eps0, x[Param::m], x[Param::p0], x[Param::delta]);
  }
};
struct SlidingWindow {
  template <Real R>
  static R epsilon(const Values<R>& x, const R& eps0) {
    return random_replacement(eps0, x[Param::m], R(1), x[Param::delta]);
  }
};
struct Shuffled {
  template <Real R>
  static R epsilon(const Values<R>& x, const R& eps0) {
    return shuffling::by_swapping(eps0, x[Param::n], x[Param::delta]);
  }
};
struct Averaged {
  template <Real R>
  static R epsilon(const Values<R>& x, const R& eps0) {
    return averaged(eps0, x[Param::n], x[Param::m], x[Param::delta], x[Param::delta2]);
  }
};

inline constexpr std::string_view room_for_delta0 = "room in delta for what delta0 costs";

// How many calls of a run are replaced: as many as a parameter says, or two (PROOFS.md, clip).
template <Param p>
struct Each {
  template <Real R>
  static R count(const Values<R>& x) {
    return x[p];
  }
};
struct Two {
  template <Real R>
  static R count(const Values<R>&) {
    return R(2);
  }
};

// Calls replaced at a distance each; what the loads may cost is spent beside too.
template <class Pure, int factor, class Calls, Param distance>
struct Replaced {
  static constexpr std::string_view lacks = room_for_delta0;
  static constexpr bool has_loads = std::same_as<Pure, Averaged>;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R eps_ = Pure::epsilon(x, R(factor * x[Param::eps0]));
    std::optional<R> cost = log_approximation_cost(Calls::count(x), eps_, x[distance]);
    if constexpr (has_loads) {
      const R loads = log(x[Param::delta2]);
      cost = cost ? log_add(*cost, loads) : loads;
    }
    return {Answer<R>{.value = eps_}, std::move(cost)};
  }
};

// The statement with its parts as given: delta is what it keeps, and the whole delta is what that comes to.
template <class Statement, Real R>
Answer<R> as_printed(const Values<R>& x) {
  Spending<R> at = Statement::at(x);
  const R log_kept = log(x[Param::delta]);
  at.answer.log_delta_total = at.log_beside ? log_add(log_kept, *at.log_beside) : log_kept;
  return at.answer;
}

// What was kept as the part of a printed form, to be typed again with the other parts.
template <Real R>
void name_the_part(Answer<R>& answer, const Values<R>& x) {
  for (Chosen<R>& c : answer.at)
    if (c.param == Param::share) c = {Param::delta, R(c.value * x[Param::delta])};
}

// With the share of delta for the loads that gives the least epsilon.
template <class Statement, Real R>
Answer<R> with_best_delta2(const Values<R>& x) {
  using Param::delta, Param::delta2;
  const auto loads_at = []<Real S>(const Values<S>& y, const S& part) {
    Values<S> out = y;
    out.set(delta2, S(part * y[delta]));
    return out;
  };
  const auto found = split::searched(x, [&]<Real S>(const Values<S>& y) {
    return split::best_part([&](double part) {
      const Values<S> at = loads_at(y, S(part));
      const auto share = split::best_share<Statement>(at);
      return share ? to_double(Statement::at(split::keeping(at, S(*share))).answer.value) : HUGE_VAL;
    });
  });
  if (!found) return {.value = R(0), .refused = Statement::lacks};
  const R part = from_rational<R>(split::typed(*found));
  Answer<R> answer = of_whole_delta<Statement>(loads_at(x, part));
  name_the_part(answer, x);
  answer.at.push_back({delta2, R(part * x[delta])});
  return answer;
}

// With the least delta1 that Lemma A.3 admits: it enters the whole delta alone.
template <class Statement, Real R>
Answer<R> with_least_delta1(const Values<R>& x) {
  using Param::delta0, Param::delta1, Param::eps0;
  constexpr std::string_view admitted = "delta0 small enough for Lemma A.3 to admit it at some delta1 < 1";
  Values<R> at = x;
  if (!x.at_most(delta0, 0)) {
    const auto least = [](const auto& y) { return to_double(log(least_delta1(y[eps0], y[delta0]))); };
    const double log_least =
        to_double(R(log(x[delta0]))) < -650 ? least(split::nearby<mp50>(x)) : least(split::nearby<double>(x));
    if (!(log_least < -1e-9)) return {.value = R(0), .refused = admitted};
    // A little more, as a decimal of 12 digits: the power of ten apart, as delta1 may be too small for a double.
    const double tens = std::floor(log_least / std::log(10.0));
    const double digits = std::exp(log_least - tens * std::log(10.0)) * (1 + 1e-9);
    const Rational least_ = Decimal::nearest(digits, 12).exact() * power_of_ten(static_cast<std::int64_t>(tens));
    at.set(delta1, from_rational<R>(least_));
    if (!certainly(admissible_delta0(x[eps0], at[delta1], rejection_rounds(x[eps0], at[delta1])) >= x[delta0]) ||
        !certainly(at[delta1] < 1))
      return {.value = R(0), .refused = admitted};
  } else {
    at.set(delta1, R(0));  // every delta1 > 0 is admitted, so the whole delta comes down to the limit
  }
  Answer<R> answer;
  if constexpr (Statement::has_loads)
    answer = with_best_delta2<Statement>(at);
  else
    answer = of_whole_delta<Statement>(at);
  name_the_part(answer, x);
  if (!x.at_most(delta0, 0)) answer.at.push_back({delta1, at[delta1]});
  return answer;
}

template <class Statement>
Evaluator least_delta1_of() {
  return each_number([](const auto& x) { return with_least_delta1<Statement>(x); });
}
template <class Statement>
Evaluator best_delta2_of() {
  return each_number([](const auto& x) { return with_best_delta2<Statement>(x); });
}
template <class Statement>
Evaluator printed() {
  return each_number([](const auto& x) { return as_printed<Statement>(x); });
}

}  // namespace epsilary::bounds::checkin
