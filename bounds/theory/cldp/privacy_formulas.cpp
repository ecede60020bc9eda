#include "bounds/theory/cldp/privacy_formulas.hpp"

#include "bounds/theory/cldp/privacy.hpp"
#include "bounds/theory/cldp/setting.hpp"

namespace epsilary::bounds::cldp {
namespace {

using enum Param;
using blanket::By;
using blanket::Inequality;

// Without rounds, one of them.
template <Real R>
Run<R> run(const Values<R>& x) {
  const R rounds = x.has(T) ? x[T] : R(1);
  const auto or_one = [&](Param p) { return x.has(p) ? x[p] : R(1); };
  return {x[eps0], x[clients], or_one(records), x[per_round], rounds, x[delta], or_one(samples)};
}

// Rates are stated in q and n, or through the clients.
template <class R>
struct Sampling {
  R rate, records, messages;  // q, n and q n
};
template <class R>
Sampling<R> sampling(const Values<R>& x) {
  if (x.has(q) && x.has(n)) return {x[q], x[n], R(x[q] * x[n])};
  const R all = population(x);
  return {R(x[per_round] / all), all, x[per_round]};
}
template <class R>
R expected_messages(const Values<R>& x) {
  return x.has(q) && x.has(n) ? R(x[q] * x[n]) : x[per_round];
}

template <class Composition, Real R>
Answer<R> composed(const Values<R>& x, By bound) {
  const Run<R> r = run(x);
  const double best = x.has(share) ? 0 : best_share<By, Composition>(r, bound);
  const R part = x.has(share) ? x[share] : R(best);
  const Chain<R> c = all_rounds<By, Composition>(r, part, bound);
  const R cap = r.T * subsampled(r.eps0, r.rate());
  Answer<R> answer{.value = c.total, .cap = cap, .beside = {{"shuffled", c.shuffled}, {"step", c.step}}};
  if (!x.has(share)) answer.at = {{share, part}};
  return answer;
}

template <Real R>
Answer<R> stepped(const Values<R>& x, By bound) {
  const Run<R> r = run(x);
  const Chain<R> c = one_round(r, R(log(r.delta)), bound);
  return {.value = c.step,
          .cap = subsampled(r.eps0, r.rate()),
          .log_delta_total = log(r.rate() * r.delta),
          .beside = {{"shuffled", c.shuffled}}};
}

}  // namespace

Evaluator round_by(Inequality by) {
  return blanket::with(
      by, []<Inequality chosen>() { return each_number([](const auto& x) { return stepped(x, By{chosen}); }); });
}
Evaluator strong_rounds_by(Inequality by) {
  return blanket::with(by, []<Inequality chosen>() {
    return each_number([](const auto& x) { return composed<Strong>(x, By{chosen}); });
  });
}
Evaluator optimal_rounds_by(Inequality by) {
  return blanket::with(by, []<Inequality chosen>() {
    return each_number([](const auto& x) { return composed<Optimal>(x, By{chosen}); });
  });
}

Rational rate_of(const Values<Rational>& x) { return sampling(x).rate; }

Evaluator round_order() {
  return each_number([]<Real R>(const Values<R>& x) {
    const R order = shuffled_rate(x[eps0], expected_messages(x), x[delta]);
    const R value = subsampled(order, sampling(x).rate);
    return Answer<R>{.value = value, .beside = {{"shuffled", order}}};
  });
}
Evaluator largest_eps0() {
  return each_number([](const auto& x) { return largest_eps0(expected_messages(x), x[delta]); });
}
Ball largest_eps0_at(const Values<Ball>& x) { return largest_eps0(expected_messages(x), x[delta]); }
Evaluator rounds_order() {
  return each_number([](const auto& x) {
    const auto s = sampling(x);
    return total_rate(x[eps0], s.rate, s.records, x[T], x[delta]);
  });
}

}  // namespace epsilary::bounds::cldp
