// The bound on how fast the moment of the steps falls, against the moment written out step by step.
#include "bounds/theory/shuffle/damping.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

namespace steps = epsilary::bounds::steps;
using epsilary::bounds::Ball;
using Played = steps::StepResponse;
using steps::Sequence;

struct Drawn {
  Played response;
  Sequence<double> s;
  double c;
};

Drawn draw(std::mt19937_64& random) {
  std::uniform_real_distribution<double> u(0, 1);
  const double eps0 = std::exp(-3 + 4.5 * u(random)), slots = std::floor(1 + std::exp(7.5 * u(random)));
  const Sequence<double> s =
      u(random) < 0.5 ? steps::fixed_window(eps0, slots, u(random)) : steps::shuffle(eps0, slots);
  return {u(random) < 0.5 ? Played::full : Played::lazy, s, std::exp(-2 + 6 * u(random))};
}

// -log |M(c + iy)/M(c)| of one step after the other: the characteristic function of a loss at +e, -e and 0 with masses
// tilted by e^{c loss}.
Ball written_out(const Drawn& d, double y) {
  const Ball::Precision bits(200);
  const Ball c(d.c), at(y), rise(d.s.rise), start(d.s.start), fall(d.s.fall), eps0(d.s.eps0);
  Ball sum;
  for (long i = 0; i < std::lround(d.s.count); ++i) {
    const Ball e = log1p(rise / (start - fall * i)), g = 1 / (1 + exp(d.response == Played::full ? e : eps0));
    const Ball up = g * exp((1 + c) * e), down = g * exp(-c * e), none = 1 - g - g * exp(e);
    Ball cosine, sine;
    arb_sin_cos(sine.arb(), cosine.arb(), Ball(at * e).arb(), 200);
    const Ball real = (up + down) * cosine + none, imag = (up - down) * sine, all = up + down + none;
    sum -= log((real * real + imag * imag) / (all * all)) / 2;
  }
  return sum;
}

Sequence<Ball> in_balls(const Sequence<double>& s) {
  return {Ball(s.eps0), Ball(s.rise), Ball(s.start), Ball(s.fall), Ball(s.count), Ball(s.first)};
}

}  // namespace

TEST_CASE("damping: never above the moment written out, and close to it where that is small") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> u(-4, 4);
  int close = 0, positive = 0;
  for (int i = 0; i < 150; ++i) {
    const Drawn d = draw(random);
    if (d.s.count < 1) continue;
    const steps::Damping damping(d.response, in_balls(d.s), d.c);
    for (int j = 0; j < 4; ++j) {
      const double y = std::exp(u(random)) / d.s.at(d.s.count - 1);
      const double bound = damping(y);
      const Ball truth = written_out(d, y);
      INFO("eps0 " << d.s.eps0 << ", steps " << d.s.count << ", c " << d.c << ", y " << y << ", lazy "
                   << (d.response == Played::lazy) << ": " << bound << " and " << truth.midpoint());
      CHECK(certainly(Ball(bound) <= truth.upper_end()));
      positive += bound > 0;
      close += d.s.count <= 512 && bound > 0.9 * truth.midpoint();
    }
  }
  CHECK(positive > 300);
  CHECK(close > 60);
}
