#include "bounds/theory/shuffle/step_losses.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/theory/shuffle/damping.hpp"
#include "solvers/losses/cumulants.hpp"
#include "solvers/losses/softened.hpp"

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

// Delta is above a half below about this.
double mean_loss(StepResponse response, const Sequence<double>& s) {
  double sum = 0;
  for_places(s, [&](double times, double e) { sum += times * e * mass_of(response, s, e) * std::expm1(e); });
  return sum;
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

}  // namespace

Ball composed_epsilon(StepResponse response, const Sequence<Ball>& s, const Ball& delta, const Ball& trivial,
                      const Request& request) {
  if (s.rise.is_zero()) return Ball(0);
  // The losses are at most `all` together, and what is all-DP leaks at most tanh(all/2) at eps = 0.
  const Ball all = s.count * s.largest() + s.first;
  if (certainly(tanh(all / 2) <= delta)) return Ball(0);
  Abscissa at = saddle(response, rough(s), log(delta).midpoint(), aimed_at(request));
  const double far = 5000 * trivial.upper();  // how far beyond is of no use to anybody
  if (at.x > far || mean_loss(response, rough(s)) > far) return trivial.upper_end();
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
