// Any bytes are either claims or are refused with file and line; nothing else is thrown.
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "experiments/claims/claims.hpp"
#include "experiments/sweep/spec.hpp"

namespace {

// A range of many values is a lot of work and no new path.
bool has_long_range(std::string_view text) {
  for (std::size_t at = 0; (at = text.find_first_of(":x", at)) != std::string_view::npos; ++at) {
    int digits = 0;
    for (std::size_t i = at + 1; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i) ++digits;
    if (digits > 3) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (has_long_range(text)) return 0;
  try {
    epsilary::experiments::parse_claims(text, "fuzz.toml");
  } catch (const epsilary::experiments::BadSpec& bad) {
    if (!std::string_view(bad.what()).starts_with("fuzz.toml:")) std::abort();
  }
  return 0;
}
