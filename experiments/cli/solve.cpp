// solve: the value of one parameter at which a bound meets a target.
#include "experiments/solve.hpp"

#include <fmt/format.h>

#include <optional>

#include "bounds/core/registry.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;

struct Request {
  Options options;
  std::string id, unknown, target;
};

struct Found {
  Point point;
  Inversion inversion;
  std::string at_value, at_beyond;  // the bound there, rounded away from the target so that the proof can be read
  std::string delta_total;          // at the value, where the bound spends more than it keeps
  bool within = true;               // it is at most the delta asked
  std::string remark;
};

Param unknown_of(const Request& request) {
  if (const auto p = param_named(request.unknown)) return *p;
  throw Refusal(usage, fmt::format("unknown parameter '{}'", request.unknown), "see: epsilary list params");
}

Decimal target_of(const Request& request) {
  try {
    return Decimal(request.target);
  } catch (const BadNumber& bad) {
    throw Refusal(usage, fmt::format("--target: {}", bad.what()), "for example --target 0.1");
  }
}

const std::string between = "between ";

// What the rows of this bound have to say about the point, with the value found.
std::string remark(const Bound& b, Point point, Param unknown, const Decimal& x) {
  if (!b.remark) return {};
  point.set(unknown, x);
  return b.remark(Values<Rational>(point));
}

// The bound at one value of the unknown; enough digits to tell it from the target. What a bracket cannot prove to more
// digits is shown with more digits of what it proved.
std::string value_at(const Bound& b, Point point, Param unknown, const Decimal& x, const Decimal& target, int digits) {
  point.set(unknown, x);
  std::optional<Ball> value;
  bool more = true;
  for (int shown = digits; shown < digits + 60; shown += 3) {
    if (more) {
      const Evaluation e = evaluate(b, point, {.digits = shown});
      if (e.status == Status::outside) return "outside: " + e.reason;
      more = e.status == Status::ok || e.status == Status::vacuous;  // what is wide gets no narrower
      if (e.has_number()) value = e.answer().value;
    }
    if (!value) return "unresolved";
    const Ball wanted(target.exact());
    if (b.width > 0 && undecided(*value <= wanted))  // inside a bracket
      return between + decimal(*value, shown, Rounding::down) + " and " + decimal(*value, shown, Rounding::up);
    const std::string text = decimal(*value, shown, certainly(*value <= wanted) ? Rounding::up : Rounding::down);
    if (!(Decimal(text).exact() == target.exact())) return text;
  }
  return target.text();
}

// What it spends at the value found. A bracket keeps all of delta.
void tell_delta(const Bound& b, Point point, Param unknown, int digits, Found& f) {
  if (b.width > 0) return;
  point.set(unknown, f.inversion.value);
  const Evaluation e = evaluate(b, point, {.digits = digits});
  if (!has_value(e.status)) return;
  f.within = e.within;
  if (const auto total = delta_total(e.answer())) f.delta_total = decimal(*total, digits, Rounding::up);
}

Found find(const Bound& b, const Point& point, Param unknown, const Decimal& target, int digits) {
  Found f{point, experiments::solve(b, point, unknown, target, digits), {}, {}, {}, true, {}};
  f.remark = remark(b, point, unknown, f.inversion.value);
  f.at_value = value_at(b, point, unknown, f.inversion.value, target, digits);
  if (f.inversion.beyond) f.at_beyond = value_at(b, point, unknown, *f.inversion.beyond, target, digits);
  tell_delta(b, point, unknown, digits, f);
  return f;
}

std::string as_text(const Bound& b, Param unknown, const Decimal& target, const Found& f) {
  const std::string x = f.inversion.value.text();
  const char* within = b.side == Side::lower ? ">=" : "<=";
  const char* broken = b.side == Side::lower ? "<" : ">";
  std::string out = fmt::format("{} = {}\n", key(unknown), x);
  out += fmt::format("  {} is {} there, {} {}{}\n", b.id, f.at_value, within, target.text(),
                     f.delta_total.empty() ? "" : ", with delta_total " + f.delta_total);
  const std::string note = f.remark.empty() ? "" : fmt::format("  {}\n", f.remark);
  if (f.inversion.status == Inverted::everywhere)
    return out + fmt::format("  and so it is at every admissible {}\n", key(unknown)) + note;
  const std::string verdict = f.at_beyond.starts_with("outside") ? ""
                              : f.at_beyond.starts_with(between) ? ", not proved to be within"
                                                                 : fmt::format(", {} {}", broken, target.text());
  return out +
         fmt::format("  at {} = {} it is {}{}\n", key(unknown), f.inversion.beyond->text(), f.at_beyond, verdict) +
         note;
}

// The columns of the csv and md formats and the keys of the json rows.
experiments::Pairs record(const Bound& b, Param unknown, const Decimal& target, const Found& f) {
  experiments::Pairs row{{"bound", std::string(b.id)},
                         {"for", std::string(key(unknown))},
                         {"target", target.text()},
                         {"status", std::string(name(f.inversion.status))}};
  for (const ParamInfo& p : params())
    if (f.point.has(p.param)) row.emplace_back(p.key, f.point.text(p.param));
  row.emplace_back("value", f.inversion.value.text());
  row.emplace_back("bound_at_value", f.at_value);
  row.emplace_back("beyond", f.inversion.beyond ? f.inversion.beyond->text() : "");
  row.emplace_back("bound_beyond", f.at_beyond);
  row.emplace_back("delta_total", f.delta_total);
  row.emplace_back("adjacency", name(b.adjacency));
  row.emplace_back("view", name(b.view));
  row.emplace_back("unit", experiments::unit(b));
  if (b.remark) row.emplace_back("note", f.remark);
  return row;
}

std::string write(const Options& options, const std::vector<experiments::Pairs>& records) {
  const auto provenance = experiments::provenance(options.digits);
  if (format(options) == experiments::Format::json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& r : records) rows.push_back(experiments::to_json(r));
    return nlohmann::ordered_json{{"provenance", to_json(provenance)}, {"rows", rows}}.dump(1) + "\n";
  }
  experiments::Table table;
  for (const auto& [column, value] : records.front()) table.columns.push_back(column);
  for (const auto& r : records) {
    table.rows.emplace_back();
    for (const auto& [column, value] : r) table.rows.back().push_back(value);
  }
  return write_table(table, format(options), provenance);
}

int complain(const Bound& b, Param unknown, const Decimal& target, const Found& f) {
  const std::string no_value = fmt::format("no {} brings {} to {}", key(unknown), b.id, target.text());
  if (f.inversion.status == Inverted::nowhere && !f.within)
    return refuse(outside,
                  fmt::format("{} within the delta asked: at {} = {} its delta_total is {}", no_value, key(unknown),
                              f.inversion.value.text(), f.delta_total),
                  "give --delta alone, without its parts, and it is split");
  const std::string out = "outside: ";
  if (f.inversion.status == Inverted::nowhere && f.at_value.starts_with(out))
    return refuse(outside, fmt::format("{}: {}", no_value, f.at_value.substr(out.size())),
                  "change another parameter or the target");
  if (f.inversion.status == Inverted::nowhere) {
    return refuse(
        outside,
        fmt::format("{}; the best is {}, at {} = {}", no_value, f.at_value, key(unknown), f.inversion.value.text()),
        "change another parameter or the target");
  }
  return refuse(unresolved,
                fmt::format("could not decide whether {} meets {} at {} = {}", b.id, target.text(), key(unknown),
                            f.inversion.value.text()),
                "use another number of --digits");
}

int run(const Request& request) {
  const Param unknown = unknown_of(request);
  const Decimal target = target_of(request);
  const auto given = axes(request.options);
  Point with_unknown = experiments::first_point(given);
  if (with_unknown.has(unknown))
    throw Refusal(usage, fmt::format("--{} is given and is also to be solved for", key(unknown)),
                  fmt::format("leave out --{0}, or solve for another parameter", key(unknown)));
  if (unknown != Param::steps) with_unknown.set(unknown, Decimal(info(unknown).example));
  const Bound& bound = form_given(request.id, with_unknown);
  const Asked question = asked_by({&bound}, asked(request.options));
  if (const std::string other = other_question(bound, question); !other.empty())
    throw Refusal(outside, fmt::format("{} is about {}", bound.id, other),
                  "leave out --adjacency and --view, or solve a bound about that question");
  if (const std::string spoiled = spoiled_hypothesis(bound, experiments::first_point(given)); !spoiled.empty())
    throw Refusal(outside, spoiled, fmt::format("{} assumes it; see: epsilary show {}", bound.id, bound.id));
  if (!experiments::is_monotone_in(bound, unknown))
    throw Refusal(
        usage, fmt::format("{} cannot be solved for {}", bound.id, key(unknown)),
        fmt::format("it is monotone in {}; see: epsilary show {}",
                    keys(bound.rises) + (bound.rises.empty() || bound.falls.empty() ? "" : ", ") + keys(bound.falls),
                    bound.id));
  if (is_dry_run(request.options, experiments::grid_size(given))) return done;

  std::string text;
  std::vector<experiments::Pairs> records;
  int code = done;
  for (const Point& point : experiments::lay_grid(given)) {
    if (const std::string broken = broken_domain(bound, point); !broken.empty())
      throw Refusal(outside, broken, fmt::format("{} assumes it; see: epsilary show {}", bound.id, bound.id));
    const Found f = find(bound, point, unknown, target, request.options.digits);
    records.push_back(record(bound, unknown, target, f));
    if (f.inversion.status == Inverted::found || f.inversion.status == Inverted::everywhere)
      text += as_text(bound, unknown, target, f);
    else
      code = complain(bound, unknown, target, f);
  }
  if (!text.empty()) text += experiments::question_lines({&bound});
  if (format(request.options) != experiments::Format::text) text = write(request.options, records);
  if (!text.empty()) print(request.options, text);
  return code;
}

}  // namespace

void add_solve(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("solve", "find the parameter value at which a bound meets a target");
  auto request = std::make_shared<Request>();
  command.add_option("bound", request->id, "id of a bound")->required();
  command.add_option("--for", request->unknown, "the parameter to solve for")->required();
  command.add_option("--target", request->target, "what the bound must not exceed (a lower bound: must reach)")
      ->required();
  add_common_options(command, request->options);
  add_question_options(command, request->options);
  add_parameter_options(command, request->options);
  command.footer(R"(Examples:
  epsilary solve balle2020-thm5.1 --for n --target 0.1 --eps0 1 --delta 1e-6
  epsilary solve balle2020-thm3.2 --for eps0 --target 1 --m 1e4 --p0 0.1 --delta 1e-6 --digits 30)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
