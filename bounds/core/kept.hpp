// Statements name themselves by views; words put together at the start are kept for as long as the program runs.
#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace epsilary::bounds {

inline std::string_view kept(std::string words) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(words));
}

}  // namespace epsilary::bounds
