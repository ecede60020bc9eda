#include "bounds/theory/checkin/baselines.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/distributed.hpp"
#include "bounds/theory/composition.hpp"
#include "bounds/theory/gaussian.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/subsampling.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds::baselines {
namespace {

using enum Param;

// As many check in, unless something of probability at most `d` happens: by Chernoff's bounds,
template <Real R>
struct Chernoff {
  static R least(const R& size, const Chance<R>& rate, const R& d) {
    const R expected = size * rate.yes;
    return max(R(1), R(floor((1 - sqrt(-2 * log(d) / expected)) * expected)));
  }
  static R most(const R& size, const Chance<R>& rate, const R& d) {
    const R expected = size * rate.yes, l = -log(d) / expected;
    return min(size, R(ceil((1 + (l + sqrt(l * l + 8 * l)) / 2) * expected)));
  }
};

// or as the binomial law has it. Both are sought in double; one that is false in balls is moved outward by one, and one
// that they cannot decide is unknown.
template <Real R>
struct Quantile {
  static R least(const R& size, const Chance<R>& rate, const R& d) {
    const double N = count_of(size), low = Chernoff<double>::least(N, in_double(rate), to_double(d));
    const double above = std::ceil(N * to_double(rate.yes)) + 1;
    return max(R(1), last_unlikely(Binomial<R>{size, rate.no, rate.yes}, d, low, above));
  }
  static R most(const R& size, const Chance<R>& rate, const R& d) {
    const double N = count_of(size), high = Chernoff<double>::most(N, in_double(rate), to_double(d));
    const double under = std::max(0.0, std::floor(N * to_double(rate.yes)) - 1);
    return size - last_unlikely(Binomial<R>{size, rate.yes, rate.no}, d, N - high, N - under);
  }

 private:
  static Chance<double> in_double(const Chance<R>& rate) { return {to_double(rate.yes), to_double(rate.no)}; }

  // The largest k in [low, above) with P(K > n - k) <= d, where it is known of low.
  static R last_unlikely(const Binomial<R>& law, const R& d, double low, double above) {
    const double N = law.size();
    if (std::isnan(count_of(law.n))) return unknown<R>();
    const Binomial<Scaled> quick{Scaled(N), Scaled(to_double(law.p)), Scaled(to_double(law.q))};
    while (above - low > 1) {
      const double middle = std::floor((low + above) / 2);
      (distributed::at_least(quick, N - middle + 1) <= Scaled(to_double(d)) ? low : above) = middle;
    }
    if constexpr (std::same_as<R, Ball>)
      for (; low > 0; --low) {
        const Truth unlikely = distributed::at_least(law, N - low + 1) <= d;
        if (certainly(unlikely)) break;
        if (undecided(unlikely)) return unknown<R>();
      }
    return R(low);
  }
};

template <Real R>
R composed(Composition how, const R& e, const R& t, const R& d) {
  switch (how) {
    case Composition::strong: return strong_composition(e, t, d);
    case Composition::half_drift: return half_drift_composition(e, t, d);
    case Composition::sharp_drift: return sharp_drift_composition(e, t, d);
    case Composition::optimal: break;
  }
  return optimal_composition(e, t, d);
}
// T rounds of e: by composition at d, or one by one.
template <Real R>
R all_rounds(Composition how, const R& e, const R& t, const R& d) {
  return min(R(t * e), composed(how, e, t, d));
}

// Figure 1: delta/4 for fewer than k0 check-ins in some round, delta/4 for the shuffles, delta/2 for composition.
template <Real R, class Counts, class Shuffle>
Answer<R> shuffled(const Values<R>& x, Counts, Shuffle shuffle, Composition how) {
  const R k0 = Counts::least(x[n], chance_of<R>(x, gamma), R(x[delta] / (4 * x[T])));
  const R es = shuffle(x[eps0], k0, R(x[delta] / (4 * x[T] * x[gamma])));
  const R er = subsampled(es, x[gamma]);
  Answer<R> answer{.value = all_rounds(how, er, x[T], R(x[delta] / 2))};
  answer.beside = {{"check_ins", k0}, {"eps_shuffle", es}, {"eps_round", er}};
  return answer;
}

template <Real R>
R exact_clones(const R& e, const R& k, const R& d) {
  return clones::clones_epsilon(e, k, d, R(0));
}

template <Real R>
struct CheckIns {
  R least, most;
};
template <template <class> class Counts, Real R>
CheckIns<R> check_ins(const Values<R>& x, const R& rounds) {
  const R missed = x[delta] / (4 * rounds);
  const Chance<R> rate = chance_of<R>(x, gamma);
  return {Counts<R>::least(x[n], rate, missed), Counts<R>::most(x[n], rate, missed)};
}

// Section 5.1: delta/4 each for too few and too many check-ins, and the other half of delta for the Gaussian
// mechanisms and for composition, which gets `part` of all delta.
template <Real R>
Answer<R> distributed(const Values<R>& x, const CheckIns<R>& range, const R& part, Composition how) {
  const R rate = range.most / x[n], spent = (R(0.5) - part) * x[delta] / (x[T] * rate);
  const R once = gdp_epsilon(spent, R(2 / (x[multiplier] * sqrt(range.least))));
  const R round = subsampled(once, rate);
  Answer<R> answer{.value = all_rounds(how, round, x[T], R(x[delta] * part))};
  answer.beside = {{"least_check_ins", range.least}, {"most_check_ins", range.most}, {"eps_round", round}};
  return answer;
}

// The share of delta for composition that costs least, near enough: any is valid. Optimal composition has many small
// valleys, so the best of a row of shares is refined.
template <class Cost>
double best_share(Cost cost) {
  double best = 1e-4, least = cost(best);  // for few rounds composition is not worth its delta
  const auto try_ = [&](double part, double at_part) {
    if (at_part < least) best = part, least = at_part;
  };
  for (int i = 1; i < 50; ++i) try_(i / 100.0, cost(i / 100.0));
  const auto found = minimise<double>(cost, std::max(1e-4, best - 0.01), std::min(0.4999, best + 0.01), 30);
  try_(found.at.value, found.value);
  return best;
}

template <Real R>
Answer<R> distributed_at_best(const Values<R>& x, const R& rounds, Composition how) {
  const CheckIns<R> range = check_ins<Quantile>(x, rounds);
  if (!is_finite(range.least) || !is_finite(range.most)) return {unknown<R>()};
  if (x.has(share)) return distributed(x, range, x[share], how);
  const Values<double> nearby = in_double(x);
  const CheckIns<double> nearby_range{to_double(range.least), to_double(range.most)};
  const R chosen =
      short_decimal<R>(best_share([&](double part) { return distributed(nearby, nearby_range, part, how).value; }));
  Answer<R> answer = distributed(x, range, chosen, how);
  answer.at = {{share, chosen}};
  return answer;
}

// A formula of the values and a way to compose, in each of the ways.
template <class Formula>
Evaluator composed_by(Composition how, Formula) {
  using enum Composition;
  switch (how) {
    case strong: return each_number([](const auto& x) { return Formula{}(x, strong); });
    case half_drift: return each_number([](const auto& x) { return Formula{}(x, half_drift); });
    case sharp_drift: return each_number([](const auto& x) { return Formula{}(x, sharp_drift); });
    case optimal: break;
  }
  return each_number([](const auto& x) { return Formula{}(x, optimal); });
}

}  // namespace

Evaluator shuffled_closed(Composition how) {
  return composed_by(how, []<Real R>(const Values<R>& x, Composition by) {
    return shuffled(x, Chernoff<R>{}, clones::closed_form_or_eps0<R>, by);
  });
}
Evaluator shuffled_clones(Composition how) {
  return composed_by(
      how, []<Real R>(const Values<R>& x, Composition by) { return shuffled(x, Quantile<R>{}, exact_clones<R>, by); });
}
Evaluator noisy_sum(Composition how) {
  return composed_by(how, []<Real R>(const Values<R>& x, Composition by) {
    return distributed(x, check_ins<Chernoff>(x, x[T]), R(0.25), by);
  });
}
Evaluator noisy_sum_quantiles(Composition how) {
  return composed_by(how, []<Real R>(const Values<R>& x, Composition by) { return distributed_at_best(x, x[T], by); });
}
Evaluator noisy_sum_quantiles_of_one_round(Composition how) {
  return composed_by(how, []<Real R>(const Values<R>& x, Composition by) { return distributed_at_best(x, R(1), by); });
}

}  // namespace epsilary::bounds::baselines
