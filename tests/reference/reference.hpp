// The reference tables, every tests/reference/*.csv: a bound, a field of its result, a point, the value, and how
// many of its digits are to be reproduced (40 where the column is left out).
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/axis.hpp"

namespace reference {

struct Entry {
  std::string bound, field, params;
  bounds::Point point;
  solvers::Decimal target;  // for solve rows
  std::string value;
  int digits = 40;

  std::string name() const { return bound + " " + field + " " + params; }
};

inline bounds::Point parse_point(const std::string& params, solvers::Decimal* target = nullptr) {
  bounds::Point point;
  std::istringstream words(params);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "target" && target)
      *target = solvers::Decimal(value);
    else if (key == "steps")
      point.set_steps(experiments::parse_sequence(value));
    else
      point.set(bounds::param_named(key).value(), solvers::Decimal(value));
  }
  return point;
}

inline std::vector<Entry> read_table(const std::filesystem::path& table) {
  std::ifstream in(table);
  if (!in) throw std::runtime_error("cannot read " + table.string());
  std::vector<Entry> entries;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    Entry e;
    std::getline(cells, e.bound, ',');
    std::getline(cells, e.field, ',');
    std::getline(cells, e.params, ',');
    std::getline(cells, e.value, ',');
    if (std::string digits; std::getline(cells, digits, ',')) e.digits = std::stoi(digits);
    e.point = parse_point(e.params, &e.target);
    entries.push_back(std::move(e));
  }
  return entries;
}

inline const std::vector<Entry>& all() {
  static const std::vector<Entry> entries = [] {
    std::vector<std::filesystem::path> tables;
    for (const auto& file : std::filesystem::directory_iterator(EPSILARY_SOURCE "/tests/reference"))
      if (file.path().extension() == ".csv") tables.push_back(file.path());
    std::sort(tables.begin(), tables.end());
    std::vector<Entry> joined;
    for (const auto& table : tables)
      for (Entry& e : read_table(table)) joined.push_back(std::move(e));
    return joined;
  }();
  return entries;
}

}  // namespace reference
