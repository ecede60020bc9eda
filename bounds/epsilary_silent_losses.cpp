// The privacy losses of the steps themselves composed: each step is a randomised response of loss eps_i that is silent
// but with masses 1/(e^{eps0}+1), and a larger eps_i dominates a smaller one. So steps are sorted into cells of one
// lattice: raised to the upper end of their cell they cost more than the truth, lowered to the lower end less.
#include <span>

#include "bounds/bound.hpp"
#include "bounds/epsilary_steps.hpp"
#include "solvers/pld_composition.hpp"

namespace bounds {
namespace {

using enum Param;
using solvers::pld::Component, solvers::pld::Composition;
using steps::Sequence;

// How many steps have eps_i > x, counted up or down by one where rounding could tell otherwise.
double steps_above(const Sequence<Ball>& s, const Ball& x, bool upper) {
  const Ball index = (s.start - s.rise / expm1(x)) / s.fall;  // eps_i > x for i > index
  const double count = to_double(s.count);
  const double kept = upper ? std::floor(index.lower()) - 1 : std::ceil(index.upper()) + 1;
  return count - 1 - std::clamp(kept, -1.0, count - 1);
}

// Masses of P at the losses +-k: s e^{k step} and s, the rest at 0.
Lattice silent_response(const Ball& share, double step, long k) {
  const Ball up = share * exp(Ball(step) * Ball(k));
  Masses masses{{-k, 0, k}, {share, 1 - share - up, up}};
  if (k == 0) masses = {{0}, {Ball(1)}};
  return {.step = step, .upper = masses, .lower = masses, .infinite = Ball(0)};
}

std::vector<Component> components(const Sequence<Ball>& s, double step, long cells, bool upper) {
  const Ball share = 1 / (1 + exp(s.eps0));
  std::vector<Component> out;
  const auto add = [&](long k, double times) {
    if (times > 0 && k > 0) out.push_back({silent_response(share, step, k), times});
  };
  double above = 0;
  for (long k = cells; k >= 0; --k) {  // the cell (k step, (k + 1) step]
    const double reached = k > 0 ? steps_above(s, Ball(step) * Ball(k), upper) : to_double(s.count);
    add(upper ? k + 1 : k, std::max(0.0, reached - above));
    above = std::max(above, reached);
  }
  if (s.first > 0) {
    const double cell = (s.first / Ball(step)).midpoint();
    add(std::lround(upper ? std::ceil(cell + 1e-9) : std::floor(cell - 1e-9)), 1);
  }
  return out;
}

// As many cells as a transform of 2^16 points has room for; the total loss spreads over about 24 standard deviations.
long cells_for(const Sequence<Ball>& s) {
  const double spread = std::sqrt(2 * to_double(s.count) / (1 + std::exp(to_double(s.eps0))));
  return std::lround(std::clamp(std::floor(0x1p16 / (24 * spread)), 8.0, 64.0));
}

// An eps at which the composed delta is proved to be at most delta (upper), or above it. The search needs no proof.
double composed_end(const Sequence<Ball>& s, const Ball& delta_, bool upper) {
  const long cells = cells_for(s);
  const double step = s.largest().upper() / static_cast<double>(cells), log_delta = log(delta_).midpoint();
  const auto parts = components(s, step, cells, upper);
  const auto outlook = solvers::pld::outlook_of(parts);
  const double theta = solvers::pld::decreasing_root([&](double t) { return outlook.log_delta_at(t) - log_delta; });
  const double guess = std::max(0.0, outlook.eps_at(theta));
  const auto window = solvers::pld::choose_window(outlook, theta, guess, log_delta, 1e-4);
  const double points = 2 + (window.high - window.low) / step;
  if (!(points < 0x1p20)) return upper ? HUGE_VAL : 0;
  const Composition<double> c(parts, window, std::bit_ceil(static_cast<std::size_t>(points)));
  const auto holds = [&](double e) { return upper ? c.upper(Ball(e)) <= delta_ : !(c.lower(Ball(e)) > delta_); };
  double low = 0, high = std::max(guess, step) * 2;
  while (high < 1e6 && !holds(high)) high *= 2;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return upper ? (holds(high) ? high : HUGE_VAL) : low;
}

// The exact composition of the silent steps lies between the two ends, and below its Renyi bound.
Ball bracket(const Sequence<Ball>& s, const Ball& delta_) {
  if (!(s.rise > 0)) return Ball(0);
  const Ball::Precision bits(128);
  const Sequence<double> rough{to_double(s.eps0), to_double(s.rise),  to_double(s.start),
                               to_double(s.fall), to_double(s.count), to_double(s.first)};
  const Ball theta(steps::best_theta(rough, log(delta_).midpoint()));
  const Ball renyi = renyi::to_epsilon(Ball(steps::lazy_log_moments(s, theta) / theta), Ball(1 + theta), log(delta_));
  const double high = composed_end(s, delta_, true);
  return Ball::hull(Ball(composed_end(s, delta_, false)), std::isfinite(high) ? min(Ball(high), renyi) : renyi);
}

Ball in_shuffle(const Values<Ball>& x) { return bracket(steps::shuffle(x[eps0], x[n]), x[delta]); }
Ball in_window(const Values<Ball>& x) { return bracket(steps::fixed_window(x[eps0], x[m], x[p0]), x[delta]); }

// A bracket has no use for other number types: their value is its upper end, which is safe.
template <Ball (*formula)(const Values<Ball>&)>
Evaluator bracketed() {
  const auto upper = []<Real R>(const Values<R>& x) {
    const Ball::Precision bits(128);
    Values<Ball> exact;
    for (const Param p : {eps0, n, m, p0, delta})
      if (x.has(p)) exact.set(p, Ball(to_double(x[p])));
    return Answer<R>{R(formula(exact).upper())};
  };
  return {[](const Values<double>& x) { return decltype(upper){}(x); },
          [](const Values<mp50>& x) { return decltype(upper){}(x); },
          [](const Values<Ball>& x) { return Answer<Ball>{formula(x)}; }};
}

const char* const source = "epsilary; each step is a randomised response that is mostly silent; losses on a lattice";
const char* const formula_text =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_0}+1},\text{ else }0\})";
const char* const note_text = "a bracket of the exact composition: its upper end is the bound";

}  // namespace

std::span<const Bound> epsilary_silent_losses() {
  static const Bound list[] = {
      {
          .id = "epsilary-shuffle-lazy-pld",
          .title = "Amplification by shuffling, the losses of mostly silent steps composed",
          .protocol = "shuffle",
          .source = source,
          .formula = formula_text,
          .note = note_text,
          .needs = {eps0, n, delta},
          .assumes = {exactly("n <= 10^6", [](const auto& x) { return x[n] <= 1000000; }),
                      provably("n >= e^{2 eps0}/(e^{0.9 eps0} - 1) (e^eps0 - 1), so that no step is above 0.9 eps0",
                               [](const auto& x) {
                                 return x[n] - exp(2 * x[eps0]) * expm1(x[eps0]) / expm1(9 * x[eps0] / 10);
                               })},
          .width = 0.3,
          .evaluate = bracketed<in_shuffle>(),
      },
      {
          .id = "epsilary-checkin-lazy-pld",
          .title = "Random check-ins with a fixed window, the losses of mostly silent steps composed",
          .protocol = "checkin-fixed",
          .source = source,
          .formula = formula_text,
          .note = note_text,
          .needs = {eps0, m, p0, delta},
          .assumes = {exactly("m <= 10^6", [](const auto& x) { return x[m] <= 1000000; }),
                      provably("m >= e^{eps0} (e^eps0 - 1)/(e^{0.9 eps0} - 1), so that no step is above 0.9 eps0",
                               [](const auto& x) {
                                 return x[m] - exp(x[eps0]) * expm1(x[eps0]) / expm1(9 * x[eps0] / 10);
                               })},
          .width = 0.3,
          .evaluate = bracketed<in_window>(),
      },
  };
  return list;
}

}  // namespace bounds
