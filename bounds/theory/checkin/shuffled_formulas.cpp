#include "bounds/theory/checkin/shuffled_formulas.hpp"

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/shuffled.hpp"
#include "bounds/theory/checkin/threshold.hpp"

namespace epsilary::bounds::shuffled {
namespace {

using enum Param;

// Delta with the least printed bound; `whole` where the number of check-ins is rounded down.
template <Real R>
checkin::Threshold<R> threshold_at(const Values<R>& x, const R& order, bool whole) {
  return checkin::threshold(x, [order = to_double(order), whole](const Values<double>& y, double expected) {
    return expected > 0 ? best_Delta({y[eps0], order}, y[eps0], expected, y[gamma], whole) : 1;
  });
}

struct OverCheckIns {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const ShuffleMoment<M> base{M(x[eps0]), M(order)};
    return {renyi::divergence<R>(checkin_mean(M(x[n]), chance_of<M>(x, gamma), M(order), base), order)};
  }
};

// The printed proof's rate gamma in place of k/n.
struct AtRateGamma {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const ShuffleMoment<M> base{M(x[eps0]), M(order)};
    const Chance<M> rate = chance_of<M>(x, gamma);
    return {renyi::divergence<R>(
        checkin_mean(M(x[n]), rate, M(0), [&](double k, const M&) { return base(k, rate.yes); }), order)};
  }
};

struct SplitAtRateGamma {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const ShuffleMoment<M> base{M(x[eps0]), M(order)};
    const R D = threshold_at(x, order, false).Delta, expected = x[n] * x[gamma];
    const M m1 = base.split(M(x[gamma]), chernoff_below(M(D), M(expected)), M((1 - D) * expected));
    return {renyi::divergence<R>(m1, order), D};
  }
};

// The rate is k/n, so gamma^j becomes E[(K/n)^j]: b_j(k) falls in k, and by Chebyshev's association inequality
// E[(K/n)^j b_j(K)] <= E[(K/n)^j] E[b_j(K)]. Summed over j that is the mean of the printed moment at rate K/n.
struct Split {
  static constexpr Orders orders = Orders::integer;
  static constexpr bool sketched = true;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const ShuffleMoment<M> base{M(x[eps0]), M(order)};
    const auto [D, t] = threshold_at(x, order, true);
    const M few = chernoff_below(M(D), M(x[n] * x[gamma])), cutoff(t);
    const Chance<M> each = chance_of<M>(x, gamma);
    const auto mean_of = [&](auto moment) { return checkin_mean(M(x[n]), each, M(order), moment); };
    // What too few check-ins or clones cost has as many terms as the order is large, for every number of check-ins;
    // its mean has their square.
    const double widest = std::sqrt(to_double(x[n]) * to_double(x[gamma]));
    const bool at_once = !Sketch::on() && to_double(order) < 8 * widest;
    const M m1 = at_once ? mean_of([&](double, const M& r) { return base.enough(r, cutoff); }) +
                               base.mean_too_few(M(x[n]), each.yes, few, cutoff)
                         : mean_of([&](double, const M& r) { return base.split(r, few, cutoff); });
    return {renyi::divergence<R>(m1, order), D};
  }
};

// k out of n reports.
struct OfSample {
  static constexpr Orders orders = Orders::integer;
  template <Real R>
  static Round<R> round(const Values<R>& x, const R& order) {
    using M = Moment<R>;
    const ShuffleMoment<M> base{M(x[eps0]), M(order)};
    return {renyi::divergence<R>(base.at(M(x[per_round]), M(x[per_round] / x[n])), order)};
  }
};

}  // namespace

RoundForms over_check_ins() { return rounds_of<OverCheckIns>(); }
RoundForms over_check_ins_any_order() { return rounds_of<Interpolated<OverCheckIns>>(); }
RoundForms at_rate_gamma() { return rounds_of<AtRateGamma>(); }
RoundForms split() { return rounds_of<Split>(); }
RoundForms split_any_order() { return rounds_of<Interpolated<Split>>(); }
RoundForms split_at_rate_gamma() { return rounds_of<SplitAtRateGamma>(); }
RoundForms of_sample() { return rounds_of<OfSample>(); }

Evaluator share_moment() {
  return each_number([]<Real R>(const Values<R>& x) {
    using M = Moment<R>;
    const M order = M(x[lambda]);
    const M mean =
        checkin_mean(M(x[n]), chance_of<M>(x, gamma), order, [&](double, const M& r) { return pow(r, order); });
    return plain<R>(mean);
  });
}

}  // namespace epsilary::bounds::shuffled
