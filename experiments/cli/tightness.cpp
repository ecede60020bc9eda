// tightness: every analysis of a protocol between what it proves and what cannot be beaten; with a target, see
// design.cpp.
#include "experiments/cli/tightness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bounds/core/registry.hpp"
#include "experiments/order.hpp"
#include "experiments/similar.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;
using experiments::Pairs;
using experiments::Protocol;
using experiments::Row;

std::string shown(const Ball& x, int digits, Rounding side) {
  return x.finite() ? decimal(x, digits, side) : std::string("inf");
}

Pairs given_params(const Point& point, const std::vector<Param>& varying) {
  Pairs out;
  for (const Param p : varying) out.emplace_back(key(p), point.text(p));
  return out;
}

Pairs table_row(const Row& row, const Row* floor, int digits) {
  const auto record = describe(row, digits);
  std::string ratio;
  if (&row == floor)
    ratio = "1";
  else if (floor && answers(row) && certainly(best_value(*floor) > 0))
    ratio = shown(best_value(row) / best_value(*floor), std::min(digits, 4),
                  row.bound->side == Side::upper ? Rounding::up : Rounding::down);
  return {{"bound", std::string(row.bound->id)},
          {"side", std::string(name(row.bound->side))},
          {"standing", std::string(name(row.bound->standing))},
          {"status", record.status},
          {"epsilon", record.value},
          {"ratio", ratio},
          {"notes", whole_note(record)},
          {"guarantee", record.guarantee ? "true" : "false"}};
}

void add_sandwich(TightnessReport& report, const Protocol& protocol, std::vector<Row> rows,
                  const std::vector<Param>& varying, int digits) {
  experiments::loosest_first(rows);
  const Row *above = tightest(rows, Side::upper), *below = tightest(rows, Side::lower);
  for (const Row& row : rows) {
    Pairs line{{"protocol", std::string(protocol.name)}};
    for (const Pairs& part : {given_params(row.point, varying), table_row(row, below, digits), question_of(*row.bound)})
      line.insert(line.end(), part.begin(), part.end());
    report.rows.push_back(std::move(line));
    report.bounds.push_back(row.bound);
  }
  std::string where;
  for (const auto& [k, v] : given_params(rows.front().point, varying)) where += fmt::format(" {}={}", k, v);
  if (above && below && certainly(best_value(*above) < best_value(*below))) {
    report.sentences.push_back(fmt::format("{}{}: contradiction: {} (upper, {}) is below {} (lower, {})", protocol.name,
                                           where, above->bound->id, name(above->bound->standing), below->bound->id,
                                           name(below->bound->standing)));
  } else if (above && below) {
    std::string by;
    if (certainly(best_value(*below) > 0))
      by = ", a factor of " + shown(best_value(*above) / best_value(*below), 4, Rounding::up);
    report.sentences.push_back(fmt::format("{}{}: epsilon is between {} ({}) and {} ({}){}", protocol.name, where,
                                           shown(best_value(*below), digits, Rounding::down), below->bound->id,
                                           shown(best_value(*above), digits, Rounding::up), above->bound->id, by));
  } else if (above) {
    report.sentences.push_back(fmt::format("{}{}: epsilon is at most {} ({}); no lower bound is known here",
                                           protocol.name, where, shown(best_value(*above), digits, Rounding::up),
                                           above->bound->id));
  } else if (below) {
    report.sentences.push_back(fmt::format("{}{}: epsilon is at least {} ({}); no upper bound is a guarantee here",
                                           protocol.name, where, shown(best_value(*below), digits, Rounding::down),
                                           below->bound->id));
  }
  for (const auto& loss : experiments::losses(protocol, rows)) {
    Pairs line{{"protocol", std::string(protocol.name)}};
    for (auto& pair : given_params(rows.front().point, varying)) line.push_back(pair);
    for (auto& pair : Pairs{{"factor", shown(loss.factor, 4, Rounding::up)},
                            {"from", std::string(loss.slack->looser)},
                            {"to", std::string(loss.slack->tighter)},
                            {"replaced", std::string(loss.slack->replaced)}})
      line.push_back(pair);
    report.slack.push_back(std::move(line));
  }
}

experiments::Table table_of(const std::vector<Pairs>& rows, bool for_people) {
  experiments::Table table;
  if (rows.empty()) return table;
  const auto shows = [&](const std::string& column) {
    return !for_people || (column != "guarantee" && column != "adjacency" && column != "view" && column != "unit");
  };
  for (const auto& [column, value] : rows.front())
    if (shows(column)) table.columns.push_back(column);
  for (const Pairs& row : rows) {
    table.rows.emplace_back();
    for (const auto& [column, value] : row)
      if (shows(column)) table.rows.back().push_back(value);
  }
  return table;
}

// Every parameter that varies over the grid.
std::vector<Param> varying_of(const std::vector<experiments::Axis>& given) {
  std::vector<Param> out;
  for (const auto& axis : given)
    if (axis.size() > 1) out.push_back(axis.param);
  return out;
}

[[noreturn]] void refuse_nothing_applies(const Protocol& protocol, const std::vector<const Bound*>& lacking,
                                         const Point& point) {
  std::size_t fewest = 100;
  std::string words;
  for (const Bound* b : lacking)
    if (const auto more = missing(*b, point); more.size() < fewest) {
      fewest = more.size();
      words = keys(more);
    }
  throw Refusal(usage, fmt::format("no bound on the epsilon of {} applies; {} is missing", protocol.name, words),
                fmt::format("for example: epsilary tightness {} {}", protocol.name, protocol.example));
}

int sandwich(const TightnessRequest& request) {
  const auto given = axes(request.options);
  const Point first = experiments::first_point(given);
  struct Part {
    const Protocol* protocol;
    std::vector<const Bound*> chosen;
  };
  std::vector<Part> parts;
  std::size_t evaluations = 0;
  for (const std::string& name_ : request.protocols) {
    Part part{&protocol_given(name_), {}};
    std::vector<const Bound*> lacking;
    part.chosen = experiments::statements(*part.protocol, first, &lacking);
    if (part.chosen.empty()) refuse_nothing_applies(*part.protocol, lacking, first);
    evaluations += part.chosen.size() * experiments::grid_size(given);
    parts.push_back(std::move(part));
  }
  if (is_dry_run(request.options, evaluations)) return done;
  TightnessReport report;
  bool any = false;
  std::string reason;
  const Asked question = asked(request.options);
  for (const Part& part : parts)
    for (const Point& p : experiments::lay_grid(given)) {
      std::vector<Row> rows;
      for (const Bound* b : part.chosen) rows.push_back({b, p, {}, question});
      experiments::run(rows, accuracy(request.options), request.options.threads);
      any = any || std::ranges::any_of(rows, experiments::has_number);
      if (reason.empty()) reason = rows.front().evaluation.reason;
      add_sandwich(report, *part.protocol, std::move(rows), varying_of(given), request.options.digits);
    }
  print(request.options, write(request.options, report));
  if (any) return done;
  throw Refusal(outside, reason, "no bound of the protocol has a number there");
}

}  // namespace

Pairs question_of(const Bound& b) {
  return {{"adjacency", std::string(name(b.adjacency))},
          {"view", std::string(name(b.view))},
          {"unit", experiments::unit(b)}};
}

const Protocol& protocol_given(const std::string& name) {
  if (const Protocol* p = experiments::protocol_named(name)) return *p;
  std::vector<std::string> names;
  for (const Protocol& p : experiments::protocols()) names.emplace_back(p.name);
  const auto close = experiments::similar(name, names);
  throw Refusal(
      usage, fmt::format("unknown protocol '{}'{}", name, close.empty() ? "" : "; did you mean " + close.front() + "?"),
      "the protocols are " + quoted_list(names));
}

std::string write(const Options& options, const TightnessReport& report) {
  const auto provenance = experiments::provenance(options.digits);
  if (format(options) == experiments::Format::json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array(), slack = rows;
    for (const Pairs& r : report.rows) rows.push_back(experiments::to_json(r));
    for (const Pairs& r : report.slack) slack.push_back(experiments::to_json(r));
    return nlohmann::ordered_json{
               {"provenance", to_json(provenance)}, {"rows", rows}, {"slack", slack}, {"summary", report.sentences}}
               .dump(1) +
           "\n";
  }
  const bool for_people = format(options) != experiments::Format::csv;
  std::string out = write_table(table_of(report.rows, for_people), format(options), provenance);
  if (!for_people) return out;
  for (const std::string& sentence : report.sentences) out += "\n" + sentence + "\n";
  if (!report.slack.empty())
    out += "\nwhere the slack is (the factor lost, and what is replaced by what):\n\n" +
           write_table(table_of(report.slack, true), format(options), provenance);
  return out + experiments::question_lines(report.bounds);
}

void add_tightness(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("tightness", "every analysis of a protocol, from the loosest to what cannot be beaten");
  auto request = std::make_shared<TightnessRequest>();
  std::string names;
  for (const Protocol& p : experiments::protocols()) names += (names.empty() ? "" : ", ") + std::string(p.name);
  command.add_option("protocol", request->protocols, "one or more of: " + names)->required()->expected(1, 1000);
  command.add_option("--for", request->unknown, "the parameter each analysis is asked for, with --target");
  command.add_option("--target", request->target, "the epsilon to be met");
  add_common_options(command, request->options);
  add_question_options(command, request->options);
  add_parameter_options(command, request->options);
  command.footer(R"(Examples:
  epsilary tightness shuffle --eps0 1 --n 1e4 --delta 1e-6
  epsilary tightness shuffle checkin-sliding --for eps0 --target 0.1 --n 1e4 --m 1e4 --delta 1e-6)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    if (request->unknown.empty() && !request->target.empty())
      throw Refusal(usage, "--target needs --for", "for example --for eps0 --target 0.1");
    code = request->unknown.empty() ? sandwich(*request) : design(*request);
  });
}

}  // namespace epsilary::cli
