#include "figures/plain.hpp"

#include <algorithm>
#include <set>

#include "figures/label.hpp"
#include "figures/table_view.hpp"

namespace epsilary::drawing {
namespace {

using epsilary::Drawing;
using epsilary::Error;
using epsilary::Problem;
using epsilary::Table;

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + shown(name);
  return out;
}

std::vector<std::string> distinct(const Table& table, const std::string& column) {
  const auto at = std::ranges::find(table.columns, column);
  if (at == table.columns.end())
    throw Error(Problem::usage, "the table has no column '" + shown(column) + "'",
                "its columns are " + listed(table.columns));
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const auto& row : table.rows) {
    const std::string& cell = row[static_cast<std::size_t>(at - table.columns.begin())];
    if (seen.insert(cell).second) values.push_back(cell);
  }
  return values;
}

bool has(const Table& table, const std::string& column) { return std::ranges::count(table.columns, column) > 0; }

// The parameters that take more than one value, the one with most of them first.
std::vector<std::string> varying(const Table& table) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const epsilary::Parameter& p : epsilary::parameters()) {
    if (!has(table, p.key)) continue;
    const auto values = distinct(table, p.key);
    const auto numbers = std::ranges::count_if(values, [](const std::string& v) { return is_number(v); });
    if (numbers > 1) found.emplace_back(numbers, p.key);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> keys;
  for (auto& [count, key] : found) keys.push_back(std::move(key));
  return keys;
}

// Over two decades a linear axis shows one of them.
bool spans_decades(const Table& table, const std::string& column) {
  double low = HUGE_VAL, high = 0;
  for (const std::string& cell : distinct(table, column)) {
    if (!is_number(cell)) continue;
    low = std::min(low, to_double(cell));
    high = std::max(high, to_double(cell));
  }
  return low > 0 && high >= 100 * low && std::isfinite(high);
}

std::string value_column(const Table& table) {
  for (const char* name : {"value", "epsilon", "delta", "rdp"})
    if (has(table, name)) return name;
  return "value";  // which is refused
}

}  // namespace

experiments::Spec plain_spec(const Table& table, const Drawing& drawing) {
  Drawing d = drawing;
  if (d.y.empty()) d.y = value_column(table);
  if (d.x.empty()) {
    std::vector<std::string> keys = varying(table);
    std::erase(keys, d.colors);
    std::erase(keys, d.y);
    if (keys.empty())
      throw Error(Problem::usage,
                  shown(d.what) + ": no parameter takes two values, so there is nothing to draw against",
                  "name a column: --x COLUMN; the columns are " + listed(table.columns));
    if (keys.size() + !d.colors.empty() > 2)
      throw Error(
          Problem::usage,
          shown(d.what) + ": " + listed(keys) + " all vary, and a figure has one axis and one set of colours",
          "keep rows with one value of all but two of them, or name them: --x " + keys[0] + " --colors " + keys[1]);
    d.x = keys[0];
    if (keys.size() == 2) d.colors = keys[1];
    d.log_x = d.log_x || spans_decades(table, d.x);
    d.log_y = d.log_y || spans_decades(table, d.y);
  }
  experiments::FigureLook look{{d.x, d.x, d.log_x, "", ""}, {d.y, d.y, d.log_y, "", ""}, d.colors, {}, {}, {}, {}};
  for (const std::string& column : {d.x, d.y}) distinct(table, column);
  for (const std::string& bound : distinct(table, "bound"))
    look.lines.push_back(
        {bound, d.colors.empty() ? bound : bound + ", " + d.colors + " = {" + d.colors + "}", "solid", "", {}});
  return {"table", d.what, "", {}, look};
}

}  // namespace epsilary::drawing
