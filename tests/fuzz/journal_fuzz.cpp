// Any bytes are either a journal or are refused as one; what is found in it is a record that can be printed.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/journal.hpp"
#include "solvers/numbers/decimal.hpp"

namespace {

using namespace epsilary::experiments;
namespace fs = std::filesystem;

Record cell(const char* eps0) {
  return {.bound = epsilary::bounds::named("balle2020-thm5.1").front(),
          .params = {{"eps0", eps0}, {"n", "10000"}, {"delta", "0.000001"}}};
}

// Throws where a text is no number.
void refuse_no_numbers(const Record& r) {
  for (const std::string* text : {&r.value, &r.lower, &r.upper})
    if (!text->empty()) epsilary::solvers::Decimal{*text};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fs::path memory = "/dev/shm";
  static const fs::path folder = (fs::is_directory(memory) ? memory : fs::temp_directory_path()) /
                                 ("epsilary-journal-fuzz-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path file = folder / "journal";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    Journal journal(file, {}, "fuzz");
    for (const char* eps0 : {"1", "2", "3"}) {
      Record r = cell(eps0);
      if (journal.find(r)) refuse_no_numbers(r);
    }
    Record kept = cell("4");
    kept.status = "ok";
    kept.value = kept.lower = kept.upper = "0.5";
    journal.keep(kept);
    journal.flush();
  } catch (const BadJournal&) {
  }
  fs::remove_all(folder);
  return 0;
}
