// delta(eps) of a composition as an integral of its moment function along a vertical line, proved from both sides.
// It converges exponentially where many losses are added, and knows no lattice.
#pragma once

#include <functional>
#include <vector>

#include "solvers/losses/request.hpp"
#include "solvers/numbers/complex_ball.hpp"

namespace epsilary::solvers {

// A law of losses X under P tilted by e^{cX}, as finitely many masses: for 0 <= y <= the reach asked for
// E_P e^{(c+iy)X} = sum_k (ahead_k e^{iy loss_k} + conj(behind_k e^{iy loss_k})) up to `error` in modulus. Losses and
// masses are complex where the quadrature runs through the upper half plane, in which e^{iy loss} fades.
struct Tilted {
  struct Node {
    ComplexBall loss, ahead, behind;  // no loss has a negative imaginary part
  };
  std::vector<Node> nodes;
  Ball error;
};

// The tilted law has at least this density for losses between the two ends.
struct DensityStep {
  Ball from, to, density;
};

// A law of losses without its farthest ones.
struct MomentLaw {
  std::function<Tilted(double c, double reach)> tilted;
  std::function<std::vector<DensityStep>(double c)>
      density_steps;                   // rising losses, each step beginning where the last one ends
  std::vector<double> loss, log_mass;  // the law of X in double, roughly: it chooses the contour and proves nothing
  Ball missing;                        // mass of P that was left out
  double times = 1;                    // how often the law is composed
  // Where the law can be divided: its body, none of whose losses exceeds the number given, the tail, and what the
  // moment of the tail is below for all |y| >= from, proved and roughly.
  std::function<Tilted(double c, double reach, double body)> body = {}, tail = {};
  std::function<Ball(double c, double from, double body)> tail_beyond = {};
  std::function<double(double c, double from, double body)> rough_tail_beyond = {};
};
// The laws to compose, such that each leaves out at most e^{log_neglected}. Without their far tails moments do not
// explode.
using MomentLaws = std::function<std::vector<MomentLaw>(double log_neglected)>;

// Enclosures of the exact delta(eps), and of the exact least eps >= 0 with delta(eps) <= delta. They are about as
// narrow as asked; where that would take too much work, which happens for few compositions, from 0 to what Chernoff's
// bound gives, or indeterminate.
Ball contour_delta(const MomentLaws& laws, const Ball& eps, const Request& request = {1e-6, 1e9});
Ball contour_epsilon(const MomentLaws& laws, const Ball& delta, const Request& request = {1e-6, 1e9});

}  // namespace epsilary::solvers
