// Where the contour integral runs: the line, its step and its length, found in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/losses/contour/contour.hpp"
#include "solvers/losses/lattice/saddle_point.hpp"

namespace epsilary::solvers::contour {

// A density above steps is above a pile of uniform ones: |E e^{iyX}| is smaller than its mass by at least
// mass (1 - |sinc(y half)|) for every layer of the pile.
struct Layer {
  Ball half, mass;
};
std::vector<Layer> layer_cake(const std::vector<DensityStep>& density_steps);
// What |E e^{(c+iy)X}| falls short of E e^{cX} by, at least, for every y >= from.
Ball characteristic_gap(const std::vector<Layer>& layers, const Ball& from);

// A line z = c + i h k, k = 0, 1, ..., J.
struct Line {
  double c = 0, h = 0, last = 0;  // last = J
  double beyond = 0;              // order of Chernoff's bound for the terms m > 0
  double body = -1;               // the largest loss of the body, if not negative
  double body_order = 0;          // of Chernoff's bound for it
  std::int64_t bits = 0;          // of the terms, which may be much larger than their sum
  bool fine = false;              // phases with all these bits, not in long double
  double work = HUGE_VAL;         // products of phases, those of many bits counted as many times as they take longer
};
constexpr std::int64_t least_bits = 128;

// log of the largest e^{-theta x} (1 - e^{-(x - eps)}) e^{theta eps}: Chernoff's bound is delta(eps) <= M(theta) times
// e^{this - theta eps}.
template <class R>
R log_hockey_stick(const R& theta) {
  return theta * log(theta) - (1 + theta) * log(1 + theta);
}

// The laws cut for a delta, and how they look from far.
struct TruncatedLaws {
  std::vector<MomentLaw> laws;
  pld::CumulantModel cumulants;

  // What all of them leave out together is below e^{log_neglected}.
  TruncatedLaws(const MomentLaws& uncut, double log_neglected);
};

// What is left out at eps must be below e^{log_tolerated}.
struct Tolerance {
  double eps, log_tolerated, most_work;
};
// A line near the saddle of the law, and the best of such lines and of those for the law divided; none where it takes
// too much work.
std::optional<Line> line_around(const TruncatedLaws& truncated, const Tolerance& tolerance, double saddle);
std::optional<Line> best_line(const TruncatedLaws& truncated, const Tolerance& tolerance, double saddle);

// The order, and the body of a divided law, at which Chernoff's bound is least.
Line chernoff_orders(const TruncatedLaws& truncated, double eps, double log_tolerated);

// Where rare losses decide, the saddle of the whole law promises too large an eps; that of the divided one does not.
double rough_epsilon(const TruncatedLaws& truncated, double log_delta, double most);
double rough_log_delta(const TruncatedLaws& truncated, double eps, double most);

}  // namespace epsilary::solvers::contour
