// The reference tables of tests/reference: a bound, a field of its result, a point, and 45 digits.
#pragma once

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

inline std::vector<Entry> read(const std::string& table) {
  std::ifstream in(std::string(EPSILARY_SOURCE "/tests/reference/") + table);
  if (!in) throw std::runtime_error("no reference table " + table);
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
    e.point = parse_point(e.params, &e.target);
    entries.push_back(std::move(e));
  }
  return entries;
}

}  // namespace reference
