// Text that people typed: taken apart, and echoed in a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epsilary::solvers {

// The parts between the separators, at least one.
inline std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// In quotes, and no longer than a reader needs to know it again.
inline std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "..." : "") + "'";
}

}  // namespace epsilary::solvers
