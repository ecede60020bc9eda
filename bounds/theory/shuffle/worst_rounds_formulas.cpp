#include "bounds/theory/shuffle/worst_rounds_formulas.hpp"

#include <utility>
#include <vector>

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/worst_rounds.hpp"

namespace epsilary::bounds::supremum {
namespace {

using enum Param;

Answer<Ball> bounded(const WorstRound& round, const Values<Ball>& x, const Request& request) {
  return with_cap(epsilon_of_rounds(round, to_double(x[T]), x[delta], request), Ball(x[T] * x[eps0]));
}
Answer<Ball> shuffles(const Values<Ball>& x, const Request& request) {
  return bounded(shuffled_by_all(x[eps0], to_double(x[n])), x, request);
}
Answer<Ball> samples_of_clients(const Values<Ball>& x, const Request& request) {
  const double each = x.has(records) ? to_double(x[records]) : 1;
  return bounded(shuffled_sample(x[eps0], to_double(x[per_round]), to_double(x[clients]), each), x, request);
}
Answer<Ball> checkins(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return {Ball(0)};
  const double depth = log(x[T] * 1000000 / x[delta]).upper() + 3;
  return bounded(shuffled_checkins(x[eps0], to_double(x[n]), x[gamma], x.complement(gamma), depth), x, request);
}

// An epoch: n/m repetitions, in each a client takes part with probability m/n.
Ball repetitions(const Values<Ball>& x) { return x[n] / x[m]; }
Ball share_of_epoch(const Values<Ball>& x) { return x[m] / x[n]; }
template <bool by_recursion>
Answer<Ball> epoch(const Values<Ball>& x, const Request& request) {
  const Ball w = share_of_epoch(x);
  WorstRound round = window_of(x[eps0], to_double(x[m]), w);
  if (!by_recursion) round.recursion = nullptr;
  return with_cap(epsilon_of_rounds(round, to_double(repetitions(x)), x[delta], request),
                  Ball(repetitions(x) * subsampled(x[eps0], w)));
}

// The same, all n clients taking part alike.
Answer<Ball> epoch_by_all(const Values<Ball>& x, const Request& request) {
  const Ball w = share_of_epoch(x), rounds = repetitions(x);
  if (certainly(rounds <= 1)) return epoch<true>(x, request);
  const double depth = log(rounds * 1000000 / x[delta]).upper() + 3;
  const WorstRound round =
      window_of_all(x[eps0], to_double(x[m]), w, x[n], x[n] * responses::fixed_window_weight(x[m], x[n], w), depth);
  return with_cap(epsilon_of_rounds(round, to_double(rounds), x[delta], request),
                  Ball(rounds * subsampled(x[eps0], w)));
}

// Binary and ternary response, all others holding one record.
std::vector<own::Hidden> hidden_responses(const Ball& eps0_) {
  std::vector<own::Hidden> out;
  for (const int k : {3, 2})
    for (own::Hidden& pair : own::equal_others({.kind = Randomizer::Kind::krr, .numbers = {Rational(k)}}, eps0_))
      out.push_back(std::move(pair));
  return out;
}
Ball epoch_by_responses(const Values<Ball>& x, const Request& request) {
  const Ball w = responses::fixed_window_weight(x[m], x[n], share_of_epoch(x));
  return own::least_epsilon_of_rounds(hidden_responses(x[eps0]), {to_double(x[m]), w}, to_double(repetitions(x)),
                                      x[delta], request);
}
Ball shuffles_below(const Values<Ball>& x, const Request& request) {
  return own::least_epsilon_of_rounds(hidden_responses(x[eps0]), {to_double(x[n]), Ball(1)}, to_double(x[T]), x[delta],
                                      request);
}

Answer<Ball> messages(const Values<Ball>& x, const Request& request) {
  const WorstRound round = shuffled_by_all(x[eps0], to_double(x[n]));
  return with_cap(epsilon_of_rounds(round, to_double(x[samples]), x[delta], request), Ball(x[samples] * x[eps0]));
}

}  // namespace

Evaluator rounds_of_shuffles() { return bracketed<shuffles>(); }
Evaluator rounds_of_shuffles_below() { return bracketed<shuffles_below>(); }
Evaluator rounds_of_samples() { return bracketed<samples_of_clients>(); }
Evaluator rounds_of_checkins() { return bracketed<checkins>(); }
Evaluator messages_of_shuffle() { return bracketed<messages>(); }
Evaluator epoch_worst() { return bracketed<epoch<true>>(); }
Evaluator epoch_blanket() { return bracketed<epoch<false>>(); }
Evaluator epoch_of_all() { return bracketed<epoch_by_all>(); }
Evaluator epoch_below() { return bracketed<epoch_by_responses>(); }

}  // namespace epsilary::bounds::supremum
