#include "bounds/theory/shuffle/worst_rounds.hpp"

#include <cmath>
#include <cstdint>

#include "bounds/theory/shuffle/chords.hpp"
#include "bounds/theory/shuffle/own_randomizer.hpp"
#include "bounds/theory/shuffle/supremum.hpp"
#include "solvers/losses/compose.hpp"

namespace epsilary::bounds::supremum {

using namespace solvers;

Ball epsilon_of_rounds(const WorstRounds& p, const Ball& delta, const Request& request) {
  constexpr int points = 32;
  constexpr double cell = 0.2;  // of the recursion; a point takes some hundredths of a second
  const Ball::Precision bits(128);
  // The blanket of R_infinity is that of the worst randomizer.
  const auto blanket = own::blankets({.kind = Randomizer::Kind::rinf}, p.eps0);
  const own::Slots slots{p.reports, Ball(1)};
  const Ball tail = delta * Ball(request.width) / 1000 / Ball(p.rounds);
  const double last = expm1(own::largest_epsilon(blanket, slots, tail, {0.05, request.work}).upper_end()).upper();
  std::vector<double> z, high;
  for (int i = 0; i <= points; ++i) {
    z.push_back(last * i / points);
    const Ball eps = log1p(Ball(z.back()));
    const double by_blanket = own::largest_delta(blanket, slots, eps, {1e-3, request.work}).upper();
    const double by_pivot =
        certainly(eps < p.eps0) ? shuffle_delta(p.eps0, std::llround(p.reports), eps, {.cell = cell}) : by_blanket;
    high.push_back(std::min(by_blanket, by_pivot));
  }
  DiscreteSide atoms = joined_by_chords(z, high);
  if (p.reports < p.population) {  // a sample: only the excess shrinks, here rounded up
    const double rate = (Ball(p.reports) / Ball(p.population)).upper();
    for (double& e : atoms.ratio_minus_one) e = std::nextafter(e * rate, HUGE_VAL);
    atoms.infinite = std::nextafter(atoms.infinite * rate, HUGE_VAL);
  }
  return compose({.law = symmetric_law(atoms)}, p.rounds, {.delta = delta}, request);
}

}  // namespace epsilary::bounds::supremum
