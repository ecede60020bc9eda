// tightness: every analysis of a protocol between what it proves and what cannot be beaten; or, with a target, what
// each analysis admits.
#include "experiments/tightness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bounds/registry.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/order.hpp"
#include "experiments/similar.hpp"
#include "experiments/solve.hpp"
#include "experiments/write_json.hpp"

namespace cli {
namespace {

using namespace bounds;
using experiments::Pairs;
using experiments::Protocol;
using experiments::Row;

struct Request {
  Options options;
  std::vector<std::string> protocols;
  std::string unknown, target;
};

// What is written: rows of named columns, and sentences.
struct Report {
  std::vector<Pairs> rows, slack;
  std::vector<std::string> sentences;
};

const Protocol& protocol_given(const std::string& name) {
  if (const Protocol* p = experiments::protocol_named(name)) return *p;
  std::vector<std::string> names;
  for (const Protocol& p : experiments::protocols()) names.emplace_back(p.name);
  const auto close = experiments::similar(name, names);
  throw Refusal(
      usage, fmt::format("unknown protocol '{}'{}", name, close.empty() ? "" : "; did you mean " + close.front() + "?"),
      "the protocols are " + quoted_list(names));
}

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
  else if (floor && experiments::has_number(row) && best_value(*floor) > 0)
    ratio = shown(best_value(row) / best_value(*floor), std::min(digits, 4),
                  row.bound->side == Side::upper ? Rounding::up : Rounding::down);
  return {{"bound", std::string(row.bound->id)},
          {"side", std::string(name(row.bound->side))},
          {"standing", std::string(name(row.bound->standing))},
          {"status", record.status},
          {"epsilon", record.value},
          {"ratio", ratio},
          {"notes", record.note}};
}

void add_sandwich(Report& report, const Protocol& protocol, std::vector<Row> rows, const std::vector<Param>& varying,
                  int digits) {
  experiments::loosest_first(rows);
  const Row *above = tightest(rows, Side::upper), *below = tightest(rows, Side::lower);
  for (const Row& row : rows) {
    Pairs line{{"protocol", std::string(protocol.name)}};
    for (const Pairs& part : {given_params(row.point, varying), table_row(row, below, digits)})
      line.insert(line.end(), part.begin(), part.end());
    report.rows.push_back(std::move(line));
  }
  std::string where;
  for (const auto& [k, v] : given_params(rows.front().point, varying)) where += fmt::format(" {}={}", k, v);
  if (above && below && best_value(*above) < best_value(*below)) {
    report.sentences.push_back(fmt::format("{}{}: contradiction: {} (upper, {}) is below {} (lower, {})", protocol.name,
                                           where, above->bound->id, name(above->bound->standing), below->bound->id,
                                           name(below->bound->standing)));
  } else if (above && below) {
    std::string by;
    if (best_value(*below) > 0) by = ", a factor of " + shown(best_value(*above) / best_value(*below), 4, Rounding::up);
    report.sentences.push_back(fmt::format("{}{}: epsilon is between {} ({}) and {} ({}){}", protocol.name, where,
                                           shown(best_value(*below), digits, Rounding::down), below->bound->id,
                                           shown(best_value(*above), digits, Rounding::up), above->bound->id, by));
  } else if (above) {
    report.sentences.push_back(fmt::format("{}{}: epsilon is at most {} ({}); no lower bound is known here",
                                           protocol.name, where, shown(best_value(*above), digits, Rounding::up),
                                           above->bound->id));
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

experiments::Table table_of(const std::vector<Pairs>& rows) {
  experiments::Table table;
  if (rows.empty()) return table;
  for (const auto& [column, value] : rows.front()) table.columns.push_back(column);
  for (const Pairs& row : rows) {
    table.rows.emplace_back();
    for (const auto& [column, value] : row) table.rows.back().push_back(value);
  }
  return table;
}

std::string write(const Options& options, const Report& report) {
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
  std::string out = write_table(table_of(report.rows), format(options), provenance);
  if (format(options) == experiments::Format::csv) return out;
  for (const std::string& sentence : report.sentences) out += "\n" + sentence + "\n";
  if (!report.slack.empty())
    out += "\nwhere the slack is (the factor lost, and what is replaced by what):\n\n" +
           write_table(table_of(report.slack), format(options), provenance);
  return out;
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

int sandwich(const Request& request) {
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
  Report report;
  bool any = false;
  std::string reason;
  for (const Part& part : parts)
    for (const Point& p : experiments::lay_grid(given)) {
      std::vector<Row> rows;
      for (const Bound* b : part.chosen) rows.push_back({b, p, {}});
      experiments::run(rows, accuracy(request.options), request.options.threads);
      any = any || std::ranges::any_of(rows, experiments::has_number);
      if (reason.empty()) reason = rows.front().evaluation.reason;
      add_sandwich(report, *part.protocol, std::move(rows), varying_of(given), request.options.digits);
    }
  print(request.options, write(request.options, report));
  if (any) return done;
  throw Refusal(outside, reason, "no bound of the protocol has a number there");
}

// What a statement admits: the value of the unknown closest to breaking the target; or why it was not asked.
struct Admitted {
  const Protocol* protocol;
  std::shared_ptr<const Bound> bound;
  std::string unasked;
  Inversion inversion;
};

std::string_view says(const Admitted& a) {
  if (!a.unasked.empty()) return "not asked";
  switch (a.inversion.status) {
    case Inverted::found:
      return "found";
    case Inverted::everywhere:
      return "everywhere";
    case Inverted::nowhere:
      return "unreachable";
    case Inverted::undecided:
      break;
  }
  return "unresolved";
}

bool is_found(const Admitted& a) {
  return a.unasked.empty() && (a.inversion.status == Inverted::found || a.inversion.status == Inverted::everywhere);
}

// Why there is no value, or what ends it.
std::string remark(const Admitted& a, Point point, Param unknown) {
  if (!a.unasked.empty()) return a.unasked;
  const auto there = [&](const Decimal& x) {
    point.set(unknown, x);
    return broken_hypothesis(*a.bound, point);
  };
  const std::string tried = fmt::format("{} = {}", key(unknown), a.inversion.value.text());
  switch (a.inversion.status) {
    case Inverted::found:
      return a.inversion.beyond ? there(*a.inversion.beyond) : "";
    case Inverted::everywhere:
      return fmt::format("at every {} it admits", key(unknown));
    case Inverted::nowhere:
      if (const std::string broken = there(a.inversion.value); !broken.empty()) return broken;
      return fmt::format("not even at {}: change another parameter or the target", tried);
    case Inverted::undecided:
      break;
  }
  return fmt::format("could not be decided at {}: use another number of --digits", tried);
}

// What allows most first: the largest value of a parameter the bound rises in, the smallest of one it falls in.
void most_admitting_first(std::vector<Admitted>& list, Param unknown) {
  const auto rank = [&](const Admitted& a) {
    const double x = from_rational<double>(a.inversion.value.exact());
    // A lower bound that is reached early forbids most.
    const bool downwards = (std::ranges::count(a.bound->rises, unknown) > 0) == (a.bound->side == Side::upper);
    return std::tuple(a.bound->side, !a.unasked.empty(), !is_found(a), !is_guarantee(*a.bound), downwards ? -x : x);
  };
  std::ranges::stable_sort(list, [&](const Admitted& a, const Admitted& b) { return rank(a) < rank(b); });
}

// The first of a side that one may rely on.
const Admitted* first_of(const std::vector<Admitted>& list, const Protocol* protocol, Side side) {
  for (const Admitted& a : list)
    if ((!protocol || a.protocol == protocol) && a.bound->side == side && is_found(a) && is_guarantee(*a.bound))
      return &a;
  return nullptr;
}

// What is proved of each protocol, what is not true of it, and which one admits most.
void summarise(Report& report, const std::vector<Admitted>& list, const std::vector<const Protocol*>& asked,
               Param unknown, const std::string& target) {
  for (const Protocol* protocol : asked) {
    const Admitted *above = first_of(list, protocol, Side::upper), *below = first_of(list, protocol, Side::lower);
    std::string words = fmt::format("{}: no {} is proved to bring epsilon to {}", protocol->name, key(unknown), target);
    const auto sign = [&](const Admitted& a, const char* up, const char* down) {
      return std::ranges::count(a.bound->rises, unknown) > 0 ? up : down;
    };
    if (above)
      words = fmt::format("{}: epsilon <= {} is proved for {} {} {} ({})", protocol->name, target, key(unknown),
                          sign(*above, "<=", ">="), above->inversion.value.text(), above->bound->id);
    if (below && below->inversion.status == Inverted::found)
      words += fmt::format("; it is not true for {} {} {} ({})", key(unknown), sign(*below, ">", "<"),
                           below->inversion.value.text(), below->bound->id);
    report.sentences.push_back(words);
  }
  const Admitted* best = first_of(list, nullptr, Side::upper);
  if (!best || asked.size() < 2) return;
  std::vector<std::string> names;
  for (const Protocol* protocol : asked)
    if (const Admitted* a = first_of(list, protocol, Side::upper);
        a && a->inversion.value.exact() == best->inversion.value.exact())
      names.emplace_back(protocol->name);
  report.sentences.push_back(fmt::format("{} of these: {} (with {} = {})",
                                         unknown == Param::eps0 ? "the least local noise" : "the most is admitted",
                                         quoted_list(names), key(unknown), best->inversion.value.text()));
}

bool reads(const Bound& b, Param p) { return std::ranges::count(b.needs, p) || std::ranges::count(b.takes, p); }

// The statement, monotone in the unknown also where only the protocol is.
std::shared_ptr<const Bound> asked_of(const Protocol& protocol, const Bound& b, Param unknown) {
  Bound asked = b;
  if (!experiments::is_monotone_in(b, unknown)) {
    if (std::ranges::count(protocol.rises, unknown)) asked.rises.push_back(unknown);
    if (std::ranges::count(protocol.falls, unknown)) asked.falls.push_back(unknown);
  }
  return std::make_shared<const Bound>(std::move(asked));
}

// Every statement of the protocols that the point allows; those that cannot be solved for the unknown say why.
std::vector<Admitted> statements_asked(const std::vector<const Protocol*>& asked, const Point& point, Param unknown) {
  Point with_unknown = point;
  with_unknown.set(unknown, Decimal(info(unknown).example));
  std::vector<Admitted> list;
  for (const Protocol* protocol : asked)
    for (const Bound* b : experiments::statements(*protocol, with_unknown)) {
      if (const std::string broken = broken_domain(*b, point); !broken.empty())
        throw Refusal(outside, broken, fmt::format("{} assumes it; see: epsilary show {}", b->id, b->id));
      Admitted a{protocol, asked_of(*protocol, *b, unknown), {}, {}};
      if (!reads(*b, unknown))
        a.unasked = fmt::format("does not depend on {}", key(unknown));
      else if (!experiments::is_monotone_in(*a.bound, unknown))
        a.unasked = fmt::format("not proved to be monotone in {0}: compare epsilary eval {1} at several --{0}",
                                key(unknown), b->id);
      list.push_back(std::move(a));
    }
  if (std::ranges::none_of(list, [](const Admitted& a) { return a.unasked.empty(); }))
    throw Refusal(
        usage, fmt::format("no bound of these protocols can be solved for {} with what is given", key(unknown)),
        list.empty() ? "for example: epsilary tightness shuffle --for eps0 --target 0.1 --n 10000 --delta 1e-6"
                     : fmt::format("{}: {}", list.front().bound->id, list.front().unasked));
  return list;
}

void solve_all(std::vector<Admitted>& list, const Point& point, Param unknown, const Decimal& target,
               const Options& options) {
  std::vector<experiments::Question> questions;
  for (const Admitted& a : list)
    if (a.unasked.empty()) questions.push_back({a.bound.get()});
  experiments::solve(questions, point, unknown, target, options.digits, options.threads);
  auto answered = questions.begin();
  for (Admitted& a : list)
    if (a.unasked.empty()) a.inversion = std::move((answered++)->answer);
}

int design(const Request& request) {
  const auto unknown = param_named(request.unknown);
  if (!unknown || *unknown == Param::steps)
    throw Refusal(usage, fmt::format("unknown parameter '{}'", request.unknown), "see: epsilary list params");
  if (request.target.empty()) throw Refusal(usage, "--for needs a --target", "for example --for eps0 --target 0.1");
  const auto given = axes(request.options);
  if (experiments::grid_size(given) > 1)
    throw Refusal(usage, "a design question is asked at one point", "give one value to every parameter");
  Point point = experiments::first_point(given);
  if (point.has(*unknown))
    throw Refusal(usage, fmt::format("--{} is given and is also to be solved for", key(*unknown)),
                  fmt::format("leave out --{0}, or solve for another parameter", key(*unknown)));
  Decimal target("1");
  try {
    target = Decimal(request.target);
  } catch (const BadNumber& bad) {
    throw Refusal(usage, fmt::format("--target: {}", bad.what()), "for example --target 0.1");
  }
  std::vector<const Protocol*> asked;
  for (const std::string& name_ : request.protocols) asked.push_back(&protocol_given(name_));
  std::vector<Admitted> list = statements_asked(asked, point, *unknown);
  if (is_dry_run(request.options, list.size())) return done;
  solve_all(list, point, *unknown, target, request.options);
  most_admitting_first(list, *unknown);
  Report report;
  for (const Admitted& a : list)
    report.rows.push_back({{"protocol", std::string(a.protocol->name)},
                           {"bound", std::string(a.bound->id)},
                           {"side", std::string(name(a.bound->side))},
                           {"standing", std::string(name(a.bound->standing))},
                           {"status", std::string(says(a))},
                           {std::string(key(*unknown)), is_found(a) ? a.inversion.value.text() : ""},
                           {"notes", remark(a, point, *unknown)}});
  summarise(report, list, asked, *unknown, target.text());
  print(request.options, write(request.options, report));
  return std::ranges::any_of(list, is_found) ? done : outside;
}

}  // namespace

void add_tightness(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("tightness", "every analysis of a protocol, from the loosest to what cannot be beaten");
  auto request = std::make_shared<Request>();
  std::string names;
  for (const Protocol& p : experiments::protocols()) names += (names.empty() ? "" : ", ") + std::string(p.name);
  command.add_option("protocol", request->protocols, "one or more of: " + names)->required()->expected(1, 1000);
  command.add_option("--for", request->unknown, "the parameter each analysis is asked for, with --target");
  command.add_option("--target", request->target, "the epsilon to be met");
  add_common_options(command, request->options);
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

}  // namespace cli
