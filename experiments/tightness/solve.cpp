#include "experiments/tightness/solve.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "bounds/core/double_walk.hpp"
#include "bounds/core/hypotheses.hpp"
#include "bounds/core/units.hpp"
#include "experiments/sweep/threads.hpp"
#include "solvers/numbers/halt.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

bool contains(const std::vector<Param>& list, const Bound& b, Param p) {
  return std::ranges::find(list, read_as(b, p).value_or(p)) != list.end();
}
bool falls_in(const Bound& b, Param p) { return contains(b.falls, b, p) || turns_in(b, p); }

// The excess of the bound over its target along the unknown, on logarithmic scales, where bounds are nearly lines.
class Excess {
 public:
  Excess(const Bound& bound, const Point& point, Param unknown, const Decimal& target, const Accuracy& accuracy)
      : bound_(bound),
        at_(point),
        unknown_(unknown),
        target_(from_rational<double>(target.exact())),
        asked_(request_for(bound, accuracy)) {}

  // In double, and of a bracket a sketch; nothing outside the hypotheses or the range of a double.
  std::optional<double> quick(double u) {
    if (!move_to(u)) return {};
    if (bound_.evaluate.bracket) return bracketed(rough_request(bound_));
    const DoubleEvaluation e = walk_.evaluate(bound_, at_);
    return e.has_number() ? above_target(e.answer().value) : std::nullopt;
  }
  // Of the end that has to meet the target, as it will be tested.
  std::optional<double> tested(double u) { return move_to(u) ? bracketed(asked_) : std::nullopt; }
  // The relative width of the last bracket tested.
  double width() const { return width_; }

 private:
  std::optional<double> bracketed(const Request& request) {
    const Answer<Ball> answer = bracket_at(bound_, in_own_units(bound_, at_), request);
    if (!answer.refused.empty()) return {};
    const Ball& value = answer.value;
    width_ = (value.upper() - value.lower()) / value.upper();
    return above_target(bound_.side == Side::lower ? std::max(0.0, value.lower()) : value.upper());
  }
  bool move_to(double u) {
    const Range range = info(unknown_).domain.range();
    double x = std::exp(u);
    if (range.integer && x < 0x1p53) x = std::max(1.0, std::round(x));
    if (!std::isfinite(x) || !(x > 0)) return false;
    at_.set(unknown_, Decimal::nearest(x, 17));
    return broken_hypothesis(bound_, at_).empty();
  }
  std::optional<double> above_target(double value) const {
    const double excess = value > 0 && target_ > 0 ? std::log(value / target_) : value - target_;
    return std::isfinite(excess) ? std::optional(excess) : std::nullopt;
  }

  const Bound& bound_;
  Point at_;
  Param unknown_;
  double target_, width_ = 0;
  Request asked_;
  DoubleWalk walk_;
};

struct Known {
  double u, excess;
};

// Two places with the crossing between them, from `start` in growing strides toward it, so that no
// place far beyond it is visited. Where the statement ends before, the last place inside it stands for both.
std::optional<std::pair<Known, Known>> straddle(Excess& excess, double start, bool rises) {
  const double decade = std::log(10.0);
  std::optional<Known> inside;
  for (int k = 0; k < 13 && !inside; ++k) {  // 0, +1, -1, +2, ... decades
    const double u = start + decade * (k % 2 ? (k + 1) / 2 : -k / 2);
    if (const auto e = excess.quick(u)) inside = {u, *e};
  }
  if (!inside) return {};
  const double direction = (inside->excess > 0) == rises ? -1 : 1;
  bool ended = false;
  for (double stride = decade / 3; stride > 1e-3;) {
    const double u = inside->u + direction * stride;
    const auto e = std::abs(u) < 700 ? excess.quick(u) : std::nullopt;
    if (!e) {
      stride /= 2;
      ended = true;
      continue;
    }
    if ((*e > 0) != (inside->excess > 0)) return std::pair{*inside, Known{u, *e}};
    if (!ended) stride *= 1.5;
    inside = {u, *e};
  }
  return std::pair{*inside, *inside};
}

// Where the bound crosses the target: a place to start, not an answer. And the relative width of a bracket there.
struct Guess {
  std::optional<double> at = {};
  double width = 0;
};
Guess guess(const Bound& bound, const Point& point, Param unknown, const Decimal& target, const Accuracy& accuracy) {
  Excess excess(bound, point, unknown, target, accuracy);
  const auto ends = straddle(excess, std::log(from_rational<double>(Decimal(info(unknown).example).exact())),
                             rises_in(bound, unknown));
  if (!ends) return {};
  auto [a, b] = *ends;
  const bool dear = bound.evaluate.bracket != nullptr;
  const double close = dear ? bound.width / 4 : 1e-14;
  // The secant, with the end that stays counted half (Illinois).
  double slope = 0, u = a.u;
  for (int i = 0; i < 80 && std::abs(b.u - a.u) > close; ++i) {
    slope = (b.excess - a.excess) / (b.u - a.u);
    u = a.u - a.excess / slope;
    const auto e = excess.quick(u);
    if (!e) return {std::exp(a.u)};
    const bool near = std::abs(*e / slope) < close;
    if ((*e > 0) != (b.excess > 0))
      a = b;
    else
      a.excess /= 2;
    b = {u, *e};
    if (near) break;
  }
  // A sketch is off by its width: the bracket itself is asked where its end crosses.
  for (int i = 0; dear && slope != 0 && i < 4; ++i) {
    const auto e = excess.tested(u);
    if (!e) break;
    u -= *e / slope;
    if (std::abs(*e / slope) < std::max(excess.width() / 4, std::pow(10.0, -accuracy.digits))) break;
  }
  return {std::exp(u), excess.width()};
}

}  // namespace

bool rises_in(const Bound& b, Param p) { return contains(b.rises, b, p); }
bool turns_in(const Bound& b, Param p) { return contains(b.turns, b, p); }
bool is_monotone_in(const Bound& b, Param p) { return rises_in(b, p) || falls_in(b, p); }

Inversion solve(const Bound& bound, const Point& point, Param unknown, const Decimal& target, int digits,
                double patience) {
  const Accuracy accuracy{.digits = digits, .patience = patience};
  const bool below = bound.side != Side::lower;
  const Rounding safe = falls_in(bound, unknown) == below ? Rounding::up : Rounding::down;
  const std::int64_t first = 64 + bits_for(digits);
  const auto holds = [&](const Decimal& x) -> std::optional<bool> {
    Point at = point;
    at.set(unknown, x);
    if (!broken_hypothesis(bound, at).empty()) return false;
    at = in_own_units(bound, at);
    const auto meets = [&](const Answer<Ball>& answer) {
      if (!answer.refused.empty() || !spends_within(answer, at)) return solvers::Truth::when(false, true);
      const Ball wanted(target.exact());
      return below ? capped(answer) <= wanted : answer.value >= wanted;  // a ceiling is promised too
    };
    // As it is shown; inside the bracket it is not proved, so not safe.
    if (bound.evaluate.bracket) return certainly(meets(bracket_at(bound, at, request_for(bound, accuracy))));
    return solvers::within_work(
        closed_form_work(accuracy),
        [&]() -> std::optional<bool> {
          for (std::int64_t bits = first; bits <= 1 << 14; bits *= 2) {
            const Ball::Precision scope(bits);
            const solvers::Truth truth = meets(bound.evaluate.in_ball(Values<Ball>(as_read_by(bound, at))));
            if (!undecided(truth)) return certainly(truth);
          }
          return {};
        },
        [] { return std::nullopt; });
  };
  const Ball::Precision scope(first);
  const Guess start = guess(bound, point, unknown, target, accuracy);
  Range range = info(unknown).domain.range();
  if (start.width > std::pow(10.0, -digits)) {  // a bracket cannot tell more digits of the unknown than it has itself
    digits = std::min(digits, 1 + static_cast<int>(std::ceil(-std::log10(std::min(start.width, 0.1)))));
    range.coarse = true;
  }
  Inversion found = invert(holds, range, safe, digits, start.at);
  // A bound that turns has its least where the guess stopped, not at the end of the range.
  if (found.status == Inverted::nowhere && turns_in(bound, unknown) && start.at)
    found.value = Decimal::nearest(range.integer ? std::max(1.0, std::round(*start.at)) : *start.at, 12);
  return found;
}

void solve(std::vector<Question>& questions, const Point& point, Param unknown, const Decimal& target,
           const Accuracy& accuracy, int threads, const std::atomic<bool>* stop) {
  with_threads(threads, [&] {
    tbb::parallel_for(std::size_t{0}, questions.size(), [&](std::size_t i) {
      const solvers::Haltable haltable(stop);
      tbb::this_task_arena::isolate([&] {  // as rows are run
        questions[i].answer = solve(*questions[i].bound, point, unknown, target, accuracy.digits, accuracy.patience);
      });
    });
  });
}

}  // namespace epsilary::experiments
