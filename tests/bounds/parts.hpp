// What statements are made of, in tests/reference/parts: a name, parameters of its own, a value and its digits.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace parts {

struct Part {
  std::string name, field, words, value;
  int digits = 40;

  std::string at(const std::string& key) const {
    std::istringstream all(words);
    for (std::string word; all >> word;)
      if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
    return "";
  }
};

inline std::vector<Part> read(const std::string& table) {
  std::ifstream in(EPSILARY_SOURCE "/tests/reference/parts/" + table);
  std::vector<Part> out;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    Part p;
    std::string digits;
    for (std::string* cell : {&p.name, &p.field, &p.words, &p.value, &digits}) std::getline(cells, *cell, ',');
    p.digits = std::stoi(digits);
    out.push_back(std::move(p));
  }
  REQUIRE_MESSAGE(!out.empty(), "no rows in " << table);
  return out;
}

}  // namespace parts
