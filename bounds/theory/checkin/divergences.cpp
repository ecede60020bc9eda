#include "bounds/theory/checkin/divergences.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/theory/accounting.hpp"

namespace epsilary::bounds::rounds {
namespace {

using enum Param;
using checkin::SymmetricPairBounds;

// The moment minus one of a symmetric pair: losses +-log(1 + z) give (rho^lambda - 1)(1 - rho^{1-lambda}), rho = 1 + z.
template <Real M>
M moment(const DiscreteSide& side, const M& order) {
  M sum(0);
  for (std::size_t i = 0; i < side.ratio_minus_one.size(); ++i) {
    const M loss = log1p(M(side.ratio_minus_one[i]));
    sum += M(side.lighter_mass[i]) * expm1(order * loss) * -expm1((1 - order) * loss);
  }
  return sum;
}
// Of a pair with two different sides the larger of both directions: E_Q of (1 + z)^nu - 1 - nu z, nu = lambda or
// 1 - lambda, where z is the ratio of the laws minus one: that of the right side, and -r/(1 + r) on the left.
template <Real M>
M moment(const checkin::DiscretePair& sides, const M& order) {
  const auto direction = [&](const M& nu) {
    M sum(0);
    for (std::size_t i = 0; i < sides.right.ratio_minus_one.size(); ++i)
      sum += M(sides.right.lighter_mass[i]) * power_excess(nu, M(sides.right.ratio_minus_one[i]));
    for (std::size_t i = 0; i < sides.left.ratio_minus_one.size(); ++i) {
      const M ratio = 1 + M(sides.left.ratio_minus_one[i]);
      sum += M(sides.left.lighter_mass[i]) * ratio * power_excess(nu, M(-M(sides.left.ratio_minus_one[i]) / ratio));
    }
    return sum;
  };
  return max(direction(order), direction(M(1 - order)));
}

Ball moment(const std::vector<checkin::UnderflowMass>& underflow, const Ball& order) {
  Ball sum;
  for (const checkin::UnderflowMass& s : underflow)
    sum += exp(Ball(s.log_mass) + order * log1p(Ball(s.ratio_minus_one)));
  return sum;
}

// convert(divergence) of the clones' pair at this order, between its laws. There a loss of x spreads weighs
// e^{order spread x}. Cells, which grow with the loss, must be narrow where the weighted losses lie; and what is left
// out, in blocks that double x, must not count. That is told by normal tails; where they mislead, the largest loss of
// all decides.
template <class Convert>
Ball between_clones(checkin::Hiding hiding, const Values<Ball>& x, const Ball& order, double width, Convert convert) {
  const Ball clones = x[n] * x[gamma] * exp(-x[eps0]) + 1;
  const Ball spread = x[gamma] * min(Ball(expm1(x[eps0])), 2 * tanh(x[eps0] / 2) / sqrt(clones));
  const double steep = (order * spread).midpoint();
  const double reach = std::sqrt(2.0) * steep + std::sqrt(2 * steep * steep + 80);
  const double deepest = 80 + (order * x[eps0]).midpoint();
  Ball answer;
  for (const double depth : {std::min(reach * reach, deepest), deepest}) {
    Resolution r = resolution(width, depth);
    r.cells = std::max(width, r.cells / (1 + steep / 4));  // beyond, losses are at their largest
    const SymmetricPairBounds round = checkin::shuffled_clones(x[eps0], check_ins(x), r, hiding);
    const auto converted = [&](const Ball& m1) { return convert(renyi::divergence<Ball>(m1, order)); };
    answer = Ball::hull(converted(moment(round.lower, order)),
                        converted(moment(round.upper, order) + moment(round.underflow, order)));
    if (answer.finite() && answer.upper() <= (1 + 2 * width) * answer.lower()) break;
  }
  return answer;
}

// Any order is valid, so the search needs no proof.
template <class Side>
Ball best_real_order(const Side& round, const Values<Ball>& x) {
  const double rounds = x[T].midpoint(), log_d = log(x[delta]).midpoint();
  const auto cost = [&](double order) {
    const Scaled m1 = moment(round, Scaled(order));
    return rounds * renyi::divergence<double>(m1, order) + renyi::conversion_cost(order, log_d);
  };
  return short_decimal<Ball>(best_order(cost, Orders::real, 0x1p30));
}

}  // namespace

template <checkin::Hiding hiding>
Ball clones_divergence(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return Ball(0);
  return between_clones(hiding, x, x[lambda], width_of(request) / 2, [](const Ball& rdp) { return rdp; });
}

Answer<Ball> response_divergence_after_rounds(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return {Ball(0)};
  const Resolution r = resolution(width_of(request), depth_for(x[T], log(x[delta])) + 40);
  const auto [above, below] = checkin::shuffled_response(x[eps0], check_ins(x), r);
  const Ball order = x.has(lambda) ? x[lambda] : best_real_order(below, x), log_delta = log(x[delta]);
  const auto convert = [&](const checkin::DiscretePair& sides) {
    return renyi::to_epsilon(Ball(x[T] * renyi::divergence<Ball>(moment(sides, order), order)), order, log_delta);
  };
  Answer<Ball> answer{Ball::hull(convert(below), convert(above))};
  if (!x.has(lambda)) answer.at.push_back({lambda, order});
  return answer;
}

template <checkin::Hiding hiding>
Answer<Ball> clones_divergence_after_rounds(const Values<Ball>& x, const Request& request) {
  if (x[gamma].is_zero()) return {Ball(0)};
  const auto search = [&] {
    const Resolution r = resolution(2e-2, depth_for(x[T], log(x[delta])) + 40);
    return best_real_order(checkin::shuffled_clones(x[eps0], check_ins(x), r, hiding).lower, x);
  };
  const Ball order = x.has(lambda) ? x[lambda] : search();
  Answer<Ball> answer{between_clones(hiding, x, order, width_of(request), [&](const Ball& once) {
    const Ball::Precision bits(128);
    const Ball rdp = x[T] * once, best = renyi::to_epsilon_optimal(rdp, order, x[delta]);
    return best.finite() ? best : Ball::hull(Ball(0), renyi::to_epsilon(rdp, order, Ball(log(x[delta]))));
  })};
  if (!x.has(lambda)) answer.at.push_back({lambda, order});
  return answer;
}

using checkin::Hiding;
template Ball clones_divergence<Hiding::clones>(const Values<Ball>&, const Request&);
template Ball clones_divergence<Hiding::blanket>(const Values<Ball>&, const Request&);
template Answer<Ball> clones_divergence_after_rounds<Hiding::clones>(const Values<Ball>&, const Request&);
template Answer<Ball> clones_divergence_after_rounds<Hiding::blanket>(const Values<Ball>&, const Request&);

}  // namespace epsilary::bounds::rounds
