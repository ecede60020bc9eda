// How fast the moment of the steps' total loss falls along a line parallel to the imaginary axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bounds/theory/shuffle/steps.hpp"

namespace epsilary::bounds::steps {

// At most the least of sin^2 between two angles, each wrong by at most six units of rounding of itself: that moves
// sin^2, or the multiple of pi at which it vanishes, by no more than is taken off.
inline double least_sine_squared(double a, double b) {
  if (std::floor(a / M_PI) != std::floor(b / M_PI)) return 0;
  const double least = std::min(std::pow(std::sin(a), 2), std::pow(std::sin(b), 2));
  return std::max(0.0, least - 32 * 0x1p-53 * (1 + b));
}

// Steps whose eps_i lie between `low` and `high`: a block with at least these products of tilted masses at +eps, -eps
// and 0, proved in balls.
class Damping {
 public:
  Damping(StepResponse response, const Sequence<Ball>& s, double c) {
    const double count = to_double(s.count), blocks = std::min(count, 512.0);
    for (double k = 0; k < blocks; ++k) {
      const double from = std::floor(count * k / blocks), to = std::floor(count * (k + 1) / blocks);
      add(response, s, c, to - from, s.at(from).lower(), s.at(to - 1).upper());
    }
  }

  // A lower bound of -log |M(c+iy)/M(c)|: with masses p+, p-, p0 at +eps, -eps, 0 the square of the modulus of a
  // characteristic function is 1 - 4 p0 (p+ + p-) sin^2(y eps/2) - 4 p+ p- sin^2(y eps), and log x <= x - 1. At most
  // 512 terms, none negative, are added in double: what that rounds is taken off.
  double operator()(double y) const {
    double sum = 0;
    for (const Block& b : blocks_) {
      const double half = least_sine_squared(y * b.low / 2, y * b.high / 2),
                   whole = least_sine_squared(y * b.low, y * b.high);
      sum += b.steps * (b.silent * half + b.played * whole);
    }
    return sum * (1 - 1e-12);
  }

 private:
  struct Block {
    double low, high, steps, silent, played;
  };
  void add(StepResponse response, const Sequence<Ball>& s, double c, double steps, double low, double high) {
    const Ball order(c), from(low), to(high);
    const Ball least = mass_of(response, s, to), most = mass_of(response, s, from);
    const Ball total = 1 + response_moment(most, order, to);
    const Ball up = least * exp((1 + order) * from) / total, down = least * exp(-order * to) / total;
    const Ball none = max(Ball(0), 1 - most * (1 + exp(to))) / total;
    const auto at_least = [](const Ball& x) { return x.finite() ? std::max(0.0, x.lower()) : 0.0; };
    blocks_.push_back({low, high, steps, at_least(2 * none * (up + down)), at_least(2 * up * down)});
  }

  std::vector<Block> blocks_;
};

}  // namespace epsilary::bounds::steps
