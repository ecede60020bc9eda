#include "bounds/theory/checkin/distributed_formulas.hpp"

#include <vector>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/distributed.hpp"
#include "bounds/theory/checkin/threshold.hpp"

namespace epsilary::bounds::distributed {
namespace {

using enum Param;

template <Real R>
DistributedMoment<Moment<R>> base_of(const Values<R>& x, const R& order) {
  return {Moment<R>(order), Moment<R>(x[multiplier])};
}

struct OverCheckIns {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    return {renyi::divergence<R>(shuffled::checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order), base_of(x, order)),
                                 order)};
  }
};

// The rate gamma for k/n, and the sum from k = 1 of whole moments, which drops P(K = 0) = (1 - gamma)^n.
struct AtRateGamma {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto base = base_of(x, order);
    const Chance<M> rate = chance_of<M>(x, gamma);
    const M mean = shuffled::checkin_mean(M(x[n]), rate, M(0), [&](double k, const M&) { return base(k, rate.yes); });
    const M none = x.at_least(gamma, Rational(1)) ? M(0) : M(exp(M(x[n]) * log_complement(rate)));
    return {renyi::divergence<R>(M(mean - none), order)};
  }
};

struct GivenQuorum {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  static constexpr std::string_view lacks = "T P(K < quorum) < delta";
  template <Real R>
  static R spent(const Values<R>& x) {
    using M = Moment<R>;
    const M below = below_quorum(M(x[n]), chance_of<M>(x, gamma), count_of(x[quorum]));
    return plain<R>(below);
  }
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    return {renyi::divergence<R>(
        quorum_mean(M(x[n]), chance_of<M>(x, gamma), M(order), count_of(x[quorum]), base_of(x, order)), order)};
  }
};

// gamma between gamma (1 - dropout) and gamma: E[(K/n)^j b_j(K)] <= E_high[(K/n)^j] E_low[b_j(K)], as the binomial law
// rises with its rate.
struct UnknownDropout {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  static constexpr bool optimal = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const Chance<M> high = chance_of<M>(x, gamma), drops = chance_of<M>(x, dropout);
    const M low = high.yes * drops.no, not_low = high.no + high.yes * drops.yes, N = M(x[n]);
    std::vector<M> share(2);
    for (int j = 2; possibly(M(j) <= M(order)); ++j)
      share.push_back(shuffled::checkin_mean(N, high, M(j), [&](double, const M& r) { return pow(r, M(j)); }));
    const auto base = base_of(x, order);
    const auto given = [&](double k) {
      return base.at_rates(M(std::max(k, 1.0)), [&](int j) { return share[static_cast<std::size_t>(j)]; });
    };
    const M mean = binomial_mean(
        Binomial<M>{N, low, not_low}, 0.0, M(0), given, [](double, const M& v) { return v; },
        [&](double a, double) { return given(a); });
    return {renyi::divergence<R>(mean, order)};
  }
};

double best_Delta_of(const Values<double>& x, double order, double expected) {
  if (!(expected >= 1)) return 1;
  const double t = best_cutoff({order, x[multiplier]}, expected, x[gamma]);
  return (1 - t / expected) * (1 - 1e-11);
}
template <Real R>
checkin::Threshold<R> threshold_at(const Values<R>& x, const R& order) {
  return checkin::threshold(x, [order = to_double(order)](const Values<double>& y, double expected) {
    return best_Delta_of(y, order, expected);
  });
}

struct Split {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto base = base_of(x, order);
    const auto [D, t] = threshold_at(x, order);
    const M few = shuffled::chernoff_below(M(D), M(x[n] * x[gamma]));
    const M many = M(t) + 1;
    const M m1 = shuffled::checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order),
                                        [&](double, const M& r) { return few * base(1, r) + base.given(many, r); });
    return {renyi::divergence<R>(m1, order), D};
  }
};

// At (1 - Delta) n gamma + 1 clients as printed, whole or not.
struct SplitAtRateGamma {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const auto base = base_of(x, order);
    const R D = threshold_at(x, order).Delta, expected = x[n] * x[gamma];
    const M rate = M(x[gamma]), few = shuffled::chernoff_below(M(D), M(expected)), many = M((1 - D) * expected + 1);
    return {renyi::divergence<R>(M(few * (1 + base(1, rate)) + base.at_rates(many, renyi::powers_of(rate))), order), D};
  }
};

}  // namespace

RoundForms over_check_ins() { return rounds_of<OverCheckIns>(); }
RoundForms over_check_ins_any_order() { return rounds_of<Interpolated<OverCheckIns>>(); }
RoundForms at_rate_gamma() { return rounds_of<AtRateGamma>(); }
RoundForms split() { return rounds_of<Split>(); }
RoundForms split_at_rate_gamma() { return rounds_of<SplitAtRateGamma>(); }
RoundForms given_quorum() { return rounds_of<GivenQuorum>(); }
RoundForms unknown_dropout() { return rounds_of<UnknownDropout>(); }

}  // namespace epsilary::bounds::distributed
