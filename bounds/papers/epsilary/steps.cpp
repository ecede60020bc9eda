#include <span>
#include <string>

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/approximate.hpp"
#include "bounds/theory/checkin/hypotheses.hpp"
#include "bounds/theory/shuffle/step_protocols.hpp"

namespace epsilary::bounds {
namespace {

using enum Param;
using namespace steps;
using steps::StepResponse;

// An upper bound of the largest step that needs no digits of its index.
template <class Protocol, Real R>
R largest_step(const Values<R>& x) {
  if constexpr (std::same_as<Protocol, ShuffleSteps>)
    return log1p(expm1(x[eps0]) * exp(2 * x[eps0]) / x[n]);
  else {
    const R w_ = Protocol::weight(x);
    return log1p(w_ * expm1(x[eps0]) / (x[m] * (1 - w_ + w_ * exp(-x[eps0]))));
  }
}

template <class P>
struct Composed {
  using Protocol = P;
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    const StepSums<R> s = sums(Protocol::sequence(x));
    if (certainly(s.squares <= R(0))) return with_cap(R(0), Protocol::cap(x));
    Answer<R> out = with_cap(min(s.epsilons, composition_sharp(s, x[delta])), Protocol::cap(x));
    out.beside = {
        {"sum", s.epsilons}, {"advanced", kov_advanced(s, x[delta])}, {"advanced_e", kov_advanced_e(s, x[delta])}};
    return out;
  }
};

template <class P, StepResponse response>
struct Divergence {
  using Protocol = P;
  template <Real R>
  static R rdp(const Values<R>& x, const R& order) {
    return log_moments(response, Protocol::sequence(x), R(order - 1)) / (order - 1);
  }
  template <Real R>
  static R order(const Values<R>& x) {
    if (x.has(lambda)) return x[lambda];
    return short_decimal<R>(1 + best_theta(response, Protocol::sequence(in_double(x)), to_double(R(log(x[delta])))));
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

// An (eps0, delta0) randomizer whose own calls are clipped: a step is delta_i from the response at eps0 itself, and
// 1 - (1 - delta) prod(1 - delta_i) is at most the sum.
template <class Family>
struct Clipped {
  static constexpr std::string_view lacks = checkin::room_for_delta0;
  template <Real R>
  static Spending<R> at(const Values<R>& x) {
    const Answer<R> pure = Family::answer(x);
    const R w_ = Family::Protocol::weight(x);
    return {{.value = pure.value, .at = pure.at}, checkin::log_clipping_cost(x[eps0], x[delta0], w_, pure.value)};
  }
  template <Real R>
  static Answer<R> answer(const Values<R>& x) {
    return of_whole_delta<Clipped>(x);
  }
};

template <class Family>
Evaluator answers() {
  return each_number([]<Real R>(const Values<R>& x) { return Family::answer(x); });
}

const char* const lazy_formula =
    R"(\min_{\lambda}\frac{1}{\lambda-1}\sum_i\log\left(1+\frac{(e^{\lambda\varepsilon_i}-1)(1-e^{-(\lambda-1)\varepsilon_i})}{e^{\varepsilon_0}+1}\right)+\text{conversion})";
const char* const response_formula =
    R"(\min_{\lambda}\frac{1}{\lambda-1}\sum_i\log\frac{e^{\lambda\varepsilon_i}+e^{-(\lambda-1)\varepsilon_i}}{e^{\varepsilon_i}+1}+\text{conversion})";
const char* const closed_formula =
    R"(sA(1+\theta)e^{(1+\theta)\varepsilon_{\max}}+\frac{\log(1/\delta)}{\theta},\ s=\tfrac{1}{e^{\varepsilon_0}+1},\ \theta=\sqrt{\log(1/\delta)/(sA)})";
const char* const composed_formula =
    R"(\varepsilon=\sum_i\varepsilon_i\tanh(\varepsilon_i/2)+t,\ \frac{t^2}{2S}+\log(1+\tfrac tS)=\log(1/\delta),\ S=\sum_i\varepsilon_i^2)";
const char* const clipped_formula =
    R"(\delta'=\delta+w\delta_0\left(1+e^{\varepsilon}+(2+e^{\varepsilon_0})\frac{\log(1/(1-b))}{b}\right),\ b=w(1-e^{-\varepsilon_0}),\ \varepsilon\text{ as for a pure randomizer})";
const char* const composed_source =
    "epsilary; every step's own posterior, composed by the Chernoff bound with the factor integrating it gives";
const char* const lazy_source = "epsilary; each step is a randomised response that is mostly silent";
const char* const response_source = "epsilary; each step is a randomised response of its eps_i";
const char* const clipped_source =
    "epsilary; only the calls on the changed record are clipped, to the call they replace; ";

struct Words {
  std::string id, title;  // "epsilary-shuffle", "Amplification by shuffling"
  std::string proof;
};

template <class Family>
void add_form(std::vector<Bound>& list, Bound b, const Words& words, const std::string& id, const std::string& title,
              const std::string& source, const std::string& formula) {
  b.id = std::string(words.id) + std::string(id);
  b.title = std::string(words.title) + ", " + std::string(title);
  b.source = source;
  b.formula = formula;
  b.proof = words.proof;
  b.evaluate = answers<Family>();
  list.push_back(std::move(b));
}

// Not where slots are few: one is a randomised response, two add up to more.
void falls_later(Bound& b) {
  for (const Param places : {m, n})
    if (std::erase(b.falls, places) > 0) b.turns.push_back(places);
}

// Epsilon at a delta, and the divergence itself.
template <class Family>
void add_divergence(std::vector<Bound>& list, const Bound& common, const Bound& at_delta, const Words& words,
                    const std::string& id, const std::string& title, const std::string& source,
                    const std::string& formula) {
  Bound b = at_delta;
  b.takes.push_back(lambda);
  falls_later(b);
  add_form<Family>(list, b, words, id, title, source, formula);
  b = common;
  b.quantity = Quantity::rdp;
  b.needs.push_back(lambda);
  b.rises.push_back(lambda);
  b.falls.clear();
  add_form<Family>(list, b, words, id, title, source, formula);
}

template <class Protocol>
void add(std::vector<Bound>& list, const Bound& common, const Words& words) {
  Bound b = common;
  b.needs.push_back(delta);
  b.falls.push_back(delta);
  add_form<Composed<Protocol>>(list, b, words, "-steps", "the exact steps composed", composed_source, composed_formula);
  add_form<LazyClosed<Protocol>>(list, b, words, "-lazy-closed", "steps that are mostly silent, closed form",
                                 lazy_source, closed_formula);
  using Lazy = Divergence<Protocol, StepResponse::lazy>;
  using Full = Divergence<Protocol, StepResponse::full>;
  add_divergence<Lazy>(list, common, b, words, "-lazy", "steps that are mostly silent", lazy_source, lazy_formula);
  add_divergence<Full>(list, common, b, words, "-response", "steps as full randomised responses", response_source,
                       response_formula);
  if constexpr (!std::same_as<Protocol, ShuffleSteps>) {
    b.needs = {eps0, delta0};
    b.needs.insert(b.needs.end(), common.needs.begin() + 1, common.needs.end());
    b.needs.push_back(delta);
    b.takes.push_back(share);
    b.rises.push_back(delta0);
    falls_later(b);
    add_form<Clipped<Composed<Protocol>>>(list, b, words, "-steps-clip", "the exact steps of an approximate randomizer",
                                          std::string(clipped_source) + "epsilon of the exact steps", clipped_formula);
    b.takes.push_back(lambda);
    add_form<Clipped<Lazy>>(list, b, words, "-lazy-clip", "mostly silent steps of an approximate randomizer",
                            std::string(clipped_source) + "epsilon of mostly silent steps", clipped_formula);
  }
}

}  // namespace

std::span<const Bound> epsilary_steps() {
  static const std::vector<Bound> list = [] {
    std::vector<Bound> out;
    const Hypothesis few_users = exactly("n <= 10^15", [](const auto& x) { return x[n] <= 1000000000000000; });
    const Hypothesis few_slots = exactly("m <= 10^15", [](const auto& x) { return x[m] <= 1000000000000000; });
    add<ShuffleSteps>(
        out, {.protocol = "shuffle", .needs = {eps0, n}, .rises = {eps0}, .falls = {n}, .assumes = {few_users}},
        {"epsilary-shuffle", "Amplification by shuffling", "swap, overlap, silent, composition"});
    add<FixedWindow>(
        out,
        {.protocol = "checkin-fixed",
         .needs = {eps0, m, p0},
         .rises = {eps0, p0},
         .falls = {m},
         .assumes = {few_slots}},
        {"epsilary-checkin", "Random check-ins with a fixed window", "posterior, overlap, silent, composition, clip"});
    add<SlidingWindow>(out,
                       {.protocol = "checkin-sliding",
                        .needs = {eps0, m},
                        .takes = {n},
                        .rises = {eps0},
                        .falls = {m},
                        .assumes = {few_slots, assume::window_within_users()}},
                       {"epsilary-sliding", "Random check-ins with a sliding window",
                        "posterior, overlap, silent, composition, clip"});
    add<ShuffleSteps>(out,
                      {.protocol = "checkin-averaged",
                       .note = "as a shuffle of n messages: every user must check in and n must be fixed",
                       .needs = {eps0, n},
                       .rises = {eps0},
                       .falls = {n},
                       .assumes = {few_users}},
                      {"epsilary-averaged", "Random check-ins with averaged updates",
                       "averaged, swap, overlap, silent, composition"});
    return out;
  }();
  return list;
}

}  // namespace epsilary::bounds
