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

#include "experiments/sweep/axis.hpp"

namespace reference {

struct Entry {
  std::string bound, field, params;
  epsilary::bounds::Point point;
  epsilary::solvers::Decimal target;  // for solve rows
  std::string value;
  int digits = 40;

  std::string name() const { return bound + " " + field + " " + params; }
};

// In a cell | stands for a comma.
inline std::string with_commas(std::string cell) {
  std::ranges::replace(cell, '|', ',');
  return cell;
}

inline epsilary::bounds::Point parse_point(const std::string& params, epsilary::solvers::Decimal* target = nullptr) {
  epsilary::bounds::Point point;
  std::istringstream words(params);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "target" && target)
      *target = epsilary::solvers::Decimal(value);
    else if (key == "steps")
      point.set_steps(epsilary::experiments::parse_sequence(value));
    else if (key == "randomizer")
      point.set_randomizer(epsilary::experiments::read_randomizer(with_commas(value)));
    else
      point.set(epsilary::bounds::param_named(key).value(), epsilary::solvers::Decimal(value));
  }
  epsilary::experiments::set_own_privacy(point);
  return point;
}

// The rows of a table below its header, cell by cell.
inline std::vector<std::vector<std::string>> cells(const std::filesystem::path& table) {
  std::ifstream in(table);
  if (!in) throw std::runtime_error("cannot read " + table.string());
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    rows.emplace_back();
    for (std::string cell; std::getline(words, cell, ',');) rows.back().push_back(cell);
  }
  if (rows.empty()) throw std::runtime_error("no rows in " + table.string());
  return rows;
}

inline std::vector<Entry> read_table(const std::filesystem::path& table) {
  std::vector<Entry> entries;
  for (const std::vector<std::string>& row : cells(table)) {
    Entry e{.bound = row.at(0), .field = row.at(1), .params = row.at(2), .point = {}, .target = {}, .value = row.at(3)};
    if (row.size() > 4) e.digits = std::stoi(row[4]);
    e.point = parse_point(e.params, &e.target);
    entries.push_back(std::move(e));
  }
  return entries;
}

// What a bracket of the program must contain, of tests/reference/brackets: a bound, a point, the value, its digits.
struct Contained {
  std::string bound, params, value;
  int digits;
};
inline std::vector<Contained> brackets(const std::string& table) {
  std::vector<Contained> out;
  for (const auto& row : cells(EPSILARY_SOURCE "/tests/reference/brackets/" + table))
    out.push_back({row.at(0), row.at(1), row.at(2), std::stoi(row.at(3))});
  return out;
}

// What statements are made of, of tests/reference/parts: a name, parameters of its own, a value and its digits.
struct Part {
  std::string name, field, words, value;
  int digits;

  std::string at(const std::string& key) const {
    std::istringstream all(words);
    for (std::string word; all >> word;)
      if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
    return "";
  }
};
inline std::vector<Part> parts(const std::string& table) {
  std::vector<Part> out;
  for (const auto& row : cells(EPSILARY_SOURCE "/tests/reference/parts/" + table))
    out.push_back({row.at(0), row.at(1), row.at(2), row.at(3), std::stoi(row.at(4))});
  return out;
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
