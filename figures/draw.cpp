#include "figures/draw.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

#include "experiments/tables/part_file.hpp"
#include "figures/gnuplot.hpp"
#include "figures/matplotpp.hpp"

namespace epsilary::drawing {
namespace {

// A PDF says when it was made; the same figure is the same bytes, so it is given one date, as long as its own.
void pin_date(const std::filesystem::path& pdf) {
  std::fstream file(pdf, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view key = "/CreationDate (D:", date = "20000101000000";
  const std::size_t at = bytes.find(key);
  if (at == std::string::npos) return;
  file.clear();
  file.seekp(static_cast<std::streamoff>(at + key.size()));
  file.write(date.data(), static_cast<std::streamsize>(date.size()));
}

bool ends_with(const std::string& bytes, std::string_view mark, std::size_t within) {
  return bytes.size() >= mark.size() &&
         bytes.find(mark, bytes.size() - std::min(bytes.size(), within)) != std::string::npos;
}

// A picture that was cut off, by a full disk or by whatever else, lacks its end.
void refuse_broken(const std::filesystem::path& part, const std::filesystem::path& out, const std::string& extension) {
  std::ifstream file(part, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string_view mark = extension == ".svg" ? "</svg>" : extension == ".png" ? "IEND" : "%%EOF";
  if (ends_with(bytes, mark, 32)) return;
  std::error_code error;
  const auto space = std::filesystem::space(std::filesystem::absolute(part).parent_path(), error);
  const bool full = !error && space.available < (1 << 20);
  throw Error(Problem::could_not,
              "cannot write " + out.string() + ": the picture was cut off after " + std::to_string(bytes.size()) +
                  " bytes" + (full ? "; the disk is full" : "") + "; " +
                  (std::filesystem::exists(out, error) ? "the old one is as it was" : "none was written"),
              "make room and run the same command again");
}

}  // namespace

std::optional<Backend> backend_named(std::string_view name) {
  if (name == "gnuplot") return Backend::gnuplot;
  if (name == "matplotpp") return Backend::matplotpp;
  return {};
}

void draw(const Figure& f, const std::filesystem::path& out, Backend backend) {
  const std::string extension = out.extension().string();
  if (extension != ".svg" && extension != ".png" && extension != ".pdf") throw no_picture_format(extension);
  if (!out.parent_path().empty() && !std::filesystem::is_directory(out.parent_path()))  // Matplot++ would make one
    throw Error(Problem::could_not,
                "cannot write " + out.string() + ": there is no folder " + out.parent_path().string(),
                "make the folder, or name another");
  std::error_code unknown;
  if (std::filesystem::is_directory(out, unknown)) refuse_writing(out, EISDIR);
  const std::filesystem::path part = part_of(out);  // keeps the extension, which chooses the format
  // Opened here first, so that a folder without permission is told as that.
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) refuse_writing(out, errno);
  ::close(fd);
  try {
    // A table of words is no picture that Matplot++ has.
    backend == Backend::gnuplot || !f.cells.empty() ? draw_with_gnuplot(f, part) : draw_with_matplotpp(f, part);
    refuse_broken(part, out, extension);
    if (extension == ".pdf") pin_date(part);
    replace(out, part);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

}  // namespace epsilary::drawing
