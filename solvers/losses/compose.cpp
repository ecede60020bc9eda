#include "solvers/losses/compose.hpp"

#include <algorithm>

#include "solvers/losses/pairs/few_rounds.hpp"
#include "solvers/numbers/real.hpp"

namespace epsilary::solvers {
namespace {

constexpr double few = 100;  // rounds that are added pair by pair

// One round needs no composition: its delta is heavier - e^eps lighter.
Ball profile(const LossLaw& law, const Ball& eps) {
  const Tail tail = law.right.tail(eps);
  return tail.heavy - exp(eps) * tail.light;
}
Ball one_round_delta(const LossLaw& law, const Ball& eps, double width) {
  Ball best = unknown<Ball>();
  for (std::int64_t bits = 128; bits <= 1024 && !is_narrow(best, width); bits *= 2) {
    const Ball::Precision scope(bits);
    best = intersection(best, profile(law, eps));
  }
  return best;
}
// Its epsilon lies between two doubles, at the lower of which delta is proved to be exceeded and at the upper of which
// not.
Bracket one_round_epsilon(const LossLaw& law, const Ball& delta) {
  const Ball::Precision bits(128);
  const auto meets = [&](double eps) { return profile(law, Ball(eps)) <= delta; };
  if (certainly(meets(0))) return {0, 0};
  Bracket out{0, law.right.most > 0 ? law.right.most : 1};
  for (int i = 0; law.right.most <= 0 && i < 60 && !certainly(meets(out.upper)); ++i) {
    if (!possibly(meets(out.upper))) out.lower = out.upper;
    out.upper *= 2;
  }
  if (!certainly(meets(out.upper))) return {0, HUGE_VAL};
  double unmet = out.lower, met = out.upper;  // by what is proved, and by what is not excluded
  for (int i = 0; i < 60; ++i) {
    const double above = (unmet + out.upper) / 2, below = (out.lower + met) / 2;
    (certainly(meets(above)) ? out.upper : unmet) = above;
    (possibly(meets(below)) ? met : out.lower) = below;
  }
  return out;
}
Ball one_round(const LossLaw& law, const Target& target, double width) {
  return target.eps ? one_round_delta(law, *target.eps, width) : as_ball(one_round_epsilon(law, *target.delta));
}

Ball by_lattice(const LossLaw& law, double rounds, const Target& target, const Refinement& wanted) {
  return as_ball(target.delta ? composed_epsilon({{law, rounds}}, *target.delta, wanted)
                              : composed_delta({{law, rounds}}, *target.eps, wanted));
}
Ball by_pairs(const LossLaw& law, double rounds, const Target& target, const Request& request) {
  return as_ball(target.delta ? few_rounds_epsilon(law, rounds, *target.delta, request)
                              : few_rounds_delta(law, rounds, *target.eps, request));
}
Ball by_contour(const ComposedPair& pair, double rounds, const Target& target, const Request& request) {
  const MomentLaws laws = pair.moments(rounds);
  return target.delta ? contour_epsilon(laws, *target.delta, request) : contour_delta(laws, *target.eps, request);
}

// The contour integral where it is quick, and then to a millionth, which costs hardly more. Else few rounds pair by
// pair; then the contour integral at length, and the lattice. What one round costs all of them cost at least.
Ball composed(const ComposedPair& pair, double rounds, const Target& target, const Request& request) {
  const double width = 0.9 * request.width, at_first = std::min(request.work / 2, 3e8);
  const double narrow = request.width > 5e-3 ? request.width / 10 : std::min(width, 0.9e-6);
  Ball best = unknown<Ball>();
  const auto is_done = [&] {
    const Unlimited last;
    return is_narrow(best, request.width);
  };
  const auto try_too = [&](bool possible, auto tool) {
    if (possible && !is_done()) best = intersection(best, within_work(4 * request.work, tool, unknown<Ball>));
  };
  const bool has_moments = pair.moments != nullptr, has_law = pair.law.has_value();
  try_too(has_moments, [&] { return by_contour(pair, rounds, target, {narrow, at_first}); });
  const bool in_doubles = !best.finite() || target.delta || possibly(best.upper_end() >= Ball(1e-200));
  try_too(has_law && rounds <= few && in_doubles, [&] {
    return by_pairs(*pair.law, rounds, target, {width, request.work / 4});
  });
  // Of what is that small the first try has told what there is to tell for so little work.
  try_too(has_moments && (in_doubles || request.work > 4 * at_first), [&] {
    return by_contour(pair, rounds, target, {width, request.work});
  });
  try_too(has_law && in_doubles,
          [&] { return by_lattice(*pair.law, rounds, target, {.width = width, .work = request.work / 4}); });
  if (!has_law) return best;
  if (is_done() || !best.finite()) return best;
  const Ball once = within_work(
      request.work / 8, [&] { return one_round(*pair.law, target, 1e-3); }, unknown<Ball>);
  return once.finite() ? intersection(best, Ball::hull(once.lower_end(), max(once, best).upper_end())) : best;
}

Ball hull_of(const Bracket& below, const Bracket& above) { return as_ball({below.lower, above.upper}); }

// The lower end from the pair that is dominated, the upper end from the one that dominates.
Ball composed_between(const ComposedPair& pair, double rounds, const Target& target, const Request& request,
                      Promised promised) {
  constexpr double sketch = 5e-3;  // wider brackets are for searches: they need not be narrow
  const std::size_t most_points = request.width > sketch ? 1 << 16 : 1 << 20;
  const bool finer = promised == Promised::lower && target.delta && request.width < sketch;  // delta is dearer
  const Refinement wanted{.width = request.width / (finer ? 8 : 3), .most_points = most_points, .work = HUGE_VAL},
      above{.width = request.width / 6, .upper_only = true, .most_points = 2 * most_points, .work = HUGE_VAL};
  const auto of = [&](const LossLaw& law, const Refinement& refinement) {
    const WorkLimit half(4 * request.work);
    return target.delta ? composed_epsilon({{law, rounds}}, *target.delta, refinement)
                        : composed_delta({{law, rounds}}, *target.eps, refinement);
  };
  return hull_of(of(*pair.below, wanted), of(*pair.law, above));
}

}  // namespace

Ball compose(const ComposedPair& pair, double rounds, const Target& target, const Request& request, Promised promised) {
  if (!pair.below)
    return rounds <= 1 && pair.law ? one_round(*pair.law, target, request.width)
                                   : composed(pair, rounds, target, request);
  if (rounds > 1) return composed_between(pair, rounds, target, request, promised);
  const Ball low = one_round(*pair.below, target, request.width), high = one_round(*pair.law, target, request.width);
  return high.finite() ? Ball::hull(max(Ball(0), low.finite() ? low : Ball(0)), high) : high;
}

Ball compose(const std::vector<RepeatedPair>& pairs, const Target& target, const Request& request) {
  if (pairs.size() == 1) return compose(pairs.front().pair, pairs.front().rounds, target, request);
  const auto all = [&](auto has) { return std::ranges::all_of(pairs, has, &RepeatedPair::pair); };
  Ball best = unknown<Ball>();
  const auto try_too = [&](bool possible, auto tool) {
    if (possible && !is_narrow(best, request.width))
      best = intersection(best, within_work(4 * request.work, tool, unknown<Ball>));
  };
  try_too(all([](const ComposedPair& p) { return p.moments != nullptr; }), [&] {
    std::vector<MomentLaws> each;
    for (const auto& [pair, rounds] : pairs) each.push_back(pair.moments(rounds));
    const MomentLaws laws = [each](double log_neglected) {
      std::vector<MomentLaw> out;
      for (const MomentLaws& some : each)
        for (MomentLaw& law : some(log_neglected)) out.push_back(std::move(law));
      return out;
    };
    const Request wanted{0.9 * request.width, request.work};
    return target.delta ? contour_epsilon(laws, *target.delta, wanted) : contour_delta(laws, *target.eps, wanted);
  });
  try_too(all([](const ComposedPair& p) { return p.law.has_value(); }), [&] {
    std::vector<Repeated> laws;
    for (const auto& [pair, rounds] : pairs) laws.push_back({*pair.law, rounds});
    const Refinement wanted{.width = 0.9 * request.width, .work = request.work};
    return as_ball(target.delta ? composed_epsilon(laws, *target.delta, wanted)
                                : composed_delta(laws, *target.eps, wanted));
  });
  return best;
}

}  // namespace epsilary::solvers
