#include "figures/table_view.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "figures/label.hpp"
#include "solvers/numbers/decimal.hpp"

namespace epsilary::drawing {
namespace {

// 1e5 in a spec is the 100000 of the table.
std::string as_in_tables(const std::string& number) {
  try {
    return solvers::Decimal(number).text();
  } catch (const solvers::BadNumber&) {
    return number;  // an exponent of six digits
  }
}

}  // namespace

std::size_t View::column(const std::string& name) const {
  const auto it = std::ranges::find(table.columns, name);
  if (it == table.columns.end())
    throw experiments::BadSpec(place() + ": the table has no column '" + shown(name) + "'");
  return static_cast<std::size_t>(it - table.columns.begin());
}

std::vector<const std::vector<std::string>*> View::rows_of(const std::string& bound) const {
  const std::size_t id = column("bound");
  std::vector<const std::vector<std::string>*> rows;
  for (const auto& row : table.rows)
    if (row[id] == bound) rows.push_back(&row);
  return rows;
}

bool View::matches(const std::vector<std::string>& row, const experiments::Where& where) const {
  return std::ranges::all_of(where, [&](const auto& condition) {
    const std::string& cell = row[column(condition.first)];
    return cell == condition.second || (is_number(condition.second) && cell == as_in_tables(condition.second));
  });
}

std::vector<std::string> View::distinct(std::size_t c) const {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const auto& row : table.rows)
    if (seen.insert(row[c]).second) values.push_back(row[c]);
  return values;
}

std::optional<double> View::number(const std::vector<std::string>& row, std::size_t c) const {
  if (row[c].empty()) return {};
  if (is_number(row[c])) {
    const double value = to_double(row[c]);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;  // no paper is that large
  }
  const std::size_t line = 1 + static_cast<std::size_t>(&row - table.rows.data());
  throw experiments::BadSpec(place() + ": row " + std::to_string(line) + " of the table has '" + shown(row[c]) +
                             "' in the column '" + shown(table.columns[c]) + "', which is drawn and must hold numbers");
}

std::optional<double> View::at(const std::vector<std::string>& row) const {
  const auto plain = number(row, x);
  if (!plain || spec.figure.x.per.empty()) return plain;
  return *plain / to_double(spec.figure.x.per);
}

bool View::answers(const std::vector<std::string>& row) const {
  const auto it = std::ranges::find(table.columns, "answers");
  return it == table.columns.end() || row[static_cast<std::size_t>(it - table.columns.begin())] != "false";
}

void View::refuse_mixed(const std::string& what, const std::vector<std::string>& bounds) const {
  std::string first, question;
  for (const std::string& id : bounds)
    for (const auto* row : rows_of(id)) {
      std::string about;
      for (const char* name : {"protocol", "quantity", "adjacency", "view"})
        if (std::ranges::count(table.columns, name)) about += " " + (*row)[column(name)];
      if (first.empty()) first = id, question = about;
      if (about != question)
        throw experiments::BadSpec(place() + ": " + what + " compares two questions: " + first + " is about" +
                                   shown(question) + ", " + id + " about" + shown(about));
    }
}

double to_double(const std::string& text) {
  if (const std::size_t slash = text.find('/'); slash != std::string::npos)
    return to_double(text.substr(0, slash)) / to_double(text.substr(slash + 1));
  double x = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), x);
  if (parsed.ec != std::errc::result_out_of_range) return x;
  const std::size_t e = text.find_first_of("eE");
  const bool small = e != std::string::npos && text.substr(e + 1).starts_with('-');
  return small ? 0 : text.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
}

// A decimal or a fraction of two: not "nan", not "inf", not hexadecimal.
bool is_number(const std::string& text) {
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const std::string below = text.substr(slash + 1);
    return below.find('/') == std::string::npos && is_number(text.substr(0, slash)) && is_number(below) &&
           to_double(below) != 0;
  }
  if (text.find_first_not_of("0123456789.eE+-") != std::string::npos) return false;
  double x = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), x);
  return !text.empty() && parsed.ptr == text.data() + text.size();
}

std::optional<double> number_or_nothing(const std::string& text) {
  if (text.empty()) return {};
  return to_double(text);
}

}  // namespace epsilary::drawing
