#include "bounds/theory/shuffle/worst_case_formulas.hpp"

#include <utility>

#include "bounds/theory/checkin/overlapping_mixtures.hpp"
#include "bounds/theory/shuffle/worst_case.hpp"

namespace epsilary::bounds::supremum {
namespace {

using enum Param;

Answer<Ball> in_fixed_window(const Values<Ball>& x, const Request& request) {
  Answer<Ball> answer{checkins(x, x[m], x[p0], request)};
  if (x.has(delta)) answer.cap = subsampled(x[eps0], x[p0]);
  return answer;
}
Ball in_sliding_window(const Values<Ball>& x, const Request& request) { return checkins(x, x[m], Ball(1), request); }

Answer<Ball> in_fixed_window_of_all(const Values<Ball>& x, const Request& request) {
  if (x[p0].is_zero()) return {Ball(0)};
  const Ball attained = responses::fixed_window_weight(x[m], x[n], x[p0]);
  Answer<Ball> answer{known_checkins(
      x, {checkin::others_of_fixed_window(x), attained, x[p0], checkin::blanket_of_known_window<Ball>}, request)};
  if (x.has(delta)) answer.cap = subsampled(x[eps0], x[p0]);
  return answer;
}
Ball in_sliding_window_of_all(const Values<Ball>& x, const Request& request) {
  const Ball worst = known_checkins(x,
                                    {{checkin::winnable_in_sliding_window(x)},
                                     responses::sliding_window_weight(x[m]),
                                     Ball(1),
                                     checkin::blanket_of_known_sliding_window<Ball>},
                                    request);
  // Only among so many has a client in the middle m - 1 competitors in each slot.
  return certainly(x[n] >= 2 * x[m] - 1) ? worst : Ball::hull(Ball(0), worst.upper_end());
}

// No report tells more than eps0.
Answer<Ball> with_local_cap(Ball value, const Values<Ball>& x) {
  Answer<Ball> answer{std::move(value)};
  if (x.has(delta)) answer.cap = x[eps0];
  return answer;
}
Answer<Ball> of_shuffle(const Values<Ball>& x, const Request& request) {
  return with_local_cap(shuffle(x, request), x);
}
Answer<Ball> of_shuffle_or_blanket(const Values<Ball>& x, const Request& request) {
  return with_local_cap(shuffle_or_blanket(x, request), x);
}

}  // namespace

Evaluator worst_in_fixed_window() { return bracketed<in_fixed_window>(); }
Evaluator worst_in_sliding_window() { return bracketed<in_sliding_window>(); }
Evaluator worst_in_fixed_window_of_all() { return bracketed<in_fixed_window_of_all>(); }
Evaluator worst_in_sliding_window_of_all() { return bracketed<in_sliding_window_of_all>(); }
Evaluator worst_of_shuffle() { return bracketed<of_shuffle>(); }
Evaluator worst_of_shuffle_or_blanket() { return bracketed<of_shuffle_or_blanket>(); }

}  // namespace epsilary::bounds::supremum
