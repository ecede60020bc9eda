// Any text is either a value, list, range or sequence, or is refused; what is read prints and reads back as itself.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "experiments/sweep/axis.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto reads_back = [](const std::vector<epsilary::solvers::Decimal>& values) {
    for (const auto& x : values)
      if (!(epsilary::solvers::Decimal(x.text()).exact() == x.exact())) std::abort();
  };
  constexpr std::size_t most = 50;  // a long range is a lot of work and no new path
  try {
    reads_back(epsilary::experiments::parse_values(text, most));
  } catch (const epsilary::experiments::BadValue&) {
  }
  try {
    reads_back(epsilary::experiments::parse_sequence(text, most));
  } catch (const epsilary::experiments::BadValue&) {
  }
  return 0;
}
