// The profile delta(x) = E_P (1 - e^{x-L})_+ of a privacy loss L from its moments M(z) = E_P e^{zL} on a vertical line
// Re z = c > 0, where the transform of delta is M(z)/(z (z+1)). There is no lattice: any loss with known moments will
// do.
#pragma once

#include <functional>
#include <vector>

#include "solvers/losses/pair.hpp"
#include "solvers/numbers/complex_ball.hpp"

namespace epsilary::solvers {

struct LossMoments {
  std::function<ComplexBall(const ComplexBall& z)> at;
  // At least this: -log |M(c+iy) / M(c)|. It spares the evaluation of what is negligible.
  std::function<double(double y)> damping;
};

// Where to look, found by a search that needs no proof: the abscissa c and the x that belongs to it, and how wide the
// bracket of x may be.
struct Abscissa {
  double c, x, width;
};

// The trapezoidal rule for the loss composed with one Gaussian mechanism of mean tau, whose moments e^{tau^2 z(z+1)/2}
// end the integral. It only adds loss, so the rule, which never falls short (its aliases are not negative), stays
// above. What the Gaussian adds is known: with d = L - x, the expectation over it exceeds (1 - e^{-d})_+ by at most
// tau/sqrt(2 pi) e^{-d^2/(2 tau^2) - d/2}, since its derivative in tau is phi(d/tau + tau/2); and the transform of that
// is tau^2 e^{tau^2 (z+1/2)^2/2}. Taking it and the aliases away stays below. Both ends differ from the truth by
// O(tau^2).
class SoftenedContour {
 public:
  SoftenedContour(const LossMoments& moments, const Abscissa& at, const Ball& delta);

  Ball upper(const Ball& x) const;
  Ball lower(const Ball& x) const;

 private:
  struct Node {
    ComplexBall z, upper, lower;
  };
  Ball sum(const Ball& x, ComplexBall Node::*term) const;

  Ball c_, period_;  // aliases of x are at x + m period
  std::vector<Node> nodes_;
  Ball left_out_, moment_, far_moment_;  // what is not summed, times e^{-cx}; M(c); M(2c) with the Gaussian
};

// The least eps >= 0 with delta(eps) <= delta; its ends were tried.
Bracket softened_epsilon(const LossMoments& moments, const Abscissa& at, const Ball& delta);

}  // namespace epsilary::solvers
