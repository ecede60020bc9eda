// Many points in columns: one statement at each, as rows, or in double without a struct for each.
#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <limits>

#include "bounds/core/double_walk.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/sweep/run.hpp"
#include "experiments/sweep/threads.hpp"

namespace epsilary {
namespace {

using namespace bounds;
using experiments::Axis;
using experiments::Row;

// A parameter that changes from point to point.
struct Lane {
  Param param;
  std::vector<Point::Shared> values;
  const std::vector<std::uint32_t>* at;
};

class Points {
 public:
  explicit Points(const Columns& given) {
    std::vector<Axis> first;
    Parameters fixed;
    for (const Column& c : given.columns) {
      refuse_misfit(c, given.points);
      if (c.at.empty()) {
        fixed.emplace_back(c.key, c.values.front());
        continue;
      }
      Lane lane{param_given(c.key), {}, &c.at};
      lane.values.reserve(c.values.size());
      for (const Value& v : c.values) lane.values.push_back(number(c.key, v));
      first.push_back({lane.param, {*lane.values[c.at.front()]}});
      lanes_.push_back(std::move(lane));
    }
    fixed_ = axes_of(fixed, false, false);
    if (experiments::grid_size(fixed_) != 1)
      throw Error(Problem::usage, "a grid is given where a point is asked for", "call evaluate_all for a grid");
    tied_ = std::ranges::any_of(fixed_, [](const Axis& a) { return !a.tie.empty(); });
    first.insert(first.end(), fixed_.begin(), fixed_.end());
    first_ = experiments::first_point(first);
  }

  const Point& first() const { return first_; }

  void read(std::size_t i, Point& point) const {
    if (tied_) {
      std::vector<Axis> axes = fixed_;
      for (const Lane& lane : lanes_) axes.push_back({lane.param, {*lane.values[(*lane.at)[i]]}});
      point = experiments::first_point(axes);
      return;
    }
    if (point.given().empty()) point = first_;
    for (const Lane& lane : lanes_) {
      const Point::Shared& value = lane.values[(*lane.at)[i]];
      if (&point[lane.param] != value.get()) point.set(lane.param, value);
    }
  }

 private:
  static void refuse_misfit(const Column& c, std::size_t points) {
    const bool known = std::ranges::all_of(c.at, [&](std::uint32_t i) { return i < c.values.size(); });
    if (c.values.empty() || (c.at.empty() ? c.values.size() != 1 : c.at.size() != points) || !known)
      throw Error(Problem::usage, fmt::format("{}: the column does not fit {} points", c.key, points),
                  "give one value, or the number of a value for every point", c.key);
  }
  static Point::Shared number(const std::string& key, const Value& value) {
    try {
      return std::make_shared<const Decimal>(value.text());
    } catch (const solvers::BadNumber& bad) {
      throw Error(
          Problem::usage, fmt::format("{}: {}", key, bad.what()),
          fmt::format("{}; for example {}", requirement(info(param_given(key))), info(param_given(key)).example), key);
    }
  }

  std::vector<Lane> lanes_;
  std::vector<Axis> fixed_;
  bool tied_ = false;
  Point first_;
};

}  // namespace

const std::vector<std::string>& statuses() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> out;
    for (const Status s : {Status::ok, Status::vacuous, Status::outside, Status::unresolved, Status::wide})
      out.emplace_back(name(s));
    return out;
  }();
  return list;
}

std::vector<Result> evaluate_points(const std::string& id, const Columns& given, const Options& options,
                                    const Watch& watch) {
  refuse_too_many(given.points);
  const Points points(given);
  std::vector<std::string> notes;
  const Bound& form = form_given(id, points.first(), notes);
  const Asked asked = asked_by({&form}, asked_of(options));
  std::vector<Row> rows(given.points, {&form, {}, {}, asked});
  for (std::size_t i = 0; i < rows.size(); ++i) points.read(i, rows[i].point);
  {
    Watched watched(watch, rows.size());
    run_rows(rows, options, {.done = &watched.done});
  }
  std::vector<Result> out;
  out.reserve(rows.size());
  for (const Row& row : rows) out.push_back(to_result(experiments::describe(row, options.digits)));
  return out;
}

Doubles evaluate_doubles(const std::string& id, const Columns& given, const Options& options, const Watch& watch) {
  const Points points(given);
  std::vector<std::string> notes;
  const Bound& form = form_given(id, points.first(), notes);
  Doubles out;
  out.statement = &statement_of(form);
  out.values.assign(given.points, std::numeric_limits<double>::quiet_NaN());
  out.status.assign(given.points, static_cast<std::uint8_t>(Status::outside));
  if (!other_question(form, asked_by({&form}, asked_of(options))).empty()) return out;
  struct Walk {
    DoubleWalk walk;
    Point point;
  };
  oneapi::tbb::enumerable_thread_specific<Walk> walks;
  Watched watched(watch, given.points);
  const auto some = [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
    Walk& here = walks.local();
    const solvers::Haltable haltable(options.stop);
    if (options.stop && *options.stop) throw solvers::Halted();
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      points.read(i, here.point);
      const DoubleEvaluation e = here.walk.evaluate(form, here.point);
      out.status[i] = static_cast<std::uint8_t>(e.status);
      if (e.has_number()) out.values[i] = e.answer().value;
    }
    watched.done.fetch_add(range.size(), std::memory_order_relaxed);
  };
  constexpr std::size_t grain = 512;
  stoppable(options.stop, [&] {
    if (options.threads == 1 || given.points < 4 * grain) {
      for (std::size_t i = 0; i < given.points; i += grain) some({i, std::min(i + grain, given.points)});
      return;
    }
    experiments::with_threads(options.threads, [&] {
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, given.points, grain), some);
    });
  });
  return out;
}

}  // namespace epsilary
