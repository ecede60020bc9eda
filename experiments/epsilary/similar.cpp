#include "experiments/epsilary/similar.hpp"

#include <algorithm>

namespace epsilary::experiments {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::vector<std::string> similar(std::string_view typed, const std::vector<std::string>& names, std::size_t most) {
  if (typed.size() > 200) return {};  // nothing here is called so
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(typed, name);
    if (distance <= std::max<std::size_t>(2, name.size() / 2)) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (const auto& [distance, name] : near)
    if (out.size() < most && !std::ranges::count(out, name)) out.push_back(name);
  return out;
}

}  // namespace epsilary::experiments
