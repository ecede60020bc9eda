#include "figures/draw.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

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
  throw std::runtime_error("cannot write " + out.string() + ": the picture was cut off after " +
                           std::to_string(bytes.size()) + " bytes" +
                           (!error && space.available < (1 << 20) ? "; the disk is full" : "") + "; " +
                           (std::filesystem::exists(out) ? "the old one is as it was" : "none was written"));
}

// On the disk before its name is given to it, or a crash could leave an empty file under a good name.
void settle(const std::filesystem::path& part) {
  const int fd = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
  const bool settled = fd >= 0 && ::fsync(fd) == 0;
  const int why = errno;
  if (fd >= 0) ::close(fd);
  if (!settled) throw std::runtime_error("cannot write " + part.string() + ": " + std::strerror(why));
}

// What processes that were killed left behind of this picture.
void clear_leftovers(const std::filesystem::path& out) {
  const std::string name = out.filename().string();
  std::error_code error;
  const auto folder = out.parent_path().empty() ? std::filesystem::path(".") : out.parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(".part-") || !file.ends_with("-" + name) || file.size() <= 7 + name.size()) continue;
    const std::string number = file.substr(6, file.size() - 7 - name.size());
    if (number.size() > 10 || number.find_first_not_of("0123456789") != std::string::npos) continue;
    if (::kill(static_cast<pid_t>(std::stoll(number)), 0) != 0 && errno == ESRCH)
      std::filesystem::remove(entry.path(), error);
  }
}

}  // namespace

std::optional<Backend> backend_named(std::string_view name) {
  if (name == "gnuplot") return Backend::gnuplot;
  if (name == "matplotpp") return Backend::matplotpp;
  return {};
}

void draw(const Figure& f, const std::filesystem::path& out, Backend backend) {
  const std::string extension = out.extension().string();
  if (extension != ".svg" && extension != ".png" && extension != ".pdf")
    throw std::runtime_error("'" + extension + "' is not a figure format; use .svg, .png or .pdf");
  if (!out.parent_path().empty() && !std::filesystem::is_directory(out.parent_path()))  // Matplot++ would make one
    throw std::runtime_error("cannot write " + out.string() + ": there is no folder " + out.parent_path().string());
  clear_leftovers(out);
  std::filesystem::path part = out;  // keeps the extension, which chooses the format
  part.replace_filename(".part-" + std::to_string(::getpid()) + "-" + out.filename().string());
  try {
    backend == Backend::gnuplot ? draw_with_gnuplot(f, part) : draw_with_matplotpp(f, part);
    refuse_broken(part, out, extension);
    if (extension == ".pdf") pin_date(part);
    settle(part);
    std::filesystem::rename(part, out);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

}  // namespace epsilary::drawing
