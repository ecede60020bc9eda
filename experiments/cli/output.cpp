// Where the result of long work may go.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "experiments/cli/command.hpp"

namespace epsilary::cli {

namespace fs = std::filesystem;
using epsilary::Error;
using epsilary::Problem;

namespace {

// Where a file is or will be, also behind a link to what is not there yet.
fs::path place_of(const std::string& file) {
  std::error_code error;
  fs::path at = fs::absolute(file, error);
  for (int links = 0; links < 40 && fs::is_symlink(at, error) && !fs::exists(at, error); ++links)
    at = at.parent_path() / fs::read_symlink(at, error);
  return fs::weakly_canonical(at, error);
}

}  // namespace

void refuse_unwritable(const std::string& output) {
  if (output.empty()) return;
  const fs::path folder = fs::path(output).parent_path();
  std::error_code unknown;
  const bool is_folder = fs::is_directory(output, unknown);
  if (is_folder || access(((folder.empty() ? fs::path(".") : folder) / "").c_str(), W_OK) != 0)
    throw Error(Problem::could_not,
                fmt::format("cannot write {}: {}", output, is_folder ? "it is a folder" : std::strerror(errno)),
                "name a file in a folder that can be written");
}

void refuse_same_file(const std::string& output, const std::string& journal) {
  if (output.empty() || journal.empty()) return;
  std::error_code error;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"})  // SQLite's own files beside it
    if (const std::string kept = journal + suffix;
        place_of(output) == place_of(kept) || fs::equivalent(output, kept, error))
      throw Error(Problem::usage, fmt::format("{} is to be the journal{} and the result", output, suffix),
                  "name two files, or leave out --journal");
}

}  // namespace epsilary::cli
