#include "bounds/theory/shuffle/worst_case.hpp"

#include "bounds/theory/checkin/slots.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/supremum.hpp"
#include "solvers/losses/bracket.hpp"

namespace epsilary::bounds::supremum {
namespace {

using enum Param;

// Of the recursion, in standard deviations of a slot: a chord adds a quarter of its square to the variance.
double finest_cell(const Request& request) { return request.width > 5e-3 ? 0.1 : request.width >= 1e-3 ? 0.03 : 0.01; }

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

// Between what is attained and `delta_above`, an upper bound of delta at an eps for cells of a width.
Ball between(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request,
             const std::function<double(const Ball& eps, double cell)>& delta_above) {
  const Ball::Precision bits(128);
  const Ball found = within_work(
      request.work / 2, [&] { return attained(x, slots, w); }, unknown<Ball>);
  const Ball low = found.finite() ? found : Ball(0), cap = log1p(w * expm1(x[eps0]));
  const auto up_to = [&](const Ball& high) { return Ball::hull(min(low.lower_end(), high), high); };
  // Where delta is far below what a double holds the recursion tells nothing.
  const auto at_most = [&](const Ball& e, double cell) {
    const double above = delta_above(e, cell);
    return above <= 1 ? above : 1;
  };
  if (x.has(eps)) {
    if (x.at_least(eps, eps0) || certainly(x[eps] >= cap)) return Ball(0);
    const double high = within_work(
        4 * request.work, [&] { return at_most(x[eps], finest_cell(request)); }, [] { return 1.0; });
    return up_to(Ball(high));
  }
  const auto above = [&](double e, double cell) { return at_most(Ball(e), cell); };
  const double high = within_work(
      4 * request.work,
      [&] {
        return epsilon_at(above, x[delta], std::max(0.0, low.lower()), cap.upper(),
                          {.width = request.width / 8, .cell = finest_cell(request)});
      },
      [&] { return cap.upper(); });
  return up_to(Ball(high));
}

// One law for every slot is above all others in convex order, so the worst case is not above the blanket's pair.
Ball no_more_than_blanket(const Ball& bracket, const Values<Ball>& x, const Ball& slots, const Ball& w) {
  const Ball::Precision bits(64);
  const Ball blanket = within_work(
      work_left(), [&] { return checkin::in_slots<clones::BlanketSlots>(x, slots, w); }, unknown<Ball>);
  if (!blanket.finite()) return bracket;
  const Ball high = min(bracket.upper_end(), blanket.upper_end());
  return Ball::hull(min(bracket.lower_end(), high), high);
}

}  // namespace

Ball checkins(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request) {
  const auto m_ = static_cast<std::int64_t>(std::llround(slots.midpoint()));
  const Ball worst = between(x, slots, w, request, [&](const Ball& e, double cell) {
    return checkin_delta(x[eps0], m_, w, e, {.cell = cell});
  });
  return no_more_than_blanket(worst, x, slots, w);
}

namespace {

// The pivot with the blanket of the slots that are left in place of their worst case, for numbers of any size: at most
// `told` of the others are told, or one report is seen alone.
Ball pivot_by_blanket(const Values<Ball>& x) {
  const Ball::Precision bits(128);
  const Ball e = exp(x[eps0]), slower = -log(-expm1(-x[eps0]));  // P(told > j) = e^{-slower j}
  const double users = x[n].midpoint();
  const auto left_of = [&](const Ball& log_spare) {
    return Ball(x[n] - Ball(std::int64_t(std::min(users - 1, std::ceil((-log_spare / slower).midpoint())))));
  };
  if (users < 2 || !(slower.lower() > 0)) return unknown<Ball>();
  if (x.has(eps)) {
    if (x.at_least(eps, eps0)) return Ball(0);
    const Ball whole = checkin::profile_delta(clones::BlanketSlots<Ball>{x[n], x[eps0], Ball(1)}, x[eps]);
    if (!certainly(whole > 0)) return unknown<Ball>();
    const Ball left = left_of(log(whole) - 5), alone = exp(x[eps]) * expm1(x[eps0] - x[eps]) / (1 + e);
    return checkin::profile_delta(clones::BlanketSlots<Ball>{left, x[eps0], Ball(1)}, x[eps]) +
           exp(-slower * (x[n] - left)) * alone;
  }
  const Ball left = left_of(log(x[delta]) - 3), spare = x[delta] - exp(-slower * (x[n] - left));
  if (!certainly(spare > 0)) return x[eps0];
  return family_epsilon<clones::BlanketSlots>(spare, left, x[eps0], Ball(1));
}

}  // namespace

Ball shuffle(const Values<Ball>& x, const Request& request) {
  const auto n_ = static_cast<std::int64_t>(std::llround(x[n].midpoint()));
  const Ball found = between(x, x[n], Ball(1), request, [&](const Ball& e, double cell) {
    return shuffle_delta(x[eps0], n_, e, {.cell = cell});
  });
  // Where delta is below doubles the recursion tells nothing.
  if (is_narrow(found, 0.5)) return found;
  const Ball blanket = within_work(
      request.work, [&] { return pivot_by_blanket(x); }, unknown<Ball>);
  if (!blanket.finite()) return found;
  const Ball high = min(found.upper_end(), blanket.upper_end());
  return Ball::hull(min(found.lower_end(), high), high);
}

Ball shuffle_or_blanket(const Values<Ball>& x, const Request& request) {
  return no_more_than_blanket(shuffle(x, request), x, x[n], Ball(1));
}

}  // namespace epsilary::bounds::supremum
