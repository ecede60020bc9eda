// compare: several bounds over a region, who is tightest where and by how much.
#include <fmt/format.h>

#include <algorithm>

#include "bounds/core/registry.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/order.hpp"
#include "experiments/write_json.hpp"

namespace epsilary::cli {
namespace {

using namespace bounds;
using experiments::Pairs;
using experiments::Row;

struct Request {
  Options options;
  std::vector<std::string> ids;
};

// One point: the value of each bound; of those that answer the question from one side the tightest, which is a
// guarantee where there is one, and the widest ratio.
struct Line {
  Pairs params, values;
  std::string tightest, ratio, contradiction;
  bool guarantee = false;  // of the tightest
};

// How often each bound is tightest, and what contradicts what.
struct Comparison {
  std::vector<Line> lines;
  std::vector<std::string> summary;
};

// An upper bound proved to lie below a lower or exact value of the same question cannot be a bound.
std::string contradiction(const Row* begin, const Row* end) {
  for (const Row* up = begin; up != end; ++up)
    for (const Row* low = begin; low != end; ++low) {
      const bool opposed =
          up->bound->side == Side::upper && (low->bound->side == Side::lower || low->bound->side == Side::exact);
      if (!opposed || subject(*up->bound) != subject(*low->bound) || !answers(*up) || !answers(*low)) continue;
      if (up->evaluation.certified && low->evaluation.certified &&
          certainly(up->evaluation.answer().value < low->evaluation.answer().value))
        return fmt::format("{} (upper, {}) is below {} ({}, {})", up->bound->id, name(up->bound->standing),
                           low->bound->id, name(low->bound->side), name(low->bound->standing));
    }
  return {};
}

// What is compared: the subject of the first statement that speaks of the question asked, from above where one does.
struct Contest {
  Subject subject;
  Side side;
};
Contest contest_of(const std::vector<const Bound*>& chosen, const Asked& question) {
  const auto first = std::ranges::find_if(chosen, [&](const Bound* b) { return other_question(*b, question).empty(); });
  const Bound& b = first == chosen.end() ? *chosen.front() : **first;
  // Bounds from one side compete; a lower bound beside upper ones is there to be met.
  const bool any_upper =
      std::ranges::any_of(chosen, [&](const Bound* c) { return c->side == Side::upper && subject(*c) == subject(b); });
  return {subject(b), any_upper ? Side::upper : b.side};
}
bool competes(const Bound& b, const Contest& contest) {
  return subject(b) == contest.subject && b.side == contest.side;
}

Line compare_point(const Row* begin, const Row* end, const Contest& contest, const std::vector<Param>& varying,
                   int digits) {
  Line line;
  for (const Param p : varying) line.params.emplace_back(key(p), begin->point.text(p));
  const Row *best = nullptr, *worst = nullptr;
  for (const Row* r = begin; r != end; ++r) {
    const auto record = describe(*r, digits);
    line.values.emplace_back(r->bound->id, record.value.empty() ? record.status : record.value);
    if (!competes(*r->bound, contest) || !answers(*r)) continue;
    const bool surer = best && guarantees(*r) && !guarantees(*best);
    const bool as_sure = best && guarantees(*r) == guarantees(*best);
    if (!best || surer || (as_sure && experiments::is_tighter(*r, *best))) best = r;
    if (!worst || experiments::is_tighter(*worst, *r)) worst = r;
  }
  if (best) line.tightest = best->bound->id;
  line.guarantee = best && guarantees(*best);
  if (best && best != worst) {
    const Ball a = best->evaluation.answer().value, b = worst->evaluation.answer().value;
    const Ball ratio = best->bound->side == Side::lower ? a / b : b / a;
    line.ratio = decimal(ratio, std::min(digits, 6), Rounding::down);
  }
  line.contradiction = contradiction(begin, end);
  return line;
}

void summarise(Comparison& c, const std::vector<const Bound*>& chosen, const Contest& contest,
               const std::vector<Row>& rows) {
  for (const Bound* b : chosen) {
    const auto wins = std::ranges::count(c.lines, std::string(b->id), &Line::tightest);
    const bool sure = std::ranges::all_of(c.lines, [&](const Line& l) { return l.tightest != b->id || l.guarantee; });
    c.summary.push_back(fmt::format("{} is tightest at {} of {} points{}", b->id, wins, c.lines.size(),
                                    sure ? "" : ", and no guarantee"));
  }
  for (const Bound* b : chosen) {
    const std::string about = fmt::format("{}, {}", b->protocol, neighbours(*b));
    if (subject(*b) != contest.subject)
      c.summary.push_back(fmt::format("{} is not ranked: it is about another question ({})", b->id, about));
    const auto beyond = [&](const Row& r) {
      return r.bound == b && experiments::has_number(r) && !r.evaluation.within;
    };
    if (const auto count = std::ranges::count_if(rows, beyond); count > 0)
      c.summary.push_back(fmt::format("{} is not ranked at {} of {} points: its delta_total exceeds delta there", b->id,
                                      count, c.lines.size()));
  }
  for (std::size_t i = 1; i < c.lines.size(); ++i)
    if (c.lines[i].tightest != c.lines[i - 1].tightest && !c.lines[i].tightest.empty() &&
        !c.lines[i - 1].tightest.empty() && c.lines[i].params.size() == 1)
      c.summary.push_back(fmt::format("the tightest changes from {} to {} between {} = {} and {}",
                                      c.lines[i - 1].tightest, c.lines[i].tightest, c.lines[i].params[0].first,
                                      c.lines[i - 1].params[0].second, c.lines[i].params[0].second));
  for (const Line& line : c.lines)
    if (!line.contradiction.empty()) {
      std::string where;
      for (const auto& [k, v] : line.params) where += fmt::format(" {}={}", k, v);
      c.summary.push_back("contradiction: " + line.contradiction + (where.empty() ? "" : " at" + where));
    }
}

std::string write(const Options& options, const Comparison& c, const std::vector<const Bound*>& chosen) {
  const auto provenance = experiments::provenance(options.digits);
  if (format(options) == experiments::Format::json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Line& line : c.lines)
      rows.push_back({{"params", experiments::to_json(line.params)},
                      {"values", experiments::to_json(line.values)},
                      {"tightest", line.tightest},
                      {"guarantee", line.guarantee},
                      {"ratio", line.ratio},
                      {"contradiction", line.contradiction}});
    nlohmann::ordered_json about = nlohmann::ordered_json::array();
    for (const Bound* b : chosen)
      about.push_back({{"bound", b->id},
                       {"protocol", b->protocol},
                       {"adjacency", name(b->adjacency)},
                       {"view", name(b->view)},
                       {"unit", experiments::unit(*b)}});
    return nlohmann::ordered_json{
               {"provenance", to_json(provenance)}, {"rows", rows}, {"summary", c.summary}, {"bounds", about}}
               .dump(1) +
           "\n";
  }
  experiments::Table table;
  for (const Pairs* part : {&c.lines.front().params, &c.lines.front().values})
    for (const auto& [column, value] : *part) table.columns.push_back(column);
  table.columns.insert(table.columns.end(), {"tightest", "ratio"});
  for (const Line& line : c.lines) {
    std::vector<std::string> cells;
    for (const Pairs* part : {&line.params, &line.values})
      for (const auto& [column, value] : *part) cells.push_back(value);
    cells.insert(cells.end(), {line.tightest, line.ratio});
    table.rows.push_back(std::move(cells));
  }
  std::string out = write_table(table, format(options), provenance);
  if (format(options) != experiments::Format::csv)
    for (const std::string& sentence : c.summary)
      out += (&sentence == &c.summary.front() ? "\n" : "") + sentence + "\n";
  return format(options) == experiments::Format::csv ? out : out + experiments::question_lines(chosen);
}

int run(const Request& request) {
  if (request.ids.size() < 2)
    throw Refusal(usage, fmt::format("compare needs two bounds or more (got {})", request.ids.front()),
                  fmt::format("add another id; for one bound alone: epsilary eval {} ...", request.ids.front()));
  const auto given = axes(request.options);
  const Point first = experiments::first_point(given);
  std::vector<const Bound*> chosen;
  for (const std::string& id : request.ids) chosen.push_back(&form_given(id, first));
  for (const Bound* b : chosen)
    if (b->quantity != chosen.front()->quantity)
      throw Refusal(usage,
                    fmt::format("{} gives {} and {} gives {}: they cannot be compared", chosen.front()->id,
                                name(chosen.front()->quantity), b->id, name(b->quantity)),
                    "choose bounds of one quantity; see: epsilary list");
  if (is_dry_run(request.options, experiments::grid_size(given) * chosen.size())) return done;
  const Asked question = asked_by(chosen, asked(request.options));
  std::vector<Row> rows;
  for (const Point& p : experiments::lay_grid(given))
    for (const Bound* b : chosen) rows.push_back({b, p, {}, question});
  experiments::run(rows, accuracy(request.options), request.options.threads);

  std::vector<Param> varying;
  for (const auto& axis : given)
    if (axis.size() > 1) varying.push_back(axis.param);
  Comparison comparison;
  const Contest contest = contest_of(chosen, question);
  for (std::size_t i = 0; i < rows.size(); i += chosen.size())
    comparison.lines.push_back(
        compare_point(&rows[i], &rows[i] + chosen.size(), contest, varying, request.options.digits));
  summarise(comparison, chosen, contest, rows);
  print(request.options, write(request.options, comparison, chosen));
  if (std::ranges::any_of(rows, experiments::has_number)) return done;
  throw Refusal(outside, rows.front().evaluation.reason,
                fmt::format("{} assumes it; see: epsilary show {}", rows.front().bound->id, rows.front().bound->id));
}

}  // namespace

void add_compare(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("compare", "compare bounds over a region: who is tightest where");
  auto request = std::make_shared<Request>();
  command.add_option("bound", request->ids, "two or more ids of bounds")->required()->expected(1, 1000);
  add_common_options(command, request->options);
  add_question_options(command, request->options);
  add_parameter_options(command, request->options);
  command.footer(R"(Examples:
  epsilary compare balle2020-thm5.1 erlingsson2019-thm7 --eps0 0.25:2:8 --n 1e4 --delta 1e-6
  epsilary compare balle2020-thm3.2 epsilary-fixed-posterior --eps0 1 --m 1e4 --p0 1e-3:1:7:log --delta 1e-6)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
