// The privacy losses of the steps themselves composed: delta(eps) is a contour integral over the product of the steps'
// moments, which costs the same for any number of steps.
#include <span>

#include "bounds/assume.hpp"
#include "bounds/epsilary_step_protocols.hpp"
#include "solvers/pld_outlook.hpp"
#include "solvers/softened_contour.hpp"

namespace bounds {
namespace {

using enum Param;
using steps::Response, steps::Sequence;

constexpr double default_width = 5e-4;

// The relative width to aim at, which is narrower than the default for as good as nothing.
double aimed_at(const Request& request) {
  return request.width > default_width ? request.width / 5 : std::min(request.width, default_width / 10);
}

Sequence<double> rough(const Sequence<Ball>& s) {
  return {to_double(s.eps0), to_double(s.rise),  to_double(s.start),
          to_double(s.fall), to_double(s.count), to_double(s.first)};
}

// The total loss from afar, the steps gathered at a few places.
solvers::pld::Outlook outlook(Response response, const Sequence<double>& s) {
  solvers::pld::Outlook out;
  steps::for_places(s, [&](double times, double e) {
    const double g = steps::mass_of(response, s, e), up = g * std::exp(e);
    out.parts.push_back({times, {-e, 0, e}, {std::log(g), std::log(std::max(0.0, 1 - g - up)), std::log(up)}});
  });
  return out;
}

// The saddle point of the integrand at the eps of this delta; at 0, and roughly, where delta is larger than that.
Abscissa saddle(Response response, const Sequence<double>& s, double log_delta, double width) {
  const auto o = outlook(response, s);
  double most_loss = 0;
  for (const auto& part : o.parts) most_loss += part.times * part.loss.back();
  const double most = 1e13 / most_loss;  // beyond it the digits of the search end
  double c = solvers::pld::decreasing_root([&](double t) { return o.log_delta_at(t) - log_delta; }, most);
  if (o.eps_at(c) > 0) return {c, o.eps_at(c), width};
  c = solvers::pld::decreasing_root([&](double t) { return -o.eps_at(t); }, most);
  return {c, 1e-3 / c, 1};
}

// prod_i M_i(z).
ComplexBall moment(Response response, const Sequence<Ball>& s, const ComplexBall& z) {
  ComplexBall few(1), many(0);
  constexpr std::size_t terms = 56;  // what they leave is part of the ball
  const bool proved = steps::for_moments(
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
  Damping(Response response, const Sequence<Ball>& s, double c) {
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
  void add(Response response, const Sequence<Ball>& s, double c, double steps, double low, double high) {
    const Ball order(c), from(low), to(high);
    const Ball least = steps::mass_of(response, s, to), most = steps::mass_of(response, s, from);
    const Ball total = 1 + steps::response_moment(most, order, to);
    const Ball up = least * exp((1 + order) * from) / total, down = least * exp(-order * to) / total;
    const Ball none = max(Ball(0), 1 - most * (1 + exp(to))) / total;
    const auto at_least = [](const Ball& x) { return x.finite() ? std::max(0.0, x.lower()) : 0.0; };
    blocks_.push_back({low, high, steps, at_least(2 * none * (up + down)), at_least(2 * up * down)});
  }

  std::vector<Block> blocks_;
};

// The exact composition of the responses lies between the ends.
Ball bracket(Response response, const Sequence<Ball>& s, const Ball& delta_, const Request& request) {
  if (s.rise.is_zero()) return Ball(0);
  Abscissa at = saddle(response, rough(s), log(delta_).midpoint(), aimed_at(request));
  const double digits = std::max(0.0, -std::log2(1e5 * aimed_at(request)));
  const Ball::Precision bits(80 + std::lround(digits + std::log2(1 + at.c * at.x)));
  const Damping damping(response, s, at.c);
  const LossMoments moments{[&](const ComplexBall& z) { return moment(response, s, z); }, damping};
  Bracket b = softened_epsilon(moments, at, delta_);
  if (at.width == 1 && b.upper > 0) {  // above 0 after all
    at.width = aimed_at(request);
    b = softened_epsilon(moments, at, delta_);
  }
  return as_ball(b);
}

template <class Protocol, Response response>
Answer<Ball> composed(const Values<Ball>& x, const Request& request) {
  return with_cap(bracket(response, Protocol::sequence(x), x[delta], request), Protocol::cap(x));
}

const char* const lazy_source = "epsilary; each step is a randomised response that is mostly silent; losses composed";
const char* const full_source = "epsilary; each step is a randomised response of its eps_i; losses composed";
const char* const lazy_formula =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_0}+1},\text{ else }0\})";
const char* const full_formula =
    R"(\bigotimes_i\ \{+\varepsilon_i,-\varepsilon_i\text{ with masses }\tfrac{1}{e^{\varepsilon_i}+1}\})";
const char* const bracket_note = "a bracket of the exact composition: its upper end is the bound";

// The hypothesis names the divergence, which has no such end.
template <class Protocol>
Hypothesis few(std::string_view words) {
  if constexpr (std::same_as<Protocol, steps::Shuffle>)
    return exactly(words, [](const auto& x) { return x[n] <= 1000000000000; });
  else
    return exactly(words, [](const auto& x) { return x[m] <= 1000000000000; });
}

struct Named {
  std::string_view id, title, reach;
};

template <class Protocol, Response response>
void add(std::vector<Bound>& list, Bound b, const Named& as) {
  b.width = default_width;
  b.id = as.id;
  b.title = as.title;
  b.source = response == Response::lazy ? lazy_source : full_source;
  b.formula = response == Response::lazy ? lazy_formula : full_formula;
  b.assumes.push_back(few<Protocol>(as.reach));
  b.evaluate = bracketed<composed<Protocol, response>>();
  list.push_back(std::move(b));
}
template <class Protocol>
void add(std::vector<Bound>& list, const Bound& b, const Named& lazy, const Named& full) {
  add<Protocol, Response::lazy>(list, b, lazy);
  add<Protocol, Response::full>(list, b, full);
}

}  // namespace

std::span<const Bound> epsilary_step_losses() {
  static const std::vector<Bound> list = [] {
    // With eps0 or p0 every eps_i rises, and so does (1 + q (e^eps0 - 1) - e^t)/(e^eps0 + 1), the profile of a silent
    // step. That fewer slots cost more is not proved of these compositions, so they do not say it.
    const Bound shuffle{.protocol = "shuffle",
                        .note = bracket_note,
                        .proof = "swap, silent",
                        .needs = {eps0, n, delta},
                        .rises = {eps0},
                        .falls = {delta}};
    Bound averaged = shuffle;
    averaged.protocol = "checkin-averaged";
    averaged.proof = "averaged, swap, silent";
    averaged.note =
        "a bracket of the exact composition: its upper end is the bound; as a shuffle of n messages: every user must "
        "check in and n must be fixed";
    const Bound fixed{.protocol = "checkin-fixed",
                      .note = bracket_note,
                      .proof = "posterior, silent",
                      .needs = {eps0, m, p0, delta},
                      .rises = {eps0, p0},
                      .falls = {delta}},
        sliding{.protocol = "checkin-sliding",
                .note = bracket_note,
                .proof = "posterior, silent",
                .needs = {eps0, m, delta},
                .takes = {n},
                .rises = {eps0},
                .falls = {delta},
                .assumes = {assume::window_within_users()}};
    std::vector<Bound> out;
    add<steps::Shuffle>(
        out, shuffle,
        {"epsilary-shuffle-lazy-pld", "Amplification by shuffling, the losses of mostly silent steps composed",
         "n <= 10^12; for more use epsilary-shuffle-lazy"},
        {"epsilary-shuffle-response-pld", "Amplification by shuffling, the losses of full responses composed",
         "n <= 10^12; for more use epsilary-shuffle-response"});
    add<steps::FixedWindow>(
        out, fixed,
        {"epsilary-checkin-lazy-pld",
         "Random check-ins with a fixed window, the losses of mostly silent steps composed",
         "m <= 10^12; for more use epsilary-checkin-lazy"},
        {"epsilary-checkin-response-pld", "Random check-ins with a fixed window, the losses of full responses composed",
         "m <= 10^12; for more use epsilary-checkin-response"});
    add<steps::SlidingWindow>(out, sliding,
                              {"epsilary-sliding-lazy-pld",
                               "Random check-ins with a sliding window, the losses of mostly silent steps composed",
                               "m <= 10^12; for more use epsilary-sliding-lazy"},
                              {"epsilary-sliding-response-pld",
                               "Random check-ins with a sliding window, the losses of full responses composed",
                               "m <= 10^12; for more use epsilary-sliding-response"});
    add<steps::Shuffle>(out, averaged,
                        {"epsilary-averaged-lazy-pld",
                         "Random check-ins with averaged updates, the losses of mostly silent steps composed",
                         "n <= 10^12; for more use epsilary-averaged-lazy"},
                        {"epsilary-averaged-response-pld",
                         "Random check-ins with averaged updates, the losses of full responses composed",
                         "n <= 10^12; for more use epsilary-averaged-response"});
    return out;
  }();
  return list;
}

}  // namespace bounds
