// eval: bounds at points; without an id, every bound that the given parameters allow.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bounds/core/registry.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/order.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;
using experiments::Record;
using experiments::Row;

struct Request {
  Options options;
  std::vector<std::string> ids;
};

// The statements that lack a parameter, by what they lack.
using Skipped = std::map<std::string, std::vector<std::string>>;

std::vector<const Bound*> applicable(const Point& point, Skipped& skipped) {
  std::vector<const Bound*> chosen;
  std::vector<std::string_view> seen;
  for (const Bound* b : all()) {
    if (std::ranges::count(seen, b->id)) continue;
    seen.push_back(b->id);
    if (const Bound* form = form_for(named(b->id), point))
      chosen.push_back(form);
    else
      skipped[keys(missing(*b, point))].emplace_back(b->id);
  }
  return chosen;
}

// Nearest first: what lacks one parameter before what lacks five; long lists are folded.
std::string skipped_text(const Skipped& skipped) {
  std::vector<const Skipped::value_type*> order;
  for (const auto& entry : skipped) order.push_back(&entry);
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

std::string write(const Request& request, const std::vector<Record>& records, const Skipped& skipped) {
  const auto provenance = experiments::provenance(request.options.digits);
  switch (format(request.options)) {
    case experiments::Format::json: {
      nlohmann::ordered_json rows = nlohmann::ordered_json::array(), left = nlohmann::ordered_json::array();
      for (const Record& r : records) rows.push_back(experiments::to_json(r));
      for (const auto& [lacking, ids] : skipped)
        for (const std::string& id : ids) left.push_back({{"bound", id}, {"needs", lacking}});
      nlohmann::ordered_json all_of{{"provenance", to_json(provenance)}, {"rows", rows}};
      if (request.ids.empty()) all_of["skipped"] = left;
      return all_of.dump(1) + "\n";
    }
    case experiments::Format::csv:
      return write_table(to_table(records), experiments::Format::csv, provenance);
    case experiments::Format::md:
      return write_records_text(records, true, false);
    case experiments::Format::text:
      break;
  }
  return write_records_text(records, false, color(request.options)) + skipped_text(skipped);
}

// The exit code of a whole answer: a number anywhere is an answer.
int verdict(const std::vector<Row>& rows) {
  if (rows.empty() || std::ranges::any_of(rows, experiments::has_number)) return done;
  const Row& first = rows.front();
  const bool is_outside = first.evaluation.status == Status::outside;
  return refuse(
      is_outside ? outside : unresolved, first.evaluation.reason,
      fmt::format("{}; see: epsilary show {}",
                  is_outside ? fmt::format("{} assumes it", first.bound->id) : "no row has a number", first.bound->id));
}

int run(const Request& request) {
  const auto given = axes(request.options);
  if (given.empty() && request.ids.empty())
    throw Refusal(usage, "no bound and no parameters are given",
                  "for example: epsilary eval --eps0 1 --n 1e4 --delta 1e-6");
  const std::size_t points = experiments::grid_size(given);
  Skipped skipped;
  std::vector<const Bound*> bounds_given;
  const Point first = experiments::first_point(given);
  if (request.ids.empty())
    bounds_given = applicable(first, skipped);
  else
    for (const std::string& id : request.ids) bounds_given.push_back(&form_given(id, first));
  if (is_dry_run(request.options, points * bounds_given.size())) return done;

  const Asked question = request.ids.empty() ? asked(request.options) : asked_by(bounds_given, asked(request.options));
  std::vector<Row> rows;
  for (const Point& p : experiments::lay_grid(given))
    for (const Bound* b : bounds_given) rows.push_back({b, p, {}, question});
  experiments::run(rows, accuracy(request.options), request.options.threads);
  if (points == 1 && request.ids.size() != 1) experiments::tightest_first(rows);
  std::vector<Record> records;
  for (const Row& row : rows) records.push_back(describe(row, request.options.digits));
  print(request.options, write(request, records, skipped));
  return verdict(rows);
}

}  // namespace

void add_eval(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("eval", "evaluate bounds at a point, tightest first");
  auto request = std::make_shared<Request>();
  command.add_option("bound", request->ids, "ids of bounds; none: every bound that applies");
  add_common_options(command, request->options);
  add_question_options(command, request->options);
  add_parameter_options(command, request->options);
  command.footer(R"(Examples:
  epsilary eval --eps0 1 --n 1e4 --delta 1e-6
  epsilary eval balle2020-thm3.2 --eps0 1e-6 --m 1e12 --p0 1e-3 --delta 1e-300 --digits 30

--delta is the whole delta: a bound that spends it in parts splits it and says how. A row is a guarantee when its
statement is proved or repaired, its number certified, and it answers the question: its neighbours are those asked
about and its delta_total is at most --delta.)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
