#include "bounds/theory/shuffle/step_losses.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/losses/contour/softened.hpp"
#include "solvers/losses/lattice/saddle_point.hpp"

namespace epsilary::bounds::steps {
namespace {

// The relative width to aim at, which is narrower than the default for as good as nothing.
double aimed_at(const Request& request) {
  return request.width > losses_width ? request.width / 5 : std::min(request.width, losses_width / 10);
}

Sequence<double> rough(const Sequence<Ball>& s) {
  return {to_double(s.eps0), to_double(s.rise),  to_double(s.start),
          to_double(s.fall), to_double(s.count), to_double(s.first)};
}

// The total loss from afar, the steps gathered at a few places.
solvers::pld::CumulantModel cumulants(StepResponse response, const Sequence<double>& s) {
  solvers::pld::CumulantModel out;
  for_places(s, [&](double times, double e) {
    const double g = mass_of(response, s, e), up = g * std::exp(e);
    out.parts.push_back({times, {-e, 0, e}, {std::log(g), std::log(std::max(0.0, 1 - g - up)), std::log(up)}});
  });
  return out;
}

// The saddle point of the integrand at the eps of this delta; at 0, and roughly, where delta is larger than that.
Abscissa saddle(StepResponse response, const Sequence<double>& s, double log_delta, double width) {
  const auto o = cumulants(response, s);
  double most_loss = 0;
  for (const auto& part : o.parts) most_loss += part.times * part.loss.back();
  const double most = 1e13 / most_loss;  // beyond it the digits of the search end
  double c = solvers::pld::decreasing_root([&](double t) { return o.log_delta_at(t) - log_delta; }, most);
  if (o.eps_at(c) > 0) return {c, o.eps_at(c), width};
  c = solvers::pld::decreasing_root([&](double t) { return -o.eps_at(t); }, most);
  return {c, 1e-3 / c, 1};
}

// prod_i M_i(z).
ComplexBall moment(StepResponse response, const Sequence<Ball>& s, const ComplexBall& z) {
  ComplexBall few(1), many(0);
  constexpr std::size_t terms = 56;  // what they leave is part of the ball
  const bool proved = for_moments(
      response, s, z, [&](const ComplexBall& m) { few *= ComplexBall(1) + m; },
      [&](const ComplexBall& sum) { many += sum; }, terms);
  return proved ? few * exp(many) : few.widened(unknown<Ball>());
}

// At most the least of sin^2 between two angles, each wrong by at most six units of rounding of itself: that moves
// sin^2, or the multiple of pi at which it vanishes, by no more than is taken off.
double least_sine_squared(double a, double b) {
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

}  // namespace

Ball composed_epsilon(StepResponse response, const Sequence<Ball>& s, const Ball& delta, const Request& request) {
  if (s.rise.is_zero()) return Ball(0);
  Abscissa at = saddle(response, rough(s), log(delta).midpoint(), aimed_at(request));
  const double digits = std::max(0.0, -std::log2(1e5 * aimed_at(request)));
  const Ball::Precision bits(80 + nearest_integer(digits + std::log2(1 + at.c * at.x)));
  const Damping damping(response, s, at.c);
  const LossMoments moments{[&](const ComplexBall& z) { return moment(response, s, z); }, damping};
  Bracket b = softened_epsilon(moments, at, delta);
  if (at.width == 1 && b.upper > 0) {  // above 0 after all
    at.width = aimed_at(request);
    b = softened_epsilon(moments, at, delta);
  }
  return as_ball(b);
}

}  // namespace epsilary::bounds::steps
