// Privacy of CLDP-SGD: Girgis, Data, Diggavi, Kairouz and Suresh, "Shuffled Model of Differential Privacy in
// Federated Learning" (2021), Lemma 3 and Theorem 1, part 1. In each of T rounds `per_round` of the clients
// are drawn, each draws one of its records and sends one message of an eps0-DP randomizer; the messages
// arrive shuffled. By the sampling of Remark 1 all clients send `samples` messages, and the shuffler keeps
// per_round times samples of them.
#pragma once

#include <algorithm>
#include <concepts>

#include "bounds/theory/composition.hpp"
#include "bounds/theory/shuffle/blanket.hpp"
#include "bounds/theory/subsampling.hpp"
#include "solvers/search/minimise.hpp"

namespace epsilary::bounds::cldp {

template <Real R>
struct Run {
  R eps0, clients, records, per_round, T, delta;
  R samples = R(1);

  // Messages of a round, and the probability that a given record is in one of them.
  R messages() const { return per_round * samples; }
  R rate() const { return messages() / (clients * records); }
};

// The steps of the argument, in order.
template <Real R>
struct Chain {
  R shuffled;  // epsilon of one round given that the record is used, at delta~
  R step;      // epsilon of one round, at q delta~
  R total;     // epsilon of T rounds, at T q delta~ + delta'
};

// The paper's choice. It is never below the proved branch kov_advanced, as e^x - 1 >= tanh(x/2).
struct Strong {
  template <Real R>
  R operator()(const R& step, const R& T, const R& delta) const {
    return strong_composition(step, T, delta);
  }
};

// The least of basic composition and the two branches of Kairouz, Oh and Viswanath.
struct Advanced {
  template <Real R>
  R operator()(const R& step, const R& T, const R& delta) const {
    const StepSums<R> sums = equal_step_sums(step, T);
    return min(sums.epsilons, R(min(kov_advanced(sums, delta), kov_advanced_e(sums, delta))));
  }
};

struct Optimal {
  template <Real R>
  R operator()(const R& step, const R& T, const R& delta) const {
    return optimal_composition(step, T, delta);
  }
};

// log delta~, where delta' = share delta goes to the composition and the rest to the T rounds:
// delta~ = (1 - share) delta / (q T). Theorem 1 takes one half.
template <Real R>
R log_round_delta(const Run<R>& run, const R& share) {
  return log((1 - share) * run.delta / (run.rate() * run.T));
}

// One round: the shuffle bound, then subsampling. For one record per client (or one drawn of several), and by the
// sampling of Remark 1, both runs of a round differ in at most one message whether or not the record is used, so
// advanced joint convexity gives (log(1 + q (e^eps - 1)), q delta~).
template <class ShuffleBound, Real R>
Chain<R> one_round(const Run<R>& run, const R& log_delta, ShuffleBound bound = {}) {
  const R shuffled = blanket::epsilon(bound, blanket::Reports<R>{run.eps0, run.messages()}, log_delta);
  const R step = subsampled(shuffled, run.rate());
  return {shuffled, step, step};
}

template <class ShuffleBound, class Composition, Real R>
Chain<R> all_rounds(const Run<R>& run, const R& share, ShuffleBound bound = {}) {
  Chain<R> chain = one_round(run, log_round_delta(run, share), bound);
  chain.total = Composition{}(chain.step, run.T, R(share * run.delta));
  return chain;
}

// The share of delta that makes the total least. Every share is valid, so the search is in double and needs no proof.
// The optimum of composition has a corner wherever its tail moves on: it is looked at by itself, where its closed bound
// is least and at every twentieth, and around the best of these.
template <class ShuffleBound, class Composition, Real R>
double best_share(const Run<R>& run, ShuffleBound bound = {}) {
  const Run<double> rough{to_double(run.eps0), to_double(run.clients), to_double(run.records), to_double(run.per_round),
                          to_double(run.T),    to_double(run.delta),   to_double(run.samples)};
  if (!(rough.delta > 0)) return 0.5;
  const auto total = [&]<class C>(C, double share) { return all_rounds<ShuffleBound, C>(rough, share, bound).total; };
  constexpr double least = 1e-3, most = 1 - 1e-3;
  if constexpr (!std::same_as<Composition, Optimal>) {
    return minimise<double>([&](double s) { return total(Composition{}, s); }, least, most, 60).at.value;
  } else {
    const auto itself = [&](double s) { return total(Optimal{}, s); };
    double best = minimise<double>([&](double s) { return total(Advanced{}, s); }, least, most, 60).at.value;
    double found = itself(best);
    const auto look_at = [&](double share) {
      if (const double value = itself(share); value < found) best = share, found = value;
    };
    for (int twentieths = 1; twentieths < 20; ++twentieths) look_at(twentieths / 20.0);
    look_at(minimise<double>(itself, std::max(least, best - 0.05), std::min(most, best + 0.05), 16).at.value);
    return best;
  }
}

// Lemma 3's largest eps0: log(k / log(1/delta~)) / 2 for k messages.
template <Real R>
R largest_eps0(const R& messages, const R& delta) {
  return log(messages / -log(delta)) / 2;
}

// Lemma 3's order of the shuffled epsilon: min(eps0, 1) e^{eps0} sqrt(log(1/delta~) / k).
template <Real R>
R shuffled_rate(const R& eps0, const R& messages, const R& delta) {
  return min(eps0, R(1)) * exp(eps0) * sqrt(-log(delta) / messages);
}

// (5): eps0 sqrt(q T log(2 q T/delta) log(2/delta) / n).
template <Real R>
R total_rate(const R& eps0, const R& q, const R& n, const R& T, const R& delta) {
  return eps0 * sqrt(q * T * log(2 * q * T / delta) * log(2 / delta) / n);
}

}  // namespace epsilary::bounds::cldp
