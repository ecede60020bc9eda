#include "bounds/theory/checkin/rounds.hpp"

#include <array>
#include <cmath>
#include <map>

#include "bounds/theory/larger.hpp"
#include "solvers/losses/compose.hpp"

namespace epsilary::bounds::rounds {

using enum Param;

namespace {

// Laws closer than this in total variation have cells whose masses are too small for a double.
constexpr double smallest_distance = 1e-200;

}  // namespace

Resolution resolution(double width, double depth) {
  return {.counts = width / 3, .cells = std::min(0.1, std::sqrt(width / 3)), .depth = std::min(depth, 600.0)};
}
double depth_for(const Ball& rounds, const Ball& log_delta) { return (log(rounds) - log_delta).midpoint() + 25; }

Laws symmetric_laws(checkin::SymmetricPairBounds round, double log_mass) {
  // A mass too small for a double is put at an infinite loss, rounded up.
  for (const checkin::UnderflowMass& tiny : round.underflow) round.upper.infinite += exp(Ball(tiny.log_mass)).upper();
  return {symmetric_law(truncate_pessimistically(round.upper, log_mass)),
          symmetric_law(truncate_optimistically(round.lower, log_mass))};
}

Laws sided_laws(const checkin::PairBounds& round, double log_mass) {
  const auto& [above, below] = round;
  return {
      dominating_law(truncate_pessimistically(above.right, log_mass), truncate_pessimistically(above.left, log_mass)),
      dominated_law(truncate_optimistically(below.right, log_mass), truncate_optimistically(below.left, log_mass))};
}

std::optional<Ball> by_distance(const Values<Ball>& x, const Ball& distance) {
  const Ball most = x[T] * distance;
  const bool decided = x.has(delta) && certainly(most <= x[delta]),
             none = certainly(distance < Ball(smallest_distance));
  if (x.has(delta)) return decided ? std::optional(Ball(0)) : none ? std::optional(unknown<Ball>()) : std::nullopt;
  return none ? std::optional(Ball::hull(Ball(0), most.upper_end())) : std::nullopt;
}

Ball composed(const Values<Ball>& x, const LawsAt& laws_at, const Request& request, Side side) {
  const Request wanted{width_of(request), request.work};
  const double times = x[T].midpoint();
  const bool bounded = x.has(eps0);  // T eps0-DP rounds cost no more than T eps0
  const auto bracket = [&](double depth) {
    const Resolution r = resolution(wanted.width, depth);
    const auto [upper, lower] = laws_at(r, -r.depth + 10);
    const auto compose_for = [&](const Target& target) {
      return compose({.law = upper, .below = lower}, times, target, wanted,
                     side == Side::lower ? Promised::lower : Promised::upper);
    };
    if (x.has(delta)) {
      const Ball found = compose_for({.delta = x[delta]}), most = bounded ? x[T] * x[eps0] : unknown<Ball>();
      return bounded ? intersection(found, Ball::hull(Ball(0), most.upper_end())) : found;
    }
    // Beyond the largest losses: a sum above eps needs one above eps/T, which a little below is surely counted.
    const Ball beyond = x[T] * upper.right.tail(x[eps] / x[T] * (1 - Ball(1e-6))).heavy;
    if (times > 1 && certainly(beyond <= exp(10 - Ball(r.depth)) * x[T])) return Ball::hull(Ball(0), beyond);
    return compose_for({.eps = x[eps]});
  };
  if (x.has(delta)) return bracket(depth_for(x[T], log(x[delta])));
  if (bounded) {
    const bool exact = x.is_exact(eps) && x.is_exact(T) && x.is_exact(eps0);
    if (exact ? x.exact(eps) >= x.exact(T) * x.exact(eps0) : certainly(x[eps] >= x[T] * x[eps0])) return Ball(0);
  }
  Ball answer;
  for (double depth = 80; depth <= 600; depth *= 2) {  // deeper until what is charged in full no longer counts
    answer = bracket(depth);
    if (answer.lower() > 0 && depth > depth_for(x[T], log(answer.lower_end())) - 8) break;
  }
  return answer;
}

Ball composed_both_ways(const Values<Ball>& x, const LawsAt& laws_at, const Request& request) {
  std::map<std::array<double, 4>, Laws> known;  // both ways ask for the same laws
  const LawsAt forth = [&](const Resolution& r, double log_mass) {
    const std::array asked{r.counts, r.cells, r.depth, log_mass};
    const auto found = known.find(asked);
    return found != known.end() ? found->second : known[asked] = laws_at(r, log_mass);
  };
  const LawsAt back = [&](const Resolution& r, double log_mass) {
    Laws laws = forth(r, log_mass);
    for (LossLaw* law : {&laws.upper, &laws.lower}) std::swap(law->right, law->left);
    return laws;
  };
  return larger(
      request, [&](const Request& r) { return composed(x, forth, r, Side::lower); },
      [&](const Request& r) { return composed(x, back, r, Side::lower); });
}

}  // namespace epsilary::bounds::rounds
