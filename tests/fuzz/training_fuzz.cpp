// Any bytes are either a training or are refused with file and line; nothing else is thrown.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "experiments/learning/training_spec.hpp"
#include "experiments/sweep/spec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto spec = epsilary::learning::parse_training_spec({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
    if (spec.rounds == 0 || spec.every == 0 || spec.every > spec.rounds || spec.sigmas.empty() || spec.rates.empty())
      std::abort();
  } catch (const epsilary::experiments::BadSpec& bad) {
    if (!std::string_view(bad.what()).starts_with("fuzz.toml:")) std::abort();
  }
  return 0;
}
