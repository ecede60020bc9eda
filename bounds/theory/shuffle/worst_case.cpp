#include "bounds/theory/shuffle/worst_case.hpp"

#include <cmath>
#include <optional>

#include "bounds/theory/checkin/slots.hpp"
#include "bounds/theory/shuffle/clones.hpp"
#include "bounds/theory/shuffle/responses.hpp"
#include "bounds/theory/shuffle/supremum.hpp"
#include "bounds/theory/subsampling.hpp"
#include "solvers/sums/excess.hpp"

namespace epsilary::bounds::supremum {
namespace {

using enum Param;

// Cells of the recursion are in standard deviations of a slot; a chord adds about a sixth of their square to the
// variance. What blocks add falls like one over the root of their length, and counts where binary response, which leans
// to either side by 2 sinh(eps0/2), is the worst law: there they are longer. Cells are as narrow as some 10^8 steps of
// a point allow.
struct Effort {
  double cell, block;
  AdaptiveEffort with(double cell_) const { return {.cell = cell_, .block = cell_ > cell ? 500.0 : block}; }
};
// `shallow`: by how much more than usual the variance counts.
Effort effort_for(const Request& request, const Ball& eps0, double slots, double longest, double shallow) {
  if (request.width > 5e-3) return {0.3, 500};
  const double leans = 2 * std::sinh(eps0.midpoint() / 2), much = (request.width < 1e-3 ? 4 : 1) * shallow;
  const double block = 1000 * much * (eps0.midpoint() < 0.85 ? std::max(1.5, 80 * leans * leans) : 1);
  const double steps = std::isinf(longest) ? slots : std::min({block, slots, longest});
  return {std::clamp(8e-8 * steps * std::sqrt(steps), 0.02, 0.1 / shallow), std::min(block, longest)};
}
// Where epsilon is small against the deviation of the sum, in units of which it is x, a normal variable's E(N - x)_+ is
// met at an x that changes with the variance by phi(x)/(x Phi(-x)) times half of that; for large x by half.
double shallow_by(const Ball& eps0, double slots, double w, double eps) {
  const double e = std::exp(eps0.midpoint()), variance = std::max(2 / (e + 2), 1 / e) * (e - 1) * (e - 1);
  const double x = std::expm1(eps) * std::sqrt(slots / variance) / w;
  if (!(x > 0) || x > 6) return 1;
  const double density = std::exp(-x * x / 2) * 0.3989422804, tail = std::erfc(x * 0.7071067812) / 2;
  return std::clamp(density / (x * tail), 1.0, 6.0);
}

// What binary response, either way, or ternary response leak.
Ball attained(const Values<Ball>& x, const Ball& slots, const Ball& w) {
  const Ball::Precision bits(64);
  if (x.has(eps)) {
    const auto leaks = [&](const auto& response) { return response(x[eps]).delta; };
    return max(max(leaks(responses::Binary<Ball>{slots, x[eps0], w, false}),
                   leaks(responses::Binary<Ball>{slots, x[eps0], w, true})),
               leaks(responses::Ternary<Ball>{slots, x[eps0], w}));
  }
  return max(max(family_epsilon<responses::Binary>(x[delta], slots, x[eps0], w, false),
                 family_epsilon<responses::Binary>(x[delta], slots, x[eps0], w, true)),
             family_epsilon<responses::Ternary>(x[delta], slots, x[eps0], w));
}

// Two ends; a ball of both keeps few digits of the one that is smaller by far.
struct Ends {
  Ball low, high;
  Ball hull() const { return Ball::hull(min(low, high), high); }
  void lower_to(const Ball& other) {
    if (other.finite()) high = min(high, other.upper_end());
  }
};

constexpr double most_of_search = 1.5;  // of the work of a request

// Between what is attained with the weight w and `delta_above`, an upper bound of delta at an eps for cells of a width.
// No eps is above that of one report that is sent with probability `most`.
Ends between(const Values<Ball>& x, const Ball& slots, const Ball& w, const Ball& most, const Request& request,
             double longest, const std::function<double(const Ball& eps, const AdaptiveEffort&)>& delta_above) {
  const Ball::Precision bits(128);
  const Ball found = within_work(
      request.work / 2, [&] { return attained(x, slots, w); }, unknown<Ball>);
  const Ball low = found.finite() ? max(Ball(0), found.lower_end()) : Ball(0), cap = subsampled(x[eps0], most);
  const bool asks_delta = x.has(eps);
  if (asks_delta && (x.at_least(eps, eps0) || certainly(x[eps] >= cap))) return {Ball(0), Ball(0)};
  // Where delta is below what a double holds the recursion tells nothing.
  if (asks_delta ? found.finite() && certainly(low < Ball(1e-280)) : certainly(x[delta] < Ball(1e-280)))
    return {low, asks_delta ? Ball(1) : cap.upper_end()};
  const double shallow =
      asks_delta ? 1 : shallow_by(x[eps0], slots.midpoint(), w.midpoint(), std::max(0.0, low.midpoint()));
  const Effort effort = effort_for(request, x[eps0], slots.midpoint(), longest, shallow);
  const auto at_most = [&](const Ball& e, double cell) {
    const double above = delta_above(e, effort.with(cell));
    return above <= 1 ? above : 1;
  };
  if (asks_delta) {
    const double high = within_work(
        most_of_search * request.work, [&] { return at_most(x[eps], effort.cell); }, [] { return 1.0; });
    return {low, Ball(high)};
  }
  const auto above = [&](double e, double cell) { return at_most(Ball(e), cell); };
  const double high = within_work(
      most_of_search * request.work,
      [&] {
        return epsilon_at(above, x[delta], std::max(0.0, low.lower()), cap.upper(),
                          {.width = std::max(request.width / 8, 1e-4), .cell = effort.cell});
      },
      [&] { return cap.upper(); });
  return {low, Ball(high)};
}

// The lower end raised to what an adaptive randomizer attains in a few slots, where that may tell: close below the
// upper end, or where by the rule of false position sqrt(-2 log delta), nearly linear in eps, meets that of delta.
void raise_by_adapting(Ends& ends, const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request) {
  const Ball::Precision bits(128);
  double left = std::max(0.0, ends.low.lower()), right = ends.high.upper();
  if (certainly(slots > 3000) || !(right > left) || right - left < request.width / 2 * right) return;
  const double cell = std::clamp(0.04 * std::sqrt(slots.midpoint() / 1000), 0.04, 0.07);
  const auto attained_at = [&](const Ball& e) {
    return within_work(
        request.work,
        [&] { return checkin_delta_attained(x[eps0], std::llround(slots.midpoint()), w, e, {.cell = cell}); },
        [] { return 0.0; });
  };
  if (x.has(eps)) {
    const double found = attained_at(x[eps]);
    ends.low = max(ends.low, Ball(found));
    return;
  }
  const auto depth = [](double delta) { return std::sqrt(-2 * std::log(std::clamp(delta, 1e-300, 1.0))); };
  const double wanted = x[delta].upper(), close = right * (1 - request.width / 4);
  const double at_close = attained_at(Ball(close));
  if (at_close > wanted) {
    ends.low = max(ends.low, Ball(close));
    return;
  }
  right = close;
  double at_left = depth(attained_at(Ball(left))), at_right = depth(at_close);
  for (double back = 2e-5; back < 0.03 && at_right > at_left; back *= 4) {
    const double crossing =
        left + (right - left) * std::clamp((depth(wanted) - at_left) / (at_right - at_left), 0.0, 1.0);
    if (crossing - left < request.width / 16 * right) return;
    const double e = std::max(left, crossing * (1 - back)), found = attained_at(Ball(e));
    if (found > wanted) ends.low = max(ends.low, Ball(e));
    (found > wanted ? left : right) = e;
    (found > wanted ? at_left : at_right) = depth(found);
  }
}

// One law for every slot is above all others in convex order, so the worst case is not above the blanket's pair.
Ball by_blanket(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request) {
  const Ball::Precision bits(64);
  return within_work(
      request.work, [&] { return checkin::in_slots<clones::BlanketSlots>(x, slots, w); }, unknown<Ball>);
}

// Chernoff's bound of delta at eps by the same pair, where delta is so small and the slots are so many that its digits
// are dear: beyond long doubles only balls have them.
std::optional<Ball> next_to_nothing(const Values<Ball>& x, const Ball& slots, const Ball& w) {
  if (!x.has(eps) || x.at_least(eps, eps0) || certainly(slots <= 30000)) return {};
  const Ball::Precision bits(128);
  const Ball e = exp(x[eps0]), c = exp(x[eps]), s = 1 / (1 + e), rest = (1 - w) * -expm1(x[eps]);
  const Ball high =
      chernoff_excess({{rest + w * (e - c), rest + w * (1 - c * e), rest}, {s, s, 1 - 2 * s}}, slots.midpoint());
  return certainly(high < exp(Ball(-9000))) ? std::optional(high.upper_end()) : std::nullopt;
}

// The pivot with the blanket of the slots that are left in place of their worst case, for numbers of any size: fewer
// than n - left of the others are told, or one report is seen alone.
Ball pivot_by_blanket(const Values<Ball>& x, const Request& request) {
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
    const auto nothing = next_to_nothing(x, x[n], Ball(1));
    const Ball whole = nothing ? *nothing : by_blanket(x, x[n], Ball(1), request);
    if (!whole.finite() || !certainly(whole > 0)) return whole;
    const Ball left = left_of(log(whole) - 5);
    const auto less = nothing ? next_to_nothing(x, left, Ball(1)) : std::nullopt;
    return (less ? *less : by_blanket(x, left, Ball(1), request)) +
           told(left) * exp(x[eps]) * expm1(x[eps0] - x[eps]) / (1 + exp(x[eps0]));
  }
  const Ball left = left_of(log(x[delta]) - 3), spare = x[delta] - told(left);
  if (!certainly(spare > 0)) return x[eps0];
  return within_work(
      request.work, [&] { return family_epsilon<clones::BlanketSlots>(spare, left, x[eps0], Ball(1)); }, unknown<Ball>);
}

// The recursion was tried with these; of others the blanket tells.
bool is_moderate(const Values<Ball>& x) { return x.at_least(eps0, Rational(1) / 100) && x.at_most(eps0, 8); }

// What is attained, and the trivial bound.
Ends at_most_alone(const Values<Ball>& x, const Request& request) {
  const Ball low = within_work(
      request.work / 2, [&] { return attained(x, x[n], Ball(1)); }, unknown<Ball>);
  return {low.finite() ? max(Ball(0), low.lower_end()) : Ball(0), x.has(eps) ? Ball(1) : x[eps0].upper_end()};
}

Ends pivot(const Values<Ball>& x, const Request& request) {
  if (next_to_nothing(x, x[n], Ball(1)))
    if (const Ball high = pivot_by_blanket(x, request); high.finite()) return {Ball(0), high};
  // With few slots against e^{eps0} so many may be told that none are left for blocks: all steps are taken one by one.
  const bool whole = certainly(x[n] <= 40 * exp(x[eps0]));
  Ends ends = between(x, x[n], Ball(1), Ball(1), request, whole ? HUGE_VAL : 2000,
                      [&](const Ball& e, const AdaptiveEffort& with) {
                        return shuffle_delta(x[eps0], std::llround(x[n].midpoint()), e, with);
                      });
  if (!certainly(ends.high <= 2 * ends.low)) ends.lower_to(pivot_by_blanket(x, request));
  return ends;
}

}  // namespace

Ball checkins(const Values<Ball>& x, const Ball& slots, const Ball& w, const Request& request) {
  if (const auto high = next_to_nothing(x, slots, w)) return Ball::hull(Ball(0), *high);
  Ends worst = between(x, slots, w, w, request, 20000, [&](const Ball& e, const AdaptiveEffort& with) {
    return checkin_delta(x[eps0], std::llround(slots.midpoint()), w, e, with);
  });
  worst.lower_to(by_blanket(x, slots, w, request));
  raise_by_adapting(worst, x, slots, w, request);
  return worst.hull();
}

Ball known_checkins(const Values<Ball>& x, const KnownWindow& window, const Request& request) {
  const Ball& slots = x[m];
  if (const auto high = next_to_nothing(x, slots, window.most)) return Ball::hull(Ball(0), *high);
  const auto tails = [&](const checkin::KnownOthers<Ball>& others, double depth) {
    return chernoff_numbers(slots, others.mean, depth);
  };
  const double usual = x.has(delta) ? -log(x[delta]).midpoint() : 30;
  std::vector<Numbers> numbers;
  for (const auto& others : window.others) numbers.push_back(tails(others, std::min(700.0, usual + 10)));
  Ends worst =
      between(x, slots, window.attained, window.most, request, 2000, [&](const Ball& e, const AdaptiveEffort& with) {
        double least = 1;
        for (std::size_t i = 0; i < numbers.size(); ++i)
          least = std::min(least, numbers[i].lost + sampled_delta(x[eps0], window.others[i].population,
                                                                  numbers[i].most_first, e, with));
        return least * (1 + 1e-15);
      });
  worst.lower_to(by_blanket(x, slots, window.most, request));
  const Ball::Precision bits(64);
  worst.lower_to(within_work(
      request.work, [&] { return window.blanket(x).value; }, unknown<Ball>));
  return worst.hull();
}

Ball shuffle(const Values<Ball>& x, const Request& request) { return pivot(x, request).hull(); }

Ball shuffle_or_blanket(const Values<Ball>& x, const Request& request) {
  Ends ends = is_moderate(x) ? pivot(x, request) : at_most_alone(x, request);
  const auto nothing = next_to_nothing(x, x[n], Ball(1));
  ends.lower_to(nothing ? *nothing : by_blanket(x, x[n], Ball(1), request));
  return ends.hull();
}

}  // namespace epsilary::bounds::supremum
