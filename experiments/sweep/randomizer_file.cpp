#include "experiments/sweep/randomizer_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/sweep/axis.hpp"
#include "experiments/sweep/toml_reader.hpp"
#include "solvers/numbers/text.hpp"
#include "solvers/numbers/work.hpp"

namespace epsilary::experiments {
namespace {

using bounds::BadRandomizer;
using solvers::Rational;
using Rows = std::vector<std::vector<Rational>>;

constexpr std::uintmax_t largest_csv = 64u << 20, largest_toml = 8u << 20;  // a tree of TOML is many times its text

// FNV-1a.
std::string fingerprint(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash).substr(0, 12);
}

Rational entry(std::string_view text, std::size_t row, std::size_t column) {
  try {
    return bounds::parse_probability(text);
  } catch (const BadRandomizer& bad) {
    throw BadRandomizer(fmt::format("row {}, entry {}: {}", row, column, bad.what()));
  }
}

Rows read_csv(std::string_view bytes) {
  Rows rows;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    rows.emplace_back();
    for (;;) {
      const std::size_t comma = line.find(',');
      rows.back().push_back(entry(line.substr(0, comma), rows.size(), rows.back().size() + 1));
      if (comma == std::string_view::npos) break;
      line.remove_prefix(comma + 1);
    }
  }
  return rows;
}

// A number stands for the shortest decimal that reads as it.
std::string text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* real = node.as_floating_point()) {
    char out[64];
    return {out, std::to_chars(out, out + sizeof out, real->get()).ptr};
  }
  throw BadRandomizer("an entry is neither a number nor a text");
}

Rows read_toml(std::string_view bytes, std::string_view file) {
  const toml::table root = parse_toml(bytes, file);
  const Reader in(root, file);
  in.only({"rows"});
  const auto* list = root.get_as<toml::array>("rows");
  if (!list)
    in.refuse(root.get("rows"), "rows must be a list of lists: rows = [[\"3/4\", \"1/4\"], [\"1/4\", \"3/4\"]]");
  Rows rows;
  for (const toml::node& line : *list) {
    const auto* entries = line.as_array();
    if (!entries) in.refuse(&line, "a row must be a list of probabilities");
    rows.emplace_back();
    for (const toml::node& x : *entries) rows.back().push_back(entry(text_of(x), rows.size(), rows.back().size() + 1));
  }
  return rows;
}

bounds::Randomizer read_file(const std::string& path, std::string_view expected) {
  std::error_code failed;
  const bool is_toml = path.ends_with(".toml");
  const std::uintmax_t largest = is_toml ? largest_toml : largest_csv;
  if (std::filesystem::file_size(path, failed) > largest && !failed)
    throw BadRandomizer(
        fmt::format("{} has more than {} bytes{}", path, largest, is_toml ? "; write the matrix as CSV" : ""));
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  if (!in || !(all << in.rdbuf())) throw BadRandomizer(fmt::format("{} cannot be read, or is empty", path));
  const std::string bytes = all.str(), print = fingerprint(bytes);
  if (!expected.empty() && expected != print)
    throw BadRandomizer(
        fmt::format("{} is not the file it was: its fingerprint is {} and not {}", path, print, expected));
  return parse_randomizer_file(bytes, path, fmt::format("{}#{}", path, print));
}

bool is_file(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed);
}

}  // namespace

bounds::Randomizer parse_randomizer_file(std::string_view bytes, std::string_view file, std::string text) {
  try {
    return bounds::matrix_randomizer(file.ends_with(".toml") ? read_toml(bytes, file) : read_csv(bytes),
                                     std::move(text));
  } catch (const BadSpec& bad) {
    throw BadRandomizer(bad.what());  // begins with the file
  } catch (const BadRandomizer& bad) {
    throw BadRandomizer(fmt::format("{}: {}", file, bad.what()));
  }
}

std::shared_ptr<const bounds::Randomizer> read_randomizer(std::string_view text) {
  try {
    const solvers::WorkLimit limit(randomizer_work);
    const std::string path(text);
    if (is_file(path)) return std::make_shared<const bounds::Randomizer>(read_file(path, {}));
    if (const std::size_t mark = path.rfind('#'); mark != std::string::npos && is_file(path.substr(0, mark)))
      return std::make_shared<const bounds::Randomizer>(read_file(path.substr(0, mark), path.substr(mark + 1)));
    return std::make_shared<const bounds::Randomizer>(bounds::parse_randomizer(text));
  } catch (const BadRandomizer& bad) {
    throw BadValue(bad.what());
  } catch (const solvers::OutOfWork&) {
    throw BadValue(solvers::quoted(text) + std::string(too_long_to_add_up));
  }
}

}  // namespace epsilary::experiments
