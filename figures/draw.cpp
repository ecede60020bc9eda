#include "figures/draw.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "figures/gnuplot.hpp"
#include "figures/matplotpp.hpp"

namespace figures {
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
  std::filesystem::path part = out;
  part.replace_filename(".part-" + out.filename().string());  // keeps the extension, which chooses the format
  try {
    backend == Backend::gnuplot ? draw_with_gnuplot(f, part) : draw_with_matplotpp(f, part);
    if (!std::filesystem::exists(part)) throw std::runtime_error("nothing was written to " + part.string());
    if (extension == ".pdf") pin_date(part);
    std::filesystem::rename(part, out);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

}  // namespace figures
