#include "bounds/theory/shuffle/own_formulas.hpp"

#include <algorithm>
#include <vector>

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/shuffle/own_randomizer.hpp"

namespace epsilary::bounds::own {

bool tells_nothing(const Randomizer& r) {
  return r.kind == Randomizer::Kind::matrix &&
         std::ranges::all_of(r.rows, [&](const auto& row) { return row == r.rows.front(); });
}

namespace {

using enum Param;

Slots shuffled(const Values<Ball>& x) { return {to_double(x[n]), Ball(1)}; }
Slots fixed_window(const Values<Ball>& x) { return {to_double(x[m]), x[p0]}; }

Answer<Ball> largest(const std::vector<Hidden>& pairs, const Slots& slots, const Values<Ball>& x,
                     const Request& request) {
  Answer<Ball> answer;
  if (tells_nothing(x.randomizer())) return {Ball(0)};
  if (x.has(eps)) {
    answer.value = largest_delta(pairs, slots, x[eps], request);
    answer.cap = Ball(1);
    return answer;
  }
  answer.value = x.has(T) ? largest_epsilon_of_rounds(pairs, slots, to_double(x[T]), x[delta], request)
                          : largest_epsilon(pairs, slots, x[delta], request);
  if (gives_away(pairs, slots, x.has(T) ? Ball(x[delta] / x[T]) : x[delta]))
    answer.refused = "a delta above what one output gives away: some input alone can send it, so no epsilon is enough";
  return answer;
}

Answer<Ball> with_local_cap(Answer<Ball> answer, const Values<Ball>& x, const Ball& cap) {
  if (!x.has(eps) && (!x.has(delta0) || x.at_most(delta0, 0))) answer.cap = x.has(T) ? x[T] * cap : cap;
  return answer;
}

Answer<Ball> shuffle(const Values<Ball>& x, const Request& request) {
  return with_local_cap(largest(blankets(x.randomizer(), x[eps0]), shuffled(x), x, request), x, x[eps0]);
}
Answer<Ball> shuffle_below(const Values<Ball>& x, const Request& request) {
  return largest(equal_others(x.randomizer(), x[eps0]), shuffled(x), x, request);
}
Answer<Ball> variation(const Values<Ball>& x, const Request& request) {
  return largest(blankets(x.randomizer(), Ball(1)), shuffled(x), x, request);
}
Answer<Ball> by_checkins(const Values<Ball>& x, const Request& request) {
  if (x[p0].is_zero()) return {Ball(0)};  // the record is never used
  const Ball cap = subsampled(x[eps0], x[p0]);
  return with_local_cap(largest(blankets(x.randomizer(), x[eps0]), fixed_window(x), x, request), x, cap);
}

Answer<Ball> alone(const Values<Ball>& x, const Request&) {
  const Randomizer& r = x.randomizer();
  Answer<Ball> answer{x[eps0]};
  if (!r.has_own_eps0()) return answer;
  const LocalPrivacy found = privacy(r);
  answer.value = found.eps0;
  if (found.delta0 > 0) answer.log_delta_total = log(Ball(found.delta0));
  return answer;
}

Slots checkins(const Values<Ball>& x) { return {to_double(x[n]), Ball(1), x[gamma], x.complement(gamma)}; }
Slots sample(const Values<Ball>& x) { return {to_double(x[per_round]), x[per_round] / x[clients]}; }

bool shows_nothing(const Values<Ball>& x) { return x.has(gamma) && x[gamma].is_zero(); }

// epsilon over T rounds, or delta of one.
template <auto slots_of>
Answer<Ball> above(const Values<Ball>& x, const Request& request) {
  if (shows_nothing(x)) return {Ball(0)};
  const auto pairs = blankets(x.randomizer(), x[eps0]);
  const Slots slots = slots_of(x);
  if (x.has(eps)) return with_cap(largest_delta(pairs, slots, x[eps], request), Ball(1));
  Answer<Ball> answer{largest_epsilon_of_rounds(pairs, slots, to_double(x[T]), x[delta], request)};
  if (!x.has(delta0) || x.at_most(delta0, 0)) answer.cap = x[T] * x[eps0];
  if (gives_away(pairs, slots, Ball(x[delta] / x[T])))
    answer.refused = "a delta above what one output gives away: some input alone can send it, so no epsilon is enough";
  return answer;
}
template <auto slots_of>
Answer<Ball> below(const Values<Ball>& x, const Request& request) {
  if (shows_nothing(x)) return {Ball(0)};
  const auto pairs = equal_others(x.randomizer(), x[eps0]);
  const Slots slots = slots_of(x);
  if (x.has(eps)) return {largest_delta(pairs, slots, x[eps], request)};
  return {least_epsilon_of_rounds(pairs, slots, to_double(x[T]), x[delta], request)};
}

}  // namespace

Evaluator by_itself() { return bracketed<alone>(); }
Evaluator in_shuffle() { return bracketed<shuffle>(); }
Evaluator in_shuffle_below() { return bracketed<shuffle_below>(); }
Evaluator in_shuffle_by_three_numbers() { return bracketed<variation>(); }
Evaluator in_fixed_window() { return bracketed<by_checkins>(); }
Evaluator in_checkins() { return bracketed<above<checkins>>(); }
Evaluator in_checkins_below() { return bracketed<below<checkins>>(); }
Evaluator in_samples() { return bracketed<above<sample>>(); }
Evaluator in_samples_below() { return bracketed<below<sample>>(); }

}  // namespace epsilary::bounds::own
