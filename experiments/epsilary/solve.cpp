// solve: the value of one parameter at which a statement meets a target.
#include "experiments/tightness/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bounds/core/hypotheses.hpp"
#include "bounds/core/registry.hpp"
#include "experiments/epsilary/inside.hpp"
#include "experiments/tables/write.hpp"

namespace epsilary {
namespace {

using namespace bounds;

// One question: a statement, its unknown, the target.
struct Asking {
  const Bound& bound;
  Param unknown;
  Decimal target;
  int digits;
  double patience;
};

const std::string between = "between ", outside_words = "outside: ", no_number = "unresolved";

Point with(Point point, Param unknown, const Decimal& x) {
  point.set(unknown, x);
  return point;
}

// The bound at one value of the unknown, rounded away from the target so that the proof can be read; with enough digits
// to tell it from the target. What a bracket cannot prove to more digits is shown with more digits of what it proved.
std::string value_at(const Asking& ask, const Point& point) {
  std::optional<Ball> value;
  bool more = true;
  for (int shown = ask.digits; shown < ask.digits + 60; shown += 3) {
    if (more) {
      const Evaluation e = bounds::evaluate(ask.bound, point, {.digits = shown, .patience = ask.patience});
      if (e.status == Status::outside) return outside_words + e.reason;
      more = e.status == Status::ok || e.status == Status::vacuous;  // what is wide gets no narrower
      if (e.has_number()) value = e.answer().value;
    }
    if (!value) return no_number;
    const Ball wanted(ask.target.exact());
    if (ask.bound.width > 0 && undecided(*value <= wanted))  // inside a bracket
      return between + decimal(*value, shown, Rounding::down) + " and " + decimal(*value, shown, Rounding::up);
    const std::string text = decimal(*value, shown, certainly(*value <= wanted) ? Rounding::up : Rounding::down);
    if (!(Decimal(text).exact() == ask.target.exact())) return text;
  }
  return ask.target.text();
}

// What it spends at the value found, and whether that is within the delta asked. A bracket keeps all of delta.
bool tell_delta(const Asking& ask, const Point& point, Solution& s) {
  if (ask.bound.width > 0) return true;
  const Evaluation e = bounds::evaluate(ask.bound, point, {.digits = ask.digits, .patience = ask.patience});
  if (!bounds::has_value(e.status)) return true;
  if (const auto total = bounds::delta_total(e.answer())) s.delta_total = decimal(*total, ask.digits, Rounding::up);
  return e.within;
}

Error complaint(const Asking& ask, const Solution& s, Inverted status, bool within) {
  const std::string_view unknown = key(ask.unknown);
  const std::string no_value = fmt::format("no {} brings {} to {}", unknown, ask.bound.id, ask.target.text());
  if (status != Inverted::nowhere)
    return {Problem::unresolved,
            fmt::format("could not decide whether {} meets {} at {} = {}", ask.bound.id, ask.target.text(), unknown,
                        s.tried),
            "use another number of --digits"};
  if (!within)
    return {Problem::outside,
            fmt::format("{} within the delta asked: at {} = {} its delta_total is {}", no_value, unknown, s.tried,
                        s.delta_total),
            "give --delta alone, without its parts, and it is split"};
  const std::string why = s.bound_at_value.starts_with(outside_words)
                              ? fmt::format(": {}", s.bound_at_value.substr(outside_words.size()))
                              : fmt::format("; the best is {}, at {} = {}", s.bound_at_value, unknown, s.tried);
  return {Problem::outside, no_value + why, "change another parameter or the target"};
}

Solution solve_at(const Asking& ask, const Point& point) {
  const Inversion found = experiments::solve(ask.bound, point, ask.unknown, ask.target, ask.digits, ask.patience);
  const Point there = with(point, ask.unknown, found.value);
  Solution s{.status = std::string(name(found.status)), .tried = found.value.text()};
  for (const ParamInfo& p : bounds::params())
    if (point.has(p.param)) s.params.emplace_back(p.key, point.text(p.param));
  if (ask.bound.remark) s.note = ask.bound.remark(Values<Rational>(there));
  s.bound_at_value = value_at(ask, there);
  if (found.beyond) {
    s.beyond = found.beyond->text();
    s.bound_beyond = value_at(ask, with(point, ask.unknown, *found.beyond));
  }
  const bool within = tell_delta(ask, there, s);
  if (found.status == Inverted::found || found.status == Inverted::everywhere) {
    const bool below = ask.bound.side != Side::lower;
    s.value = {s.tried,
               experiments::rises_in(ask.bound, ask.unknown) == below ? Number::Rounded::down : Number::Rounded::up};
  } else {
    s.problem = complaint(ask, s, found.status, within);
    s.value = Number::none(s.problem->what());
  }
  return s;
}

void refuse_unsolvable(const Bound& bound, Param unknown, const Point& given, const Asked& asked) {
  if (const std::string other = other_question(bound, asked_by({&bound}, asked)); !other.empty())
    throw Error(Problem::outside, fmt::format("{} is about {}", bound.id, other),
                "leave out --adjacency and --view, or solve a bound about that question");
  if (const std::string spoiled = spoiled_hypothesis(bound, given); !spoiled.empty()) throw assumes(bound, spoiled);
  if (!experiments::is_monotone_in(bound, unknown))
    throw Error(
        Problem::usage, fmt::format("{} cannot be solved for {}", bound.id, key(unknown)),
        fmt::format("it is monotone in {}; see: epsilary show {}",
                    keys(bound.rises) + (bound.rises.empty() || bound.falls.empty() ? "" : ", ") + keys(bound.falls),
                    bound.id));
}

std::string as_text(const Solutions& all, const Solution& s) {
  const Statement& b = *all.statement;
  const char* within = b.side == "lower" ? ">=" : "<=";
  const char* broken = b.side == "lower" ? "<" : ">";
  std::string out = fmt::format("{} = {}\n", all.unknown, s.tried);
  out += fmt::format("  {} is {} there, {} {}{}\n", b.id, s.bound_at_value, within, all.target,
                     s.delta_total.empty() ? "" : ", with delta_total " + s.delta_total);
  const std::string note = s.note.empty() ? "" : fmt::format("  {}\n", s.note);
  if (s.status == name(Inverted::everywhere))
    return out + fmt::format("  and so it is at every admissible {}\n", all.unknown) + note;
  const bool is_number = !s.bound_beyond.starts_with(between) && s.bound_beyond != no_number;
  const std::string verdict = s.bound_beyond.starts_with("outside") ? ""
                              : is_number                           ? fmt::format(", {} {}", broken, all.target)
                                                                    : ", not proved to be within";
  return out + fmt::format("  at {} = {} it is {}{}\n", all.unknown, s.beyond, s.bound_beyond, verdict) + note;
}

// The columns of the csv and md formats and the keys of the json rows.
Pairs record(const Solutions& all, const Solution& s) {
  const Statement& b = *all.statement;
  Pairs row{{"bound", b.id}, {"for", all.unknown}, {"target", all.target}, {"status", s.status}};
  row.insert(row.end(), s.params.begin(), s.params.end());
  for (const auto& pair : Pairs{{"value", s.tried},
                                {"bound_at_value", s.bound_at_value},
                                {"beyond", s.beyond},
                                {"bound_beyond", s.bound_beyond},
                                {"delta_total", s.delta_total},
                                {"adjacency", b.adjacency},
                                {"view", b.view},
                                {"unit", b.unit}})
    row.push_back(pair);
  if (all.has_note) row.emplace_back("note", s.note);
  return row;
}

}  // namespace

Solutions solve(const std::string& id, const std::string& unknown_key, const Value& target, const Parameters& given,
                const Options& options) {
  const Param unknown = param_given(unknown_key);
  const Decimal wanted = target_given(target);
  const auto axes = axes_of(given);
  Point with_unknown = experiments::first_point(axes);
  if (with_unknown.has(unknown))
    throw Error(Problem::usage, fmt::format("{} is given and is also to be solved for", key(unknown)),
                fmt::format("leave out --{0}, or solve for another parameter", key(unknown)), unknown_key);
  if (is_number(unknown)) with_unknown.set(unknown, Decimal(info(unknown).example));
  Solutions out;
  const Bound& bound = form_given(id, with_unknown, out.notes);
  out.statement = &statement_of(bound);
  out.unknown = unknown_key;
  out.target = wanted.text();
  out.has_note = bound.remark != nullptr;
  refuse_unsolvable(bound, unknown, experiments::first_point(axes), asked_of(options));
  if (is_counted(options, experiments::grid_size(axes), out)) return out;
  const Asking ask{bound, unknown, wanted, options.digits, static_cast<double>(options.patience)};
  for (const Point& point : experiments::lay_grid(axes)) {
    if (const std::string broken = broken_domain(bound, point); !broken.empty()) throw assumes(bound, broken);
    out.points.push_back(stoppable(options.stop, [&] { return solve_at(ask, point); }));
    if (out.points.back().problem) out.problem = out.points.back().problem;
  }
  return out;
}

std::string write(const Solutions& answer, Format format) {
  if (format != Format::text) {
    std::vector<Pairs> rows;
    for (const Solution& s : answer.points) rows.push_back(record(answer, s));
    return write(experiments::table_of(rows), format, answer.digits);
  }
  std::string text;
  for (const Solution& s : answer.points)
    if (s.value) text += as_text(answer, s);
  return text.empty() ? text : text + experiments::question_lines({answer.statement});
}

}  // namespace epsilary
