#include "figures/plain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
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

// Whether each value of the column `to` goes with one value of the column `key`.
bool is_tied(const Table& table, const std::string& key, const std::string& to) {
  const auto place = [&](const std::string& column) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, column) - table.columns.begin());
  };
  std::map<std::string, std::string> other;
  for (const auto& row : table.rows)
    if (other.try_emplace(row[place(to)], row[place(key)]).first->second != row[place(key)]) return false;
  return true;
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

// What the column of values holds, where that is the same in all rows; else the column's name.
std::string label_of(const Table& table, const std::string& column) {
  if (column != "value" || !has(table, "quantity")) return column;
  const std::vector<std::string> quantities = distinct(table, "quantity");
  return quantities.size() == 1 ? quantities[0] : column;
}

}  // namespace

experiments::Spec plain_spec(const Table& table, const Drawing& drawing) {
  Drawing d = drawing;
  if (d.y.empty()) d.y = value_column(table);
  const bool finds_x = d.x.empty();
  std::vector<std::string> keys = varying(table);
  const auto is_drawn = [&](const std::string& key) { return key == d.x || key == d.y || key == d.colors; };
  std::erase_if(keys, is_drawn);
  if (finds_x) {
    if (keys.empty())
      throw Error(Problem::usage,
                  shown(d.what) + ": no parameter takes two values, so there is nothing to draw against",
                  "name a column: --x COLUMN; the columns are " + listed(table.columns));
    d.x = keys[0];
  }
  for (const std::string& column : {d.x, d.y}) distinct(table, column);
  std::erase_if(keys, [&](const std::string& key) { return is_drawn(key) || is_tied(table, key, d.x); });
  if (d.colors.empty() && keys.size() == 1) d.colors = keys[0], keys.clear();
  if (!keys.empty())
    throw Error(Problem::usage,
                shown(d.what) + ": " + listed(keys) + " vary beside " + shown(d.x) +
                    (d.colors.empty() ? "" : " and " + shown(d.colors)) +
                    ", and a figure has one axis and one set of colours",
                d.colors.empty() ? "keep the rows with one value of all but one of them"
                                 : "keep the rows with one value of each");
  if (finds_x) {
    d.log_x = d.log_x || spans_decades(table, d.x);
    d.log_y = d.log_y || spans_decades(table, d.y);
  }
  // Colours that tell values leave dashes to tell bounds.
  constexpr std::array<const char*, 3> dashes{"solid", "dashed", "dotted"};
  const std::vector<std::string> bounds = distinct(table, "bound");
  if (!d.colors.empty() && bounds.size() > dashes.size())
    throw Error(Problem::usage,
                shown(d.what) + ": " + std::to_string(bounds.size()) +
                    " bounds, and where colours tell the values of " + shown(d.colors) +
                    " there are three kinds of line to tell bounds",
                "keep the rows of three bounds, or those with one value of " + shown(d.colors));
  experiments::FigureLook look{
      {d.x, symbol(d.x), d.log_x, "", ""}, {d.y, label_of(table, d.y), d.log_y, "", ""}, d.colors, {}, {}, {}, {}};
  for (std::size_t i = 0; i < bounds.size(); ++i)
    look.lines.push_back({bounds[i],
                          d.colors.empty() ? bounds[i] : bounds[i] + ", " + d.colors + " = {" + d.colors + "}",
                          d.colors.empty() ? dashes[0] : dashes[i],
                          "",
                          {}});
  return {std::filesystem::path(d.what).stem().string(), d.what, "", {}, look};
}

}  // namespace epsilary::drawing
