// Any lines "parameter text" are either axes, ties among them, or are refused; a grid that is laid has the size that
// was counted.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "experiments/sweep/axis.hpp"

namespace {

using namespace epsilary::experiments;

// A range of many values is a lot of work and no new path.
bool is_long(std::string_view text) {
  if (const std::size_t count = text.find_last_of(":x"); count != std::string_view::npos)
    return text.find_last_of("0123456789") >= text.find_first_of("0123456789", count) + 2;
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<Axis> axes;
  try {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      const std::size_t space = std::min(line.find(' '), line.size());
      const auto param = epsilary::bounds::param_named(line.substr(0, space));
      const std::string_view values = line.substr(std::min(space + 1, line.size()));
      if (!param || values.size() > 300 || is_long(values)) return 0;
      axes.push_back(parse_axis(*param, values));
    }
    if (axes.empty() || grid_size(axes) > 1000) return 0;
    const auto points = lay_grid(axes);
    if (points.size() != grid_size(axes)) std::abort();
    first_point(axes);
  } catch (const BadValue& bad) {
    if (std::string_view(bad.what()).empty()) std::abort();
  }
  return 0;
}
