#include "experiments/tables/table.hpp"

#include <algorithm>
#include <cstdlib>

#include "bounds/core/units.hpp"
#include "solvers/numbers/decimal_double.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

// A parameter the formula chose is a short decimal: the shortest in the ball, or the shortest that reads as the double.
std::string chosen(const Ball& x) {
  const Ball::Precision bits(400);
  Ball centre = x;
  mag_zero(arb_radref(centre.arb()));
  const double nearest = x.midpoint();
  const bool is_double = centre.contains(x) && centre.contains(Ball(nearest));
  std::string text;
  for (int digits = 6; digits <= 40; ++digits)
    for (const Rounding side : {Rounding::down, Rounding::up}) {
      text = Decimal(decimal(centre, digits, side)).text();
      if (is_double ? std::strtod(text.c_str(), nullptr) == nearest : x.contains(Ball(Decimal(text).exact())))
        return text;
    }
  return text;
}

using solvers::decimal_ends;
DecimalEnds decimal_ends(const Ball& x, int digits) {
  return {decimal(x, digits, Rounding::down), decimal(x, digits, Rounding::up)};
}

template <class Wanted>
void name_params(const Point& point, Record& r, Wanted wanted) {
  std::size_t count = 0;
  const auto add = [&](Param p, const std::string& text) {
    if (count == r.params.size()) r.params.emplace_back();
    r.params[count].first = key(p);
    r.params[count++].second = text;
  };
  for (const auto& [param, value] : point.given())
    if (wanted(param)) add(param, value->text());
  for (const Param p : {Param::steps, Param::randomizer})
    if (point.has(p) && wanted(p)) add(p, point.text(p));
  r.params.resize(count);
}

// Every number with both its ends, for those who go on computing with it.
void describe_ends(const bounds::Answer<Ball>& a, int digits, Record& r) {
  const auto both = [&](const Ball& x) {
    const DecimalEnds ends = decimal_ends(x, digits);
    return ends.lower + ".." + ends.upper;
  };
  const auto add = [&](Pairs& pairs, std::string_view name, const Ball& x) {
    if (x.finite()) pairs.emplace_back(name, both(x));
  };
  if (!a.value.finite()) return;
  DecimalEnds ends = decimal_ends(a.value, digits);
  r.lower = std::move(ends.lower);
  r.upper = std::move(ends.upper);
  r.value = r.upper;
  add(r.beside, "capped", capped(a));
  if (const std::optional<Ball> total = delta_total(a)) add(r.beside, "delta_total", *total);
  for (const auto& extra : a.beside) add(r.beside, extra.name, extra.value);
  for (const auto& choice : a.at) add(r.at, key(choice.param), choice.value);
}

template <class R>
void describe_number(const Bound& b, const Point& point, const bounds::Answer<R>& a, int digits, Record& r) {
  const Rounding safe = b.side == Side::lower ? Rounding::down : Rounding::up;
  DecimalEnds ends = decimal_ends(a.value, digits);
  r.lower = std::move(ends.lower);
  r.upper = std::move(ends.upper);
  if (b.evaluate.bracket) {  // the hull of a bracket may reach beyond what the quantity can be
    if (r.lower.starts_with('-')) r.lower = "0";
    if (b.quantity == Quantity::delta && !certainly(a.value <= R(1))) r.upper = "1";
  }
  r.value = safe == Rounding::down ? r.lower : r.upper;
  if (a.cap)
    r.beside.emplace_back("capped",
                          certainly(a.value <= *a.cap) ? r.value : decimal(min(a.value, *a.cap), digits, safe));
  if (a.log_delta_total) {
    const Ball log_total(*a.log_delta_total);
    if (const std::optional<Ball> total = delta_total({.value = 0, .log_delta_total = log_total})) {
      std::string text = decimal(*total, digits, Rounding::up);
      // Proved to be at most delta: rounding up must not make it look like more.
      if (a.within && point.has(Param::delta) && Decimal(text).exact() > point[Param::delta].exact())
        text = point[Param::delta].text();
      r.beside.emplace_back("delta_total", std::move(text));
    }
    if (!certainly(abs(log_total) < 690))  // beyond what a double holds
      r.beside.emplace_back("log_delta_total", decimal(log_total, digits, Rounding::up));
  }
  for (const auto& extra : a.beside) r.beside.emplace_back(extra.name, decimal(extra.value, digits, safe));
  for (const auto& choice : a.at) r.at.emplace_back(key(choice.param), chosen(Ball(choice.value)));
}

template <class E>
void describe_row(const Bound& b, const Point& point, const E& e, bool certified, Record& r) {
  name_cell(b, point, r);
  r.status = name(e.status);
  r.certified = certified;
  r.within = e.within;
  r.note = e.reason;
  r.value.clear();
  r.lower.clear();
  r.upper.clear();
  r.at.clear();
  r.beside.clear();
  const auto say = [&](std::string_view words) { r.note.append(r.note.empty() ? "" : "; ").append(words); };
  if (b.standing == Standing::unsound || b.standing == Standing::rate) say(b.note);
  if (b.remark && e.status != Status::outside) say(b.remark(Values<Rational>(as_read_by(b, point))));
}

template <class E>
void describe_any(const Bound& b, const Point& point, const E& e, bool certified, int digits, Record& r) {
  describe_row(b, point, e, certified, r);
  if (e.has_number()) describe_number(b, point, e.answer(), digits, r);
}

}  // namespace

std::string join(const Pairs& pairs) {
  std::string text;
  for (const auto& [key, value] : pairs) text.append(text.empty() ? "" : " ").append(key).append("=").append(value);
  return text;
}

std::string unit(const Bound& b) {
  if (uses(b, Param::noise)) return "noise in the unit of the gradients";
  if (!uses(b, Param::sigma) && !uses(b, Param::multiplier)) return {};
  return b.adjacency == Adjacency::replace  ? "sigma over twice the clipping norm, multiplier over the clipping norm"
         : b.adjacency == Adjacency::remove ? "sigma and multiplier over the clipping norm"
                                            : "sigma over the largest change between neighbours";
}

std::string whole_note(const Record& r) {
  std::string out = r.note;
  const auto say = [&](const std::string& words) { out.append(out.empty() ? "" : "; ").append(words); };
  if (!r.other.empty() && r.other != r.note) say(r.other);
  if (!r.unused.empty()) say("not used: " + r.unused);
  return out;
}

void judge(const Asked& asked, Record& r) {
  r.other = other_question(*r.bound, asked);
  r.answers = (r.status == "ok" || r.status == "vacuous" || r.status == "wide") && r.within && r.other.empty();
  r.guarantee = r.answers && r.certified && is_guarantee(*r.bound);
}

void name_cell(const Bound& b, const Point& point, Record& r) {
  r.bound = &b;
  name_params(point, r, [&b](Param p) { return matters(b, p); });
}

void name_point(const Point& point, Record& r) {
  name_params(point, r, [](Param) { return true; });
  r.unused.clear();
  for (const Param p : unused(*r.bound, point)) r.unused.append(r.unused.empty() ? "" : ", ").append(key(p));
}

void describe(const Bound& b, const Point& point, const Evaluation& e, int digits, Record& r) {
  describe_any(b, point, e, e.certified, digits, r);
}

void describe(const Bound& b, const Point& point, const DoubleEvaluation& e, int digits, Record& r) {
  describe_any(b, point, e, false, digits, r);
}

void describe_ends(const Bound& b, const Point& point, const Evaluation& e, int digits, Record& r) {
  describe_row(b, point, e, e.certified, r);
  if (e.has_number()) describe_ends(e.answer(), digits, r);
}

Ball number_of(const Record& r, const std::string& column) {
  const auto hull = [](const std::string& lower, const std::string& upper) {
    return Ball::hull(Ball(Decimal(lower).exact()), Ball(Decimal(upper).exact()));
  };
  if (r.value.empty()) return Ball::indeterminate();
  if (column.empty()) return hull(r.lower, r.upper);
  for (const Pairs* pairs : {&r.beside, &r.at})
    for (const auto& [name, ends] : *pairs)
      if (const std::size_t dots = ends.find(".."); name == column && dots != std::string::npos)
        return hull(ends.substr(0, dots), ends.substr(dots + 2));
  return Ball::indeterminate();
}

Record describe(const Row& row, int digits) {
  Record r;
  describe(*row.bound, row.point, row.evaluation, digits, r);
  for (const Param p : unused(*row.bound, row.point)) r.unused.append(r.unused.empty() ? "" : ", ").append(key(p));
  judge(row.asked, r);
  return r;
}

std::vector<std::string> row_columns(const std::vector<std::string>& keys, const std::vector<std::string>& extras) {
  std::vector<std::string> out{"bound",     "protocol", "quantity", "side",  "standing",
                               "adjacency", "view",     "unit",     "status"};
  out.insert(out.end(), keys.begin(), keys.end());
  out.insert(out.end(), {"value", "lower", "upper", "certified", "answers", "guarantee"});
  out.insert(out.end(), extras.begin(), extras.end());
  out.insert(out.end(), {"at", "note"});
  return out;
}

Table to_table(const std::vector<epsilary::Result>& results) {
  using epsilary::Result;
  std::vector<std::string> keys, extras;
  for (const ParamInfo& p : params())
    if (std::ranges::any_of(results, [&](const Result& r) {
          return std::ranges::any_of(r.params, [&](const auto& pair) { return pair.first == p.key; });
        }))
      keys.emplace_back(p.key);
  for (const Result& r : results)
    for (const auto& [name, value] : r.extras)
      if (!std::ranges::count(extras, name)) extras.push_back(name);

  Table table{row_columns(keys, extras), {}};
  const auto find = [](const Pairs& pairs, const std::string& key) {
    const auto it = std::ranges::find(pairs, key, &Pairs::value_type::first);
    return it == pairs.end() ? std::string{} : it->second;
  };
  const auto text = [](const epsilary::Number& x) { return x ? x.text() : std::string{}; };
  const auto yes = [](bool x) { return std::string(x ? "true" : "false"); };
  for (const Result& r : results) {
    const epsilary::Statement& s = *r.statement;
    std::vector<std::string> cells{s.id,        s.protocol, s.quantity, s.side,  s.standing,
                                   s.adjacency, s.view,     s.unit,     r.status};
    for (const std::string& k : keys) cells.push_back(find(r.params, k));
    for (const std::string& c :
         {text(r.value), text(r.lower), text(r.upper), yes(r.certified), yes(r.answers), yes(r.guarantee)})
      cells.push_back(c);
    for (const std::string& k : extras) cells.push_back(find(r.extras, k));
    cells.push_back(join(r.at));
    cells.push_back(r.reason);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table table_of(const std::vector<Pairs>& rows, const std::vector<std::string>& but) {
  Table table;
  if (rows.empty()) return table;
  const auto is_shown = [&](const std::string& column) { return !std::ranges::count(but, column); };
  for (const auto& [column, value] : rows.front())
    if (is_shown(column)) table.columns.push_back(column);
  for (const Pairs& row : rows) {
    table.rows.emplace_back();
    for (const auto& [column, value] : row)
      if (is_shown(column)) table.rows.back().push_back(value);
  }
  return table;
}

}  // namespace epsilary::experiments
