#include "experiments/solve.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/root.hpp"

namespace experiments {
namespace {

using namespace bounds;

bool contains(const std::vector<Param>& list, Param p) { return std::ranges::find(list, p) != list.end(); }

// Where the double formula crosses the target, on a logarithmic scale: a place to start, not an answer.
std::optional<double> guess(const Bound& bound, const Point& point, Param unknown, double target) {
  const Range range = info(unknown).domain.range();
  Values<double> x(point);
  const auto excess = [&](double u) {
    x.set(unknown, std::exp(u));
    const double value = bound.evaluate.in_double(x).value;
    return value > 0 && target > 0 ? std::log(value / target) : value - target;  // bounds are nearly powers
  };
  const double low = range.low > Rational(0) ? 0 : -34, high = range.high ? -1e-12 : 34;
  for (double top = high; top > low; top -= 8)
    if (const auto root = find_root<double>(excess, low, top, 60); root.status == Solved::converged)
      return std::exp(root.value);
  return {};
}

}  // namespace

bool is_monotone_in(const Bound& bound, Param p) { return contains(bound.rises, p) || contains(bound.falls, p); }

Inversion solve(const Bound& bound, const Point& point, Param unknown, const Decimal& target, int digits) {
  const bool below = bound.side != Side::lower;
  const Rounding safe = contains(bound.falls, unknown) == below ? Rounding::up : Rounding::down;
  const auto holds = [&](const Decimal& x) -> std::optional<bool> {
    Point at = point;
    at.set(unknown, x);
    if (!broken_hypothesis(bound, at).empty()) return false;
    for (long bits = 64 + bits_for(digits); bits <= 1 << 14; bits *= 2) {
      const Ball::Precision scope(bits);
      const Ball value = bound.evaluate.in_ball(Values<Ball>(at)).value, wanted(target.exact());
      if (below ? value <= wanted : value >= wanted) return true;
      if (below ? value > wanted : value < wanted) return false;
      if (bound.width > 0) return false;  // inside the bracket: not proved, so not safe
    }
    return {};
  };
  return invert(holds, info(unknown).domain.range(), safe, digits,
                guess(bound, point, unknown, from_rational<double>(target.exact())));
}

}  // namespace experiments
