// evaluate: statements at points; without an id, every statement that the given parameters allow.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "bounds/core/registry.hpp"
#include "experiments/epsilary/inside.hpp"
#include "experiments/sweep/order.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_json.hpp"

namespace epsilary {
namespace {

using namespace bounds;
using experiments::Row;

std::vector<const Bound*> applicable(const Point& point, std::vector<Skipped>& skipped) {
  std::vector<const Bound*> chosen;
  std::vector<std::string_view> seen;
  for (const Bound* b : all()) {
    if (std::ranges::count(seen, b->id)) continue;
    seen.push_back(b->id);
    if (const Bound* form = form_for(named(b->id), point))
      chosen.push_back(form);
    else
      skipped.push_back({std::string(b->id), keys(missing(*b, point))});
  }
  std::ranges::stable_sort(skipped, {}, &Skipped::needs);
  return chosen;
}

// What a row may cost where no statement is named, about two seconds of computing: what takes longer says so, and that
// --patience allows more.
constexpr double quick_work = 3e8, no_limit = std::numeric_limits<double>::infinity();

// A number anywhere is an answer.
std::optional<Error> verdict(const std::vector<Row>& rows) {
  if (rows.empty() || std::ranges::any_of(rows, experiments::has_number)) return {};
  const Row& first = rows.front();
  if (first.evaluation.status == Status::outside) return assumes(*first.bound, first.evaluation.reason);
  return Error(Problem::unresolved, first.evaluation.reason,
               fmt::format("no row has a number; see: epsilary show {}", first.bound->id));
}

// Nearest first: what lacks one parameter before what lacks five; long lists are folded.
std::string skipped_text(const std::vector<Skipped>& skipped) {
  std::map<std::string, std::vector<std::string>> by_need;
  for (const Skipped& s : skipped) by_need[s.needs].push_back(s.id);
  std::vector<const decltype(by_need)::value_type*> order;
  for (const auto& entry : by_need) order.push_back(&entry);
  std::ranges::stable_sort(order, {}, [](const auto* e) { return std::ranges::count(e->first, ','); });
  std::string out;
  for (const auto* entry : order) {
    std::string line = fmt::format("  {:<27}", entry->first);
    for (const std::string& id : entry->second) {
      if (line.size() + id.size() > 110) {
        out += line + "\n";
        line = std::string(29, ' ');
      }
      line += " " + id;
    }
    out += line + "\n";
  }
  return out.empty() ? out : "\nnot evaluated, because they also need:\n" + out;
}

}  // namespace

Evaluations evaluate_all(const std::vector<std::string>& ids, const Parameters& given, const Options& options) {
  const auto axes = axes_of(given);
  if (axes.empty() && ids.empty())
    throw Error(Problem::usage, "no bound and no parameters are given",
                "for example: epsilary eval --eps0 1 --n 1e4 --delta 1e-6");
  Evaluations out;
  out.all_statements = ids.empty();
  const std::size_t points = experiments::grid_size(axes);
  std::vector<const Bound*> chosen;
  const Point first = experiments::first_point(axes);
  if (ids.empty())
    chosen = applicable(first, out.skipped);
  else
    for (const std::string& id : ids) chosen.push_back(&form_given(id, first, out.notes));
  accuracy_of(options);  // refuses them first
  const Asked question = ids.empty() ? asked_of(options) : asked_by(chosen, asked_of(options));
  if (is_counted(options, points * chosen.size(), out)) return out;

  std::vector<Row> rows;
  for (const Point& p : experiments::lay_grid(axes))
    for (const Bound* b : chosen) rows.push_back({b, p, {}, question});
  run_rows(rows, options, {.work = ids.empty() ? quick_work * accuracy_of(options).patience : no_limit});
  if (points == 1 && ids.size() != 1) experiments::tightest_first(rows);
  for (const Row& row : rows) out.results.push_back(to_result(experiments::describe(row, options.digits)));
  out.problem = verdict(rows);
  return out;
}

Result evaluate(const std::string& id, const Parameters& given, const Options& options) {
  Evaluations all = evaluate_all({id}, given, options);
  if (all.results.size() != 1)
    throw Error(Problem::usage, fmt::format("{} points are given where one is asked for", all.results.size()),
                "give one value to every parameter, or call evaluate_all");
  return std::move(all.results.front());
}

std::vector<Result> evaluate_points(const std::string& id, const std::vector<Parameters>& points,
                                    const Options& options) {
  std::vector<Row> rows;
  std::vector<std::string> notes;
  for (const Parameters& given : points) {
    const auto axes = axes_of(given);
    if (experiments::grid_size(axes) != 1)
      throw Error(Problem::usage, "a grid is given where a point is asked for", "call evaluate_all for a grid");
    const Point point = experiments::first_point(axes);
    Row& row = rows.emplace_back();
    row.bound = &form_given(id, point, notes);
    row.point = point;
    row.asked = asked_by({row.bound}, asked_of(options));
  }
  run_rows(rows, options);
  std::vector<Result> out;
  for (const Row& row : rows) out.push_back(to_result(experiments::describe(row, options.digits)));
  return out;
}

std::string write(const Evaluations& answer, Format format, bool color) {
  switch (format) {
    case Format::json: {
      nlohmann::ordered_json all = experiments::envelope(answer.digits, experiments::to_json(answer.results));
      if (answer.all_statements) {
        nlohmann::ordered_json left = nlohmann::ordered_json::array();
        for (const Skipped& s : answer.skipped) left.push_back({{"bound", s.id}, {"needs", s.needs}});
        all["skipped"] = left;
      }
      return experiments::printed(all);
    }
    case Format::csv: return write(experiments::to_table(answer.results), Format::csv, answer.digits);
    case Format::md:
      return experiments::write_results_text(answer.results, {.markdown = true, .by_protocol = answer.all_statements});
    case Format::text: break;
  }
  return experiments::write_results_text(answer.results, {.color = color, .by_protocol = answer.all_statements}) +
         skipped_text(answer.skipped);
}

}  // namespace epsilary
