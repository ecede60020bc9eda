// The terms of the contour integral, turned on step by step, against each of them computed anew.
#include "solvers/losses/contour/phases.hpp"

#include "solvers/losses/contour/line.hpp"
#include "tests/solvers/numbers/random_balls.hpp"

using namespace epsilary::solvers;
using namespace epsilary::solvers::contour;
using random_balls::Source;

namespace {

ComplexBall conjugate(const ComplexBall& z) { return {z.real(), -z.imag()}; }

}  // namespace

TEST_CASE("random balls: phases hold the moment at every point of the line") {
  Source source(41);
  for (int i = 0; i < 60; ++i) {
    const Ball::Precision bits(source.coin() ? 128 : 256);
    const bool fine = source.coin();
    Tilted law;
    law.error = Ball(0);
    for (long k = source.whole(1, 12); k > 0; --k) {
      const auto number = [&](double low, double high) { return Source::midpoint(source.exact(low, high)); };
      const Ball fade = source.coin() ? Ball(0) : number(0, 2);
      law.nodes.push_back({{number(-3, 3), fade}, {number(0, 1), number(-1, 1)}, {number(0, 1), number(-1, 1)}});
    }
    const double h = source.real(0.01, 0.7);
    Phases phases(law, h, fine);
    for (int step = 0; step < 100; ++step) {
      const ComplexBall found = phases.next();
      ComplexBall truth(Ball(0), Ball(0));
      {
        const Ball::Precision wide(600);
        const Ball y = Ball(h) * step;
        for (const auto& node : law.nodes) {
          const ComplexBall turn = exp(ComplexBall(-y * node.loss.imag(), y * node.loss.real()));
          truth = truth + node.ahead * turn + conjugate(node.behind * turn);
        }
      }
      CHECK(found.real().overlaps(truth.real()));
      CHECK(found.imag().overlaps(truth.imag()));
    }
  }
}

TEST_CASE("what a pile of uniform laws lacks of its mass is at most what its characteristic function lacks") {
  Source source(42);
  for (int i = 0; i < 60; ++i) {
    const Ball::Precision bits(128);
    // A density in steps, at least: one uniform law over another, with the same centre or beside it.
    std::vector<DensityStep> steps;
    double at = source.real(-2, 2);
    for (long k = source.whole(1, 5); k > 0; --k) {
      const double to = at + source.real(0.05, 1), density = source.real(0.01, 1);
      steps.push_back({Ball(at), Ball(to), Ball(density)});
      at = to;
    }
    const std::vector<Layer> layers = layer_cake(steps);
    Ball mass(0);
    for (const DensityStep& s : steps) mass += (s.to - s.from) * s.density;
    const double from = source.real(0.2, 30);
    const Ball gap = characteristic_gap(layers, Ball(from));
    for (int j = 0; j < 20; ++j) {
      const double where = from * (1 + source.real(0, 3));
      const Ball y(where);
      Ball re(0), im(0);  // of the integral of density e^{iyx}
      for (const DensityStep& s : steps) {
        const ComplexBall ends = exp(ComplexBall(Ball(0), y * s.to)), begins = exp(ComplexBall(Ball(0), y * s.from));
        re += s.density * (ends.imag() - begins.imag()) / y;
        im -= s.density * (ends.real() - begins.real()) / y;
      }
      CHECK(possibly(gap <= mass - sqrt(re * re + im * im)));
      CHECK(possibly(gap >= 0));
    }
  }
}
