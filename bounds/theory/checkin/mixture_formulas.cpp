#include "bounds/theory/checkin/mixture_formulas.hpp"

#include <cmath>
#include <utility>

#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/checkin/averaged.hpp"
#include "bounds/theory/checkin/clipped.hpp"
#include "bounds/theory/checkin/loads.hpp"
#include "bounds/theory/checkin/posteriors.hpp"
#include "bounds/theory/checkin/windows.hpp"
#include "bounds/theory/shuffle/swapping.hpp"

namespace epsilary::bounds::checkin {
namespace {

using enum Param;

template <Real R>
Answer<R> best_split(const Values<R>& x) {
  // A share of 12 digits from double, or of 30 digits from mp50: an exact decimal in either case.
  R share;
  if constexpr (std::same_as<R, double>) {
    share = std::round(best_share(x[eps0], x[n], x[m], x[delta]) * 1e12) / 1e12;
  } else {
    const mp50 found = best_share(to_mp50(x[eps0]), to_mp50(x[n]), to_mp50(x[m]), to_mp50(x[delta]));
    share = from_rational<R>(Decimal(found.str(30)).exact());
  }
  const R kept = share * x[delta], given = (1 - share) * x[delta];
  Answer<R> answer = with_cap(averaged(x[eps0], x[n], x[m], kept, given), x[eps0]);
  answer.log_delta_total = log(x[delta]);
  answer.within = true;  // the two parts add up to delta
  answer.at = {{delta, kept}, {delta2, given}};
  return answer;
}

struct RandomReplacement {
  template <Real R>
  static R epsilon(const Values<R>& x, const R& eps0) {
    return random_replacement(eps0, x[m], x[w], x[delta]);
  }
};
struct GivenLoads {
  template <Real R>
  static R epsilon(const Values<R>& x, const R& eps0) {
    return averaged_given_load(eps0, x[n], x[load], x[delta]);
  }
};

// Theorem A.5 at the delta it keeps; the loads spend delta2 beside.
struct AveragedWithLoads {
  static constexpr std::string_view lacks = "room in delta for the loads";
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const R norm_ = loads::chernoff_norm(x[n], x[m], x[delta2]);
    Answer<R> answer = with_cap(averaged_given_load(x[eps0], x[n], norm_, x[delta]), x[eps0]);
    answer.beside = {{"load", norm_}};
    return {std::move(answer), R(log(x[delta2]))};
  }
};

// Corollary 3.3 at the delta it keeps: the repetitions spend beta each.
template <Real R>
Spending<R> repeating(const Values<R>& x, const R& value) {
  R spent = log(x[n] / x[m] * x[beta]);
  return {Answer<R>{.value = value}, std::move(spent)};
}
struct Repeated {
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    return repeating(x, repeated(x[eps0], x[n], x[m], x[beta], x[delta]));
  }
  template <Real R>
  static bool admits(const Values<R>&) {
    return true;
  }
};
template <bool loose>
struct RepeatedClosed {
  template <Real R>
  static R constant() {
    return loose ? R(8 * (euler<R>() - 1)) : R(12);
  }
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    return repeating(x, repeated_closed(x[eps0], x[n], x[beta], x[delta], constant<R>()));
  }
  template <Real R>
  static bool admits(const Values<R>& x) {
    return certainly(closed_margin_eps0(x[eps0], x[n], x[m]) >= 0) &&
           certainly(closed_margin_n(x[eps0], x[n], x[m], x[beta]) >= 0) && certainly(-512 * log(x[beta]) - 1 >= 0);
  }
};

// With the part of delta for the repetitions that gives the least epsilon among those the statement admits.
template <class Statement, Real R>
Answer<R> with_best_beta(const Values<R>& x) {
  constexpr std::string_view lacks = "a part of delta at which its hypotheses on beta hold";
  const auto parted = []<Real S>(const Values<S>& y, const S& part) {
    Values<S> out = y;
    out.set(beta, S(part * y[delta] * y[m] / y[n]));
    out.set(delta, S((1 - part) * y[delta]));
    return out;
  };
  const auto found = split::searched(x, [&]<Real S>(const Values<S>& y) {
    return split::best_part([&](double part) {
      const Values<S> at = parted(y, S(part));
      return Statement::admits(at) ? to_double(Statement::at(at).answer.value) : HUGE_VAL;
    });
  });
  if (!found) return {.value = R(0), .refused = lacks};
  const Values<R> at = parted(x, from_rational<R>(split::typed(*found)));
  if (!Statement::admits(at)) return {.value = R(0), .refused = lacks};
  Answer<R> answer = Statement::at(at).answer;
  answer.log_delta_total = log(x[delta]);
  answer.within = true;  // the two parts add up to delta
  answer.at = {{delta, at[delta]}, {beta, at[beta]}};
  return answer;
}

template <Real R>
Answer<R> admissible(const Values<R>& x, const R& rounds) {
  const R value = admissible_delta0(x[eps0], x[delta1], rounds);
  return {.value = value, .beside = {{"rounds", rounds}}};
}

template <class Statement>
PartedForms replaced() {
  return {printed<Statement>(), least_delta1_of<Statement>()};
}
template <class Statement>
PartedForms repeating_forms() {
  return {printed<Statement>(), each_number([](const auto& x) { return with_best_beta<Statement>(x); })};
}

}  // namespace

Evaluator fixed_window() {
  return each_number([](const auto& x) {
    return with_cap(random_replacement(x[eps0], x[m], x[p0], x[delta]), subsampled(x[eps0], x[p0]));
  });
}
Evaluator fixed_window_simple() {
  return each_number([]<Real R>(const Values<R>& x) {
    return with_cap(random_replacement_simple(R(x[p0] * x[eps0]), x[m], x[delta]), subsampled(x[eps0], x[p0]));
  });
}
Evaluator sliding_window() {
  return each_number(
      []<Real R>(const Values<R>& x) { return with_cap(random_replacement(x[eps0], x[m], R(1), x[delta]), x[eps0]); });
}
Evaluator sliding_window_simple() {
  return each_number(
      [](const auto& x) { return with_cap(random_replacement_simple(x[eps0], x[m], x[delta]), x[eps0]); });
}
Evaluator weighted_slots() {
  return each_number([](const auto& x) {
    return with_cap(random_replacement(x[eps0], x[m], x[w], x[delta]), subsampled(x[eps0], x[w]));
  });
}
Evaluator swapped() {
  return each_number([](const auto& x) { return with_cap(shuffling::by_swapping(x[eps0], x[n], x[delta]), x[eps0]); });
}
Evaluator averaged_updates() {
  return each_number([](const auto& x) {
    auto answer = with_cap(averaged(x[eps0], x[n], x[m], x[delta], x[delta2]), x[eps0]);
    answer.log_delta_total = log(x[delta] + x[delta2]);
    return answer;
  });
}
Evaluator averaged_best_split() {
  return each_number([](const auto& x) { return best_split(x); });
}
Evaluator averaged_loads() {
  return each_number(
      [](const auto& x) { return with_cap(averaged_given_load(x[eps0], x[n], x[load], x[delta]), x[eps0]); });
}

PartedForms replaced_in_fixed_window() { return replaced<Replaced<FixedWindow, 8, Each<m>, delta1>>(); }
PartedForms replaced_in_fixed_window_conference() { return replaced<Replaced<FixedWindow, 8, Each<m>, delta0>>(); }
PartedForms replaced_in_sliding_window() { return replaced<Replaced<SlidingWindow, 8, Each<m>, delta1>>(); }
PartedForms replaced_in_weighted_slots() { return replaced<Replaced<RandomReplacement, 8, Each<m>, delta1>>(); }
PartedForms replaced_in_shuffle() { return replaced<Replaced<Shuffled, 8, Each<n>, delta1>>(); }
PartedForms replaced_in_shuffle_m_calls() { return replaced<Replaced<Shuffled, 8, Each<m>, delta1>>(); }
PartedForms replaced_in_averaged() { return replaced<Replaced<Averaged, 8, Each<n>, delta1>>(); }
PartedForms replaced_in_averaged_m_calls() { return replaced<Replaced<Averaged, 8, Each<m>, delta1>>(); }
PartedForms replaced_given_loads() { return replaced<Replaced<GivenLoads, 8, Each<m>, delta1>>(); }
PartedForms averaged_chernoff_loads() { return {printed<AveragedWithLoads>(), best_delta2_of<AveragedWithLoads>()}; }

Evaluator clipped_calls_in_fixed_window() { return whole_delta_of<Replaced<FixedWindow, 2, Each<m>, delta0>>(); }
Evaluator clipped_calls_in_sliding_window() { return whole_delta_of<Replaced<SlidingWindow, 2, Each<m>, delta0>>(); }
Evaluator two_calls_clipped() { return whole_delta_of<ShuffledTwice>(); }
Evaluator clipped_record_in_fixed_window() { return whole_delta_of<FixedClipped>(); }
Evaluator clipped_record_in_sliding_window() { return whole_delta_of<SlidingClipped>(); }
Evaluator clipped_record_in_weighted_slots() { return whole_delta_of<Clipped<w>>(); }

PartedForms epoch() { return repeating_forms<Repeated>(); }
PartedForms epoch_closed() { return repeating_forms<RepeatedClosed<false>>(); }
PartedForms epoch_closed_loose() { return repeating_forms<RepeatedClosed<true>>(); }
Ball epoch_margin_eps0(const Values<Ball>& x) { return closed_margin_eps0(x[eps0], x[n], x[m]); }
Ball epoch_margin_n(const Values<Ball>& x) { return closed_margin_n(x[eps0], x[n], x[m], x[beta]); }

Evaluator load_quantile() {
  return each_number([]<Real R>(const Values<R>& x) -> R {
    const Rational share = x.is_exact(delta) ? x.exact(delta) : Decimal::nearest(to_double(x[delta]), 17).exact();
    return sqrt(R(loads::exact_square(nearest_integer(to_double(x[n])), nearest_integer(to_double(x[m])), share)));
  });
}
Evaluator load_chernoff() {
  return each_number([](const auto& x) { return loads::chernoff_norm(x[n], x[m], x[delta]); });
}

Evaluator one_repetition() {
  return each_number([]<Real R>(const Values<R>& x) {
    const R value = 2 * expm1(x[eps0]) * sqrt(-2 * x[m] * exp(x[eps0]) * log(x[beta])) / x[n];
    return Answer<R>{.value = value, .beside = {{"theorem", repeated_once(x[eps0], x[n], x[m], x[beta])}}};
  });
}
Ball one_repetition_margin(const Values<Ball>& x) {
  return sqrt(-2 * log(x[beta])) - expm1(x[eps0]) * sqrt(x[m] * exp(x[eps0])) / (2 * x[n]);
}

Evaluator fixed_window_posterior() {
  return each_number([](const auto& x) {
    return with_cap(random_replacement_posterior(x[eps0], x[m], x[p0], x[delta]), subsampled(x[eps0], x[p0]));
  });
}
Evaluator steps_of_linear_posterior() {
  return each_number(
      []<Real R>(const Values<R>& x) { return two_term(R(x[a] * x[a] / (x[T] * x.complement(b))), x[delta]); });
}
Evaluator admissible_local_delta() {
  return each_number(
      []<Real R>(const Values<R>& x) { return admissible(x, R(ceil(rejection_rounds(x[eps0], x[delta1])))); });
}
Evaluator admissible_local_delta_printed() {
  return each_number([](const auto& x) { return admissible(x, rejection_rounds(x[eps0], x[delta1])); });
}

Evaluator slot_posterior() {
  return each_number([]<Real R>(const Values<R>& x) {
    return along_slots(x, x[m], [&](const R& seen) { return printed_posterior(x[eps0], x[m], seen); });
  });
}
Evaluator slot_step() {
  return each_number([]<Real R>(const Values<R>& x) {
    return along_slots(
        x, x[m], [&](const R& seen) { return subsampled(x[eps0], R(x[p0] * printed_posterior(x[eps0], x[m], seen))); });
  });
}
Evaluator swap_posterior() {
  return each_number([]<Real R>(const Values<R>& x) {
    return along_slots(x, x[n], [&](const R& seen) { return swap_posterior(x[eps0], x[n], seen); });
  });
}
Evaluator swap_step() {
  return each_number([]<Real R>(const Values<R>& x) {
    return along_slots(x, x[n],
                       [&](const R& seen) { return subsampled(x[eps0], swap_posterior(x[eps0], x[n], seen)); });
  });
}

}  // namespace epsilary::bounds::checkin
