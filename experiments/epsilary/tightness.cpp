// tightness: every analysis of a protocol between what it proves and what cannot be beaten; with a target, design.cpp.
#include "experiments/tightness/tightness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/core/registry.hpp"
#include "experiments/epsilary/inside.hpp"
#include "experiments/epsilary/protocols.hpp"
#include "experiments/sweep/order.hpp"
#include "experiments/tables/write.hpp"

namespace epsilary {
namespace {

using namespace bounds;
using experiments::Row;

std::string shown(const Ball& x, int digits, Rounding side) {
  return x.finite() ? decimal(x, digits, side) : std::string("inf");
}

std::string ratio(const Row& row, const Row* floor, int digits) {
  if (&row == floor) return "1";
  if (!floor || !answers(row) || !certainly(best_value(*floor) > 0)) return {};
  return shown(best_value(row) / best_value(*floor), std::min(digits, 4),
               row.bound->side == Side::upper ? Rounding::up : Rounding::down);
}

// A statement that nobody here vouches for, below what is proved to be needed.
bool is_refuted(const Row& row, const Row* floor) {
  return floor && row.bound->side == Side::upper && answers(row) && !guarantees(row) &&
         certainly(best_value(row) < best_value(*floor));
}

// What is proved from both sides, and in words.
Sandwich sandwich(const experiments::Protocol& protocol, const Row* above, const Row* below, Pairs where, int digits) {
  Sandwich out{.protocol = std::string(protocol.name), .where = std::move(where)};
  std::string at = out.protocol;
  for (const auto& [k, v] : out.where) at += fmt::format(" {}={}", k, v);
  out.upper = Number::none("no upper bound is a guarantee here");
  out.lower = Number::none("no lower bound is known here");
  if (above) {
    out.upper_by = above->bound->id;
    out.upper = {shown(best_value(*above), digits, Rounding::up), Number::Rounded::up};
  }
  if (below) {
    out.lower_by = below->bound->id;
    out.lower = {shown(best_value(*below), digits, Rounding::down), Number::Rounded::down};
  }
  if (above && below && certainly(best_value(*above) < best_value(*below))) {
    out.words = fmt::format("{}: contradiction: {} (upper, {}) is below {} (lower, {})", at, out.upper_by,
                            name(above->bound->standing), out.lower_by, name(below->bound->standing));
  } else if (above && below) {
    std::string by;
    if (certainly(best_value(*below) > 0))
      by = ", a factor of " + shown(best_value(*above) / best_value(*below), 4, Rounding::up);
    out.words = fmt::format("{}: epsilon is between {} ({}) and {} ({}){}", at, out.lower.text(), out.lower_by,
                            out.upper.text(), out.upper_by, by);
  } else if (above) {
    out.words =
        fmt::format("{}: epsilon is at most {} ({}); no lower bound is known here", at, out.upper.text(), out.upper_by);
  } else if (below) {
    out.words = fmt::format("{}: epsilon is at least {} ({}); no upper bound is a guarantee here", at, out.lower.text(),
                            out.lower_by);
  }
  return out;
}

void add(Tightness& out, const experiments::Protocol& protocol, std::vector<Row> rows,
         const std::vector<Param>& varies) {
  experiments::loosest_first(rows);
  const Row *above = tightest(rows, Side::upper), *below = tightest(rows, Side::lower);
  const Pairs where = values_at(rows.front().point, varies);
  const std::string name(protocol.name);
  for (const Row& row : rows) {
    Result result = to_result(describe(row, out.digits));
    if (is_refuted(row, below))
      result.reason += fmt::format("{}refuted here: {} is proved and is above it", result.reason.empty() ? "" : "; ",
                                   below->bound->id);
    out.analyses.push_back({name, where, std::move(result), ratio(row, below, out.digits)});
  }
  out.sandwiches.push_back(sandwich(protocol, above, below, where, out.digits));
  for (const experiments::Loss& loss : experiments::losses(protocol, rows))
    out.losses.push_back(
        {name,
         where,
         shown(loss.factor, 4, Rounding::up),
         {std::string(loss.slack->looser), std::string(loss.slack->tighter), std::string(loss.slack->replaced)}});
}

Error nothing_applies(const experiments::Protocol& protocol, const std::vector<const Bound*>& lacking,
                      const Point& point) {
  std::vector<Param> fewest;
  for (const Bound* b : lacking)
    if (const auto more = missing(*b, point); fewest.empty() || more.size() < fewest.size()) fewest = more;
  return {Problem::usage,
          fmt::format("no bound on the epsilon of {} applies; {} {} missing", protocol.name, keys(fewest),
                      fewest.size() == 1 ? "is" : "are"),
          fmt::format("for example: epsilary tightness {} {}", protocol.name, protocol.example)};
}

}  // namespace

Pairs question_of(const Statement& s) { return {{"adjacency", s.adjacency}, {"view", s.view}, {"unit", s.unit}}; }

std::vector<const experiments::Protocol*> protocols_given(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Protocol& p : protocols()) known.push_back(p.name);
  if (names.empty()) throw Error(Problem::usage, "no protocol is given", "the protocols are " + joined(known));
  refuse_unknown("protocol", names, known, "the protocols are " + joined(known));
  std::vector<const experiments::Protocol*> out;
  for (const std::string& name : names) out.push_back(experiments::protocol_named(name));
  return out;
}

Tightness tightness(const std::vector<std::string>& names, const Parameters& given, const Options& options) {
  const auto axes = axes_of(given);
  const Point first = experiments::first_point(axes);
  struct Part {
    const experiments::Protocol* protocol;
    std::vector<const Bound*> chosen;
  };
  std::vector<Part> parts;
  std::size_t evaluations = 0;
  for (const experiments::Protocol* protocol : protocols_given(names)) {
    Part part{protocol, {}};
    std::vector<const Bound*> lacking;
    part.chosen = experiments::statements(*protocol, first, &lacking);
    if (part.chosen.empty()) throw nothing_applies(*protocol, lacking, first);
    evaluations += part.chosen.size() * experiments::grid_size(axes);
    parts.push_back(std::move(part));
  }
  Tightness out;
  if (is_counted(options, evaluations, out)) return out;
  bool any = false;
  std::string reason;
  const Asked question = asked_of(options);
  for (const Part& part : parts)
    for (const Point& p : experiments::lay_grid(axes)) {
      std::vector<Row> rows;
      for (const Bound* b : part.chosen) rows.push_back({b, p, {}, question});
      run_rows(rows, options);
      any = any || std::ranges::any_of(rows, experiments::has_number);
      if (reason.empty()) reason = rows.front().evaluation.reason;
      add(out, *part.protocol, std::move(rows), varying(axes));
    }
  const auto& named = first.randomizer();
  const bool lacks_eps0 =
      named && !named->has_own_eps0() && named->kind != Randomizer::Kind::variation && !first.has(Param::eps0);
  if (!any && lacks_eps0)
    out.problem = Error(Problem::outside, "the randomizer's name does not tell its eps0, which is not given",
                        "add for example --eps0 1, or give its probabilities as a file");
  else if (!any)
    out.problem = Error(Problem::outside, reason, "no bound of the protocol has a number there");
  return out;
}

std::string write(const ProtocolReport& report, Format format, int digits) {
  if (format == Format::json) return experiments::write_report_json(digits, report.rows, report.slack, report.summary);
  const bool for_people = format != Format::csv;
  const auto table = [&](const std::vector<Pairs>& rows) {
    return write(
        experiments::table_of(rows, for_people ? std::vector<std::string>{"guarantee", "adjacency", "view", "unit"}
                                               : std::vector<std::string>{}),
        format, digits);
  };
  std::string out = table(report.rows);
  if (!for_people) return out;
  for (const std::string& sentence : report.summary) out += "\n" + sentence + "\n";
  if (!report.slack.empty())
    out += "\nwhere the slack is (the factor lost, and what is replaced by what):\n\n" + table(report.slack);
  return out + experiments::question_lines(report.statements);
}

std::string write(const Tightness& answer, Format format) {
  ProtocolReport report;
  const auto row = [](const std::string& protocol, const Pairs& where) {
    Pairs line{{"protocol", protocol}};
    line.insert(line.end(), where.begin(), where.end());
    return line;
  };
  for (const Analysis& a : answer.analyses) {
    const Statement& s = *a.result.statement;
    Pairs line = row(a.protocol, a.where);
    for (const Pairs& part : {Pairs{{"bound", s.id},
                                    {"side", s.side},
                                    {"standing", s.standing},
                                    {"status", a.result.status},
                                    {"epsilon", a.result ? a.result.value.text() : ""},
                                    {"ratio", a.ratio},
                                    {"notes", a.result.reason},
                                    {"guarantee", a.result.guarantee ? "true" : "false"}},
                              question_of(s)})
      line.insert(line.end(), part.begin(), part.end());
    report.rows.push_back(std::move(line));
    report.statements.push_back(&s);
  }
  for (const Sandwich& s : answer.sandwiches)
    if (!s.words.empty()) report.summary.push_back(s.words);
  for (const Loss& loss : answer.losses) {
    Pairs line = row(loss.protocol, loss.where);
    for (const auto& pair : Pairs{{"factor", loss.factor},
                                  {"from", loss.step.looser},
                                  {"to", loss.step.tighter},
                                  {"replaced", loss.step.replaced}})
      line.push_back(pair);
    report.slack.push_back(std::move(line));
  }
  return write(report, format, answer.digits);
}

}  // namespace epsilary
