// Files that are either the old ones or whole new ones.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <epsilary/epsilary.hpp>
#include <filesystem>
#include <fstream>

namespace epsilary {

void write_file(const std::string& name, const std::vector<std::string>& pieces) {
  const auto fail = [&](const char* what) {
    throw Error(Problem::could_not, fmt::format("cannot {} {}: {}", what, name, std::strerror(errno)),
                "the command ended there; what was whole before it is as it was");
  };
  const std::filesystem::path path = name;
  std::filesystem::path part = path;
  std::error_code unknown;
  const bool in_place = std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown);
  if (!in_place) part += fmt::format(".part{}", getpid());  // a device or a pipe is written to, never replaced
  {
    std::ofstream out(part, std::ios::binary);
    if (!out) fail("write");
    for (const std::string& bytes : pieces) out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) {
      const int reason = errno;
      std::error_code ignored;
      if (!in_place) std::filesystem::remove(part, ignored);
      errno = reason;
      fail("write");
    }
  }
  if (in_place) return;
  std::error_code renamed;
  std::filesystem::rename(part, path, renamed);
  if (renamed) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    errno = renamed.value();
    fail("write");
  }
}

}  // namespace epsilary
