#include "experiments/sweep/journal_header.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "experiments/sweep/journal.hpp"

namespace epsilary::experiments {

void refuse_foreign_journal(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return;
  const auto refuse = [&](const char* what) {
    throw BadJournal(fmt::format("{} {}", file.string(), what), "name another file with --journal FILE");
  };
  if (!std::filesystem::is_regular_file(file, none)) refuse("is not a file that can hold a journal");
  if (std::filesystem::file_size(file, none) == 0) return;
  char header[100] = {};
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw BadJournal(fmt::format("cannot read the journal {}: {}", file.string(), std::strerror(errno)),
                     "name another file with --journal FILE");
  in.read(header, sizeof header);
  if (!in || std::memcmp(header, "SQLite format 3", 16) != 0) refuse("is not a journal of epsilary");
  int id = 0;
  for (int i = 68; i < 72; ++i) id = id << 8 | static_cast<unsigned char>(header[i]);
  if (id != application_id) refuse("is an SQLite file of another program");
}

}  // namespace epsilary::experiments
