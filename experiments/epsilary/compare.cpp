// compare: several statements over a region, who is tightest where and by how much.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/epsilary/inside.hpp"
#include "experiments/sweep/order.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_json.hpp"

namespace epsilary {
namespace {

using namespace bounds;
using experiments::Row;

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
  Line line{.params = values_at(begin->point, varying)};
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

std::string as_json(const Comparison& c) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(), about = rows;
  for (const Line& line : c.lines)
    rows.push_back({{"params", experiments::to_json(line.params)},
                    {"values", experiments::to_json(line.values)},
                    {"tightest", line.tightest},
                    {"guarantee", line.guarantee},
                    {"ratio", line.ratio},
                    {"contradiction", line.contradiction}});
  for (const Statement* s : c.statements)
    about.push_back({{"bound", s->id},
                     {"protocol", s->protocol},
                     {"adjacency", s->adjacency},
                     {"view", s->view},
                     {"unit", s->unit}});
  nlohmann::ordered_json all = experiments::envelope(c.digits, rows);
  all["summary"] = c.summary;
  all["bounds"] = about;
  return experiments::printed(all);
}

}  // namespace

Comparison compare(const std::vector<std::string>& ids, const Parameters& given, const Options& options) {
  if (ids.size() < 2) {
    const std::string one = ids.empty() ? "none" : ids.front();
    throw Error(Problem::usage, fmt::format("compare needs two bounds or more (got {})", one),
                fmt::format("add another id; for one bound alone: epsilary eval {} ...", one));
  }
  const auto axes = axes_of(given);
  const Point first = experiments::first_point(axes);
  Comparison out;
  std::vector<const Bound*> chosen;
  for (const std::string& id : ids) chosen.push_back(&form_given(id, first, out.notes));
  for (const Bound* b : chosen) {
    out.statements.push_back(&statement_of(*b));
    if (b->quantity != chosen.front()->quantity)
      throw Error(Problem::usage,
                  fmt::format("{} gives {} and {} gives {}: they cannot be compared", chosen.front()->id,
                              name(chosen.front()->quantity), b->id, name(b->quantity)),
                  "choose bounds of one quantity; see: epsilary list");
  }
  if (is_counted(options, experiments::grid_size(axes) * chosen.size(), out)) return out;
  const Asked question = asked_by(chosen, asked_of(options));
  std::vector<Row> rows;
  for (const Point& p : experiments::lay_grid(axes))
    for (const Bound* b : chosen) rows.push_back({b, p, {}, question});
  run_rows(rows, options);

  const Contest contest = contest_of(chosen, question);
  for (std::size_t i = 0; i < rows.size(); i += chosen.size())
    out.lines.push_back(compare_point(&rows[i], &rows[i] + chosen.size(), contest, varying(axes), options.digits));
  summarise(out, chosen, contest, rows);
  if (std::ranges::none_of(rows, experiments::has_number))
    out.problem = assumes(*rows.front().bound, rows.front().evaluation.reason);
  return out;
}

std::string write(const Comparison& c, Format format) {
  if (format == Format::json) return as_json(c);
  std::vector<Pairs> rows;
  for (const Line& line : c.lines) {
    rows.push_back(line.params);
    rows.back().insert(rows.back().end(), line.values.begin(), line.values.end());
    rows.back().emplace_back("tightest", line.tightest);
    rows.back().emplace_back("ratio", line.ratio);
  }
  std::string out = write(experiments::table_of(rows), format, c.digits);
  if (format == Format::csv) return out;
  for (const std::string& sentence : c.summary) out += (&sentence == &c.summary.front() ? "\n" : "") + sentence + "\n";
  return out + experiments::question_lines(c.statements);
}

}  // namespace epsilary
