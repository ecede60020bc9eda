#include "experiments/table.hpp"

#include <algorithm>

namespace experiments {
namespace {

using namespace bounds;

std::string join(const Pairs& pairs) {
  std::string text;
  for (const auto& [key, value] : pairs) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text;
}

// The centre of a ball to many digits, zeros trimmed: a parameter the formula chose is a short decimal.
std::string chosen(const Ball& x) {
  Ball centre = x;
  mag_zero(arb_radref(centre.arb()));
  return Decimal(decimal(centre, 40, Rounding::down)).text();
}

}  // namespace

Pairs used_params(const Bound& b, const Point& point) {
  Pairs used;
  used.reserve(b.needs.size() + b.takes.size());
  const auto uses = [&b](Param p) { return std::ranges::count(b.needs, p) || std::ranges::count(b.takes, p); };
  for (const auto& [param, value] : point.given())
    if (uses(param)) used.emplace_back(key(param), value->text());
  if (point.has(Param::steps) && uses(Param::steps)) used.emplace_back(key(Param::steps), point.text(Param::steps));
  return used;
}

Record describe(const Bound& b, const Point& point, const Evaluation& e, int digits) {
  Record r{.bound = &b, .status = std::string(name(e.status)), .certified = e.certified, .note = e.reason};
  r.params = used_params(b, point);
  if (b.standing == Standing::unsound || b.standing == Standing::rate)
    r.note += (r.note.empty() ? "" : "; ") + std::string(b.note);
  if (e.status == Status::outside || e.status == Status::unresolved) return r;

  const Rounding safe = b.side == Side::lower ? Rounding::down : Rounding::up;
  r.lower = decimal(e.answer.value, digits, Rounding::down);
  r.upper = decimal(e.answer.value, digits, Rounding::up);
  r.value = safe == Rounding::down ? r.lower : r.upper;
  if (e.answer.cap) r.beside.emplace_back("capped", decimal(capped(e.answer), digits, safe));
  if (e.answer.log_delta_total) {
    if (const std::optional<Ball> total = delta_total(e.answer))
      r.beside.emplace_back("delta_total", decimal(*total, digits, Rounding::up));
    else
      r.beside.emplace_back("log_delta_total", decimal(*e.answer.log_delta_total, digits, Rounding::up));
  }
  for (const auto& extra : e.answer.beside) r.beside.emplace_back(extra.name, decimal(extra.value, digits, safe));
  for (const auto& choice : e.answer.at) r.at.emplace_back(key(choice.param), chosen(choice.value));
  return r;
}

Table to_table(const std::vector<Record>& records) {
  std::vector<std::string> keys, extras;
  for (const ParamInfo& p : params())
    if (std::ranges::any_of(records, [&](const Record& r) {
          return std::ranges::any_of(r.params, [&](const auto& pair) { return pair.first == p.key; });
        }))
      keys.emplace_back(p.key);
  for (const Record& r : records)
    for (const auto& [name, value] : r.beside)
      if (!std::ranges::count(extras, name)) extras.push_back(name);

  Table table{{"bound", "protocol", "quantity", "side", "standing", "status"}, {}};
  table.columns.insert(table.columns.end(), keys.begin(), keys.end());
  for (const char* column : {"value", "lower", "upper", "certified", "guarantee"}) table.columns.emplace_back(column);
  table.columns.insert(table.columns.end(), extras.begin(), extras.end());
  table.columns.emplace_back("at");
  table.columns.emplace_back("note");

  const auto find = [](const Pairs& pairs, const std::string& key) {
    const auto it = std::ranges::find(pairs, key, &Pairs::value_type::first);
    return it == pairs.end() ? std::string{} : it->second;
  };
  for (const Record& r : records) {
    const Bound& b = *r.bound;
    std::vector<std::string> cells{
        std::string(b.id),         std::string(b.protocol),       std::string(name(b.quantity)),
        std::string(name(b.side)), std::string(name(b.standing)), r.status};
    for (const std::string& k : keys) cells.push_back(find(r.params, k));
    const bool guarantee = r.certified && is_guarantee(b);
    for (const std::string& c : {r.value, r.lower, r.upper, std::string(r.certified ? "true" : "false"),
                                 std::string(guarantee ? "true" : "false")})
      cells.push_back(c);
    for (const std::string& k : extras) cells.push_back(find(r.beside, k));
    cells.push_back(join(r.at));
    cells.push_back(r.note);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace experiments
