#include "experiments/learning/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/sweep/spec.hpp"
#include "experiments/tables/read_table.hpp"
#include "solvers/numbers/decimal.hpp"

namespace epsilary::learning {
namespace {

std::size_t column_of(const Table& table, const std::string& name) {
  const auto at = std::ranges::find(table.columns, name);
  if (at == table.columns.end())
    throw experiments::BadSpec(fmt::format("results of training have no column '{}'", name));
  return static_cast<std::size_t>(at - table.columns.begin());
}

}  // namespace

Table stored_table(const std::vector<std::string>& ids) {
  Table out;
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(stored_results(), id, &Stored::id);
    if (found == stored_results().end()) {
      std::vector<std::string> known;
      for (const Stored& s : stored_results()) known.emplace_back(s.id);
      throw experiments::BadSpec(fmt::format("no results of a training '{}' are kept{}", id, did_you_mean(id, known)));
    }
    Table one = experiments::parse_table(found->csv, id);
    one.columns.insert(one.columns.begin(), "training");
    for (auto& row : one.rows) row.insert(row.begin(), id);
    if (out.columns.empty()) out.columns = one.columns;
    if (out.columns != one.columns)
      throw experiments::BadSpec(fmt::format("the results of {} and {} have other columns", ids.front(), id));
    out.rows.insert(out.rows.end(), one.rows.begin(), one.rows.end());
  }
  return out;
}

std::string stored_number(const Wanted& wanted) {
  const Table table = stored_table({wanted.training});
  const std::size_t bound = column_of(table, "bound"), value = column_of(table, "value"),
                    column = column_of(table, wanted.column);
  std::string out;
  for (const auto& row : table.rows) {
    if (row[bound] != wanted.bound) continue;
    if (std::ranges::any_of(wanted.where, [&](const auto& w) { return row[column_of(table, w.first)] != w.second; }))
      continue;
    if (!wanted.eps.empty() &&
        (row[value].empty() || solvers::Decimal(row[value]).exact() > solvers::Decimal(wanted.eps).exact()))
      continue;
    out = row[column];
  }
  if (out.empty())
    throw experiments::BadSpec(
        fmt::format("the results of {} have no such {} of {}", wanted.training, wanted.column, wanted.bound));
  return out;
}

}  // namespace epsilary::learning
