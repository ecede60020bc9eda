#include "bounds/theory/shuffle/worst_case.hpp"

#include "bounds/theory/checkin/slots.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/supremum.hpp"

namespace epsilary::bounds::supremum {
namespace {

using enum Param;

// Cells of the recursion are in standard deviations of a slot; a chord adds about a sixth of their square to the
// variance. What blocks add falls like one over the root of their length, and counts where binary response, which leans to either
// side, is the worst law: there they are longer when more is asked for.
struct Effort {
  double cell, block;
};
Effort effort_for(const Request& request, const Ball& eps0) {
  if (request.width >= 1e-3) return {request.width > 5e-3 ? 0.3 : 0.05, 500};
  return eps0.midpoint() < 0.85 ? Effort{0.08, 5000} : Effort{0.02, 500};
}

// What binary response, either way, or ternary response leak.
Ball attained(const Values<Ball>& x, const Ball& slots, const Ball& w) {
  const Ball::Precision bits(64);
  if (x.has(eps)) {
    const auto leaks = [&](const auto& response) { return response(x[eps]).delta; };
    return max(
        max(leaks(lower::Binary<Ball>{slots, x[eps0], w, false}), leaks(lower::Binary<Ball>{slots, x[eps0], w, true})),
        leaks(lower::Ternary<Ball>{slots, x[eps0], w}));
  }
  return max(max(family_epsilon<lower::Binary>(x[delta], slots, x[eps0], w, false),
                 family_epsilon<lower::Binary>(x[delta], slots, x[eps0], w, true)),
             family_epsilon<lower::Ternary>(x[delta], slots, x[eps0], w));
}

// Two ends; a ball of both keeps few digits of the one that is smaller by far.
struct Ends {
  Ball low, high;
  Ball hull() const { return Ball::hull(min(low, high), high); }
  void lower_to(const Ball& other) {
    if (other.finite()) high = min(high, other.upper_end());
  }
};

// Between what is attained and `delta_above`, an upper bound of delta at an eps for cells of a width.
Ends between(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request,
             const std::function<double(const Ball& eps, double cell)>& delta_above) {
  const Ball::Precision bits(128);
  const Ball found = within_work(
      request.work / 2, [&] { return attained(x, slots, w); }, unknown<Ball>);
  const Ball low = found.finite() ? max(Ball(0), found.lower_end()) : Ball(0), cap = log1p(w * expm1(x[eps0]));
  const bool asks_delta = x.has(eps);
  if (asks_delta && (x.at_least(eps, eps0) || certainly(x[eps] >= cap))) return {Ball(0), Ball(0)};
  // Where delta is below what a double holds the recursion tells nothing.
  if (found.finite() && certainly((asks_delta ? low : x[delta]) < Ball(1e-280)))
    return {low, asks_delta ? Ball(1) : cap.upper_end()};
  const auto at_most = [&](const Ball& e, double cell) {
    const double above = delta_above(e, cell);
    return above <= 1 ? above : 1;
  };
  if (asks_delta) {
    const double high = within_work(
        4 * request.work, [&] { return at_most(x[eps], effort_for(request, x[eps0]).cell); }, [] { return 1.0; });
    return {low, Ball(high)};
  }
  const auto above = [&](double e, double cell) { return at_most(Ball(e), cell); };
  const double high = within_work(
      4 * request.work,
      [&] {
        return epsilon_at(above, x[delta], std::max(0.0, low.lower()), cap.upper(),
                          {.width = std::max(request.width / 8, 1e-4), .cell = effort_for(request, x[eps0]).cell});
      },
      [&] { return cap.upper(); });
  return {low, Ball(high)};
}

// One law for every slot is above all others in convex order, so the worst case is not above the blanket's pair.
Ball by_blanket(const Values<Ball>& x, const Ball& slots, const Ball& w) {
  const Ball::Precision bits(64);
  return within_work(
      work_left(), [&] { return checkin::in_slots<clones::BlanketSlots>(x, slots, w); }, unknown<Ball>);
}

// The pivot with the blanket of the slots that are left in place of their worst case, for numbers of any size: fewer
// than n - left of the others are told, or one report is seen alone.
Ball pivot_by_blanket(const Values<Ball>& x) {
  const Ball::Precision bits(64);
  const Ball slower = -log(-expm1(-x[eps0]));  // P(j are told or more) = e^{-slower j}
  const double users = x[n].midpoint();
  if (users < 2 || !(slower.lower() > 0)) return unknown<Ball>();
  const auto left_of = [&](const Ball& log_spare) {
    const double told = std::min(users - 1, std::ceil((-log_spare / slower).midpoint()));
    return x[n] - Ball(told);
  };
  const auto told = [&](const Ball& left) { return exp(-slower * (x[n] - left)); };
  if (x.has(eps)) {
    const Ball whole = by_blanket(x, x[n], Ball(1));
    if (!whole.finite() || !certainly(whole > 0)) return whole;
    const Ball left = left_of(log(whole) - 5);
    return by_blanket(x, left, Ball(1)) + told(left) * exp(x[eps]) * expm1(x[eps0] - x[eps]) / (1 + exp(x[eps0]));
  }
  const Ball left = left_of(log(x[delta]) - 3), spare = x[delta] - told(left);
  if (!certainly(spare > 0)) return x[eps0];
  return within_work(
      work_left(), [&] { return family_epsilon<clones::BlanketSlots>(spare, left, x[eps0], Ball(1)); }, unknown<Ball>);
}

Ends pivot(const Values<Ball>& x, const Request& request) {
  const auto n_ = static_cast<std::int64_t>(std::llround(x[n].midpoint()));
  Ends ends = between(x, x[n], Ball(1), request, [&](const Ball& e, double cell) {
    return shuffle_delta(x[eps0], n_, e, {.cell = cell, .block = effort_for(request, x[eps0]).block});
  });
  if (!certainly(ends.high <= 2 * ends.low)) ends.lower_to(pivot_by_blanket(x));
  return ends;
}

}  // namespace

Ball checkins(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request) {
  const auto m_ = static_cast<std::int64_t>(std::llround(slots.midpoint()));
  Ends worst = between(x, slots, w, request, [&](const Ball& e, double cell) {
    return checkin_delta(x[eps0], m_, w, e, {.cell = cell, .block = effort_for(request, x[eps0]).block});
  });
  worst.lower_to(by_blanket(x, slots, w));
  return worst.hull();
}

Ball shuffle(const Values<Ball>& x, const Request& request) { return pivot(x, request).hull(); }

Ball shuffle_or_blanket(const Values<Ball>& x, const Request& request) {
  Ends ends = pivot(x, request);
  ends.lower_to(by_blanket(x, x[n], Ball(1)));
  return ends.hull();
}

}  // namespace epsilary::bounds::supremum
