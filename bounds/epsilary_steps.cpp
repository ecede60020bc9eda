#include "bounds/epsilary_steps.hpp"

#include <span>

#include "bounds/accounting.hpp"
#include "bounds/balle2020_lemmas.hpp"
#include "bounds/bound.hpp"

namespace bounds {
namespace {

using enum Param;
using namespace steps;

// A protocol: its steps, what bounds the sum of their squares in closed form, and what holds without any amplification.
struct FixedWindow {
  template <Real R>
  static Sequence<R> sequence(const Values<R>& x) {
    return fixed_window(x[eps0], x[m], x[p0]);
  }
  template <Real R>
  static R squares(const Values<R>& x) {
    const R odds = x[p0] * expm1(x[eps0]);
    return odds * odds / (x[m] * (1 - x[p0] + x[p0] * exp(-x[eps0])));
  }
  template <Real R>
  static R cap(const Values<R>& x) {
    return balle2020::replacement_cap(x[eps0], x[p0]);
  }
};
struct SlidingWindow {
  template <Real R>
  static Sequence<R> sequence(const Values<R>& x) {
    return fixed_window(x[eps0], x[m], R(1));
  }
  template <Real R>
  static R squares(const Values<R>& x) {
    return expm1(x[eps0]) * expm1(x[eps0]) * exp(x[eps0]) / x[m];
  }
  template <Real R>
  static R cap(const Values<R>& x) {
    return x[eps0];
  }
};
struct Shuffle {
  template <Real R>
  static Sequence<R> sequence(const Values<R>& x) {
    return shuffle(x[eps0], x[n]);
  }
  template <Real R>
  static R squares(const Values<R>& x) {
    return expm1(x[eps0]) * expm1(x[eps0]) * exp(3 * x[eps0]) / x[n];
  }
  template <Real R>
  static R cap(const Values<R>& x) {
    return x[eps0];
  }
};

// An upper bound of the largest step that needs no digits of its index.
template <class Protocol, Real R>
R largest_step(const Values<R>& x) {
  if constexpr (std::same_as<Protocol, Shuffle>)
    return log1p(expm1(x[eps0]) * exp(2 * x[eps0]) / x[n]);
  else {
    const R w_ = std::same_as<Protocol, FixedWindow> ? x[p0] : R(1);
    return log1p(w_ * expm1(x[eps0]) / (x[m] * (1 - w_ + w_ * exp(-x[eps0]))));
  }
}

template <class Protocol>
struct Composed {
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    const StepSums<R> s = sums(Protocol::sequence(x));
    if (!(s.squares > R(0))) return with_cap(R(0), Protocol::cap(x));
    Answer<R> out = with_cap(min(s.epsilons, composition_sharp(s, x[delta])), Protocol::cap(x));
    out.beside = {
        {"sum", s.epsilons}, {"advanced", kov_advanced(s, x[delta])}, {"advanced_e", kov_advanced_e(s, x[delta])}};
    return out;
  }
};

template <class Protocol>
struct Lazy {
  template <Real R>
  static R rdp(const Values<R>& x, const R& order) {
    return lazy_log_moments(Protocol::sequence(x), R(order - 1)) / (order - 1);
  }
  template <Real R>
  static R order(const Values<R>& x) {
    if (x.has(lambda)) return x[lambda];
    return short_decimal<R>(1 + best_theta(Protocol::sequence(in_double(x)), to_double(R(log(x[delta])))));
  }
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    if (!x.has(delta)) return {.value = rdp(x, x[lambda])};
    const R best = order(x);
    Answer<R> out = with_cap(renyi::to_epsilon(rdp(x, best), best, R(log(x[delta]))), Protocol::cap(x));
    if (!x.has(lambda)) out.at.push_back({lambda, best});
    return out;
  }
};

template <class Protocol>
struct LazyClosed {
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    return with_cap(lazy_closed(x[eps0], Protocol::squares(x), largest_step<Protocol>(x), x[delta]), Protocol::cap(x));
  }
};

template <class Family>
Evaluator answers() {
  return each_number([]<Real R>(const Values<R>& x) { return Family::answer(x); });
}

const char* const lazy_formula =
    R"(\min_{\lambda}\frac{1}{\lambda-1}\sum_i\log\left(1+\frac{(e^{\lambda\varepsilon_i}-1)(1-e^{-(\lambda-1)\varepsilon_i})}{e^{\varepsilon_0}+1}\right)+\text{conversion})";
const char* const closed_formula =
    R"(sA(1+\theta)e^{(1+\theta)\varepsilon_{\max}}+\frac{\log(1/\delta)}{\theta},\ s=\tfrac{1}{e^{\varepsilon_0}+1},\ \theta=\sqrt{\log(1/\delta)/(sA)})";
const char* const composed_formula =
    R"(\varepsilon=\sum_i\varepsilon_i\tanh(\varepsilon_i/2)+t,\ \frac{t^2}{2S}+\log(1+\tfrac tS)=\log(1/\delta),\ S=\sum_i\varepsilon_i^2)";

template <class Protocol>
void add(std::vector<Bound>& list, const Bound& common, std::string_view steps_id, std::string_view lazy_id,
         std::string_view closed_id, std::array<std::string_view, 3> titles) {
  Bound b = common;
  b.needs.push_back(delta);
  b.falls.push_back(delta);
  b.id = steps_id;
  b.title = titles[0];
  b.source =
      "epsilary; every step's own posterior, composed by the Chernoff bound with the factor integrating it gives";
  b.formula = composed_formula;
  b.evaluate = answers<Composed<Protocol>>();
  list.push_back(b);
  b.id = closed_id;
  b.title = titles[1];
  b.source = "epsilary; each step is a randomised response that is mostly silent";
  b.formula = closed_formula;
  b.evaluate = answers<LazyClosed<Protocol>>();
  list.push_back(b);
  b.id = lazy_id;
  b.title = titles[2];
  b.formula = lazy_formula;
  b.takes.push_back(lambda);
  b.evaluate = answers<Lazy<Protocol>>();
  list.push_back(b);
  b = common;
  b.id = lazy_id;
  b.title = titles[2];
  b.source = "epsilary; each step is a randomised response that is mostly silent";
  b.formula = lazy_formula;
  b.quantity = Quantity::rdp;
  b.needs.push_back(lambda);
  b.rises.push_back(lambda);
  b.evaluate = answers<Lazy<Protocol>>();
  list.push_back(b);
}

}  // namespace

std::span<const Bound> epsilary_steps() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const Hypothesis few_users = exactly("n <= 10^15", [](const auto& x) { return x[n] <= 1000000000000000; });
    const Hypothesis few_slots = exactly("m <= 10^15", [](const auto& x) { return x[m] <= 1000000000000000; });
    add<Shuffle>(out,
                 {.protocol = "shuffle", .needs = {eps0, n}, .rises = {eps0}, .falls = {n}, .assumes = {few_users}},
                 "epsilary-shuffle-steps", "epsilary-shuffle-lazy", "epsilary-shuffle-lazy-closed",
                 {"Amplification by shuffling, the exact steps composed",
                  "Amplification by shuffling, steps that are mostly silent, closed form",
                  "Amplification by shuffling, steps that are mostly silent"});
    add<FixedWindow>(out,
                     {.protocol = "checkin-fixed",
                      .needs = {eps0, m, p0},
                      .rises = {eps0, p0},
                      .falls = {m},
                      .assumes = {few_slots}},
                     "epsilary-checkin-steps", "epsilary-checkin-lazy", "epsilary-checkin-lazy-closed",
                     {"Random check-ins with a fixed window, the exact steps composed",
                      "Random check-ins with a fixed window, steps that are mostly silent, closed form",
                      "Random check-ins with a fixed window, steps that are mostly silent"});
    add<SlidingWindow>(
        out, {.protocol = "checkin-sliding", .needs = {eps0, m}, .rises = {eps0}, .falls = {m}, .assumes = {few_slots}},
        "epsilary-sliding-steps", "epsilary-sliding-lazy", "epsilary-sliding-lazy-closed",
        {"Random check-ins with a sliding window, the exact steps composed",
         "Random check-ins with a sliding window, steps that are mostly silent, closed form",
         "Random check-ins with a sliding window, steps that are mostly silent"});
    add<Shuffle>(out,
                 {.protocol = "checkin-averaged",
                  .note = "as a shuffle of n messages: every user must check in and n must be fixed",
                  .needs = {eps0, n},
                  .rises = {eps0},
                  .falls = {n},
                  .assumes = {few_users}},
                 "epsilary-averaged-steps", "epsilary-averaged-lazy", "epsilary-averaged-lazy-closed",
                 {"Random check-ins with averaged updates, the exact steps composed",
                  "Random check-ins with averaged updates, steps that are mostly silent, closed form",
                  "Random check-ins with averaged updates, steps that are mostly silent"});
    return out;
  }();
  return list;
}

}  // namespace bounds
