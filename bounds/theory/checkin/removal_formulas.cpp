#include "bounds/theory/checkin/removal_formulas.hpp"

#include "bounds/theory/accounting.hpp"
#include "bounds/theory/checkin/removal.hpp"

namespace epsilary::bounds::removal {
namespace {

using enum Param;

template <Real R>
Answer<R> with_moment(const Moment<R>& m1, const R& order) {
  Answer<R> answer{.value = renyi::divergence<R>(m1, order)};
  answer.beside.push_back({"moment", plain<R>(m1)});
  return answer;
}

}  // namespace

RoundForms of_check_ins() { return rounds_of<Removal>(); }
RoundForms of_check_ins_own_noise() { return rounds_of<RemovalClient>(); }
RoundForms given_others() { return rounds_of<GivenOthers>(); }
RoundForms given_others_own_noise() { return rounds_of<GivenOthersClient>(); }

Evaluator divergence_given_others() {
  return each_number([]<Real R>(const Values<R>& x) {
    return with_moment<R>(ideal(x, x[lambda], Moment<R>(x[per_round])), x[lambda]);
  });
}
Evaluator forward_divergence_given_others_own_noise() {
  return each_number([]<Real R>(const Values<R>& x) {
    using M = Moment<R>;
    const M m1 = distributed::removal_moment(M(x[lambda]), chance_of<M>(x, gamma), M(x[per_round]),
                                             distributed::ClientNoise<M>{M(x[multiplier]), M(x[dim])});
    return with_moment<R>(m1, x[lambda]);
  });
}

}  // namespace epsilary::bounds::removal
