#include <algorithm>
#include <map>

#include "figures/figure.hpp"

namespace figures {
namespace {

using experiments::BadSpec;
using experiments::Spec;
using experiments::Table;

std::size_t column(const Spec& spec, const Table& table, const std::string& name) {
  const auto it = std::ranges::find(table.columns, name);
  if (it == table.columns.end()) throw BadSpec(spec.id + ": the table has no column '" + name + "'");
  return static_cast<std::size_t>(it - table.columns.begin());
}

Dash dash_named(const std::string& name) {
  return name == "dotted" ? Dash::dotted : name == "dashed" ? Dash::dashed : Dash::solid;
}

// 1000 as 10^3 where that is what it is; other numbers as they are.
std::string readable(const std::string& number) {
  if (number.size() > 3 && number[0] == '1' && number.find_first_not_of('0', 1) == std::string::npos)
    return "10^" + std::to_string(number.size() - 1);
  return number;
}

// The label with {key} replaced by the value in this row's column `key`.
std::string fill(std::string label, const Table& table, const std::vector<std::string>& row) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string place = "{" + table.columns[c] + "}";
    if (const auto at = label.find(place); at != std::string::npos) label.replace(at, place.size(), readable(row[c]));
  }
  return label;
}

}  // namespace

Figure compose(const Spec& spec, const Table& table) {
  const auto& look = spec.figure;
  const std::size_t x = column(spec, table, look.x.column), y = column(spec, table, look.y.column);
  const std::size_t bound = column(spec, table, "bound"), status = column(spec, table, "status");
  const std::size_t shade = look.colors.empty() ? bound : column(spec, table, look.colors);

  Figure figure{{look.x.label, look.x.logarithmic, look.x.from, look.x.to},
                {look.y.label, look.y.logarithmic, look.y.from, look.y.to},
                {}};
  std::vector<std::string> shades;
  for (const auto& row : table.rows)
    if (!std::ranges::count(shades, row[shade])) shades.push_back(row[shade]);

  for (const auto& reference : look.references) {
    const std::size_t c = column(spec, table, reference.y);
    Curve curve{.label = reference.label, .color = "#999999", .width = 3};
    std::map<std::string, bool> seen;
    for (const auto& row : table.rows) {
      if (seen[row[x]]) continue;
      seen[row[x]] = true;
      curve.x.push_back(row[x]);
      curve.y.push_back(row[c]);
      curve.faded.push_back(false);
    }
    figure.curves.push_back(std::move(curve));
  }
  for (const auto& line : look.lines)
    for (std::size_t s = 0; s < shades.size(); ++s) {
      Curve curve{.dash = dash_named(line.dash), .color = std::string(palette[s % palette.size()])};
      for (const auto& row : table.rows) {
        if (row[bound] != line.bound || row[shade] != shades[s] || row[y].empty()) continue;
        if (curve.label.empty()) curve.label = fill(line.label, table, row);
        curve.x.push_back(row[x]);
        curve.y.push_back(row[y]);
        curve.faded.push_back(row[status] == "vacuous");
      }
      if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
    }
  return figure;
}

}  // namespace figures
