#include "figures/table_view.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "solvers/decimal.hpp"

namespace figures {

std::size_t View::column(const std::string& name) const {
  const auto it = std::ranges::find(table.columns, name);
  if (it == table.columns.end())
    throw experiments::BadSpec((spec.figure.place.empty() ? spec.id : spec.figure.place) +
                               ": the table has no column '" + name + "'");
  return static_cast<std::size_t>(it - table.columns.begin());
}

std::vector<const std::vector<std::string>*> View::rows_of(const std::string& bound) const {
  const std::size_t id = column("bound");
  std::vector<const std::vector<std::string>*> rows;
  for (const auto& row : table.rows)
    if (row[id] == bound) rows.push_back(&row);
  return rows;
}

// 1e5 in a spec is the 100000 of the table.
bool View::matches(const std::vector<std::string>& row, const experiments::Where& where) const {
  return std::ranges::all_of(where, [&](const auto& condition) {
    const std::string& cell = row[column(condition.first)];
    return cell == condition.second ||
           (is_number(condition.second) && cell == solvers::Decimal(condition.second).text());
  });
}

std::vector<std::string> View::distinct(std::size_t c) const {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const auto& row : table.rows)
    if (seen.insert(row[c]).second) values.push_back(row[c]);
  return values;
}

double to_double(const std::string& text) {
  double x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

bool is_number(const std::string& text) {
  double x = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), x);
  return !text.empty() && parsed.ptr == text.data() + text.size();
}

}  // namespace figures
