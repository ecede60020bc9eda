// Files that are either the old ones or whole new ones.
#include <cerrno>
#include <epsilary/epsilary.hpp>
#include <filesystem>
#include <fstream>

#include "experiments/tables/part_file.hpp"

namespace epsilary {

void write_file(const std::string& name, const std::vector<std::string>& pieces) {
  namespace fs = std::filesystem;
  const fs::path path = name;
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) refuse_writing(path, EISDIR);
  // A device or a pipe is written to, never replaced.
  const bool in_place = fs::exists(path, unknown) && !fs::is_regular_file(path, unknown);
  const fs::path part = in_place ? path : part_of(path);
  {
    errno = 0;
    std::ofstream out(part, std::ios::binary);
    for (const std::string& bytes : pieces) out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      const int why = errno ? errno : EIO;
      if (!in_place) fs::remove(part, unknown);
      refuse_writing(path, why);
    }
  }
  if (!in_place) replace(path, part);
}

}  // namespace epsilary
