#include "experiments/tables/read_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace epsilary::experiments {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : rest_(text), file_(file) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // a spreadsheet's mark
    if (rest_.find('\0') != std::string_view::npos) refuse("this is not a text file");
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw BadTable(fmt::format("{}:{}: {}", file_, line_, what));
  }

  bool at_end() const { return rest_.empty(); }
  std::size_t line() const { return line_; }

  // Passes over provenance and empty lines.
  void skip_comments() {
    while (rest_.starts_with('#') || rest_.starts_with('\n') || rest_.starts_with("\r\n")) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
      ++line_;
    }
  }

  std::vector<std::string> cells() {
    std::vector<std::string> out;
    for (;;) {
      out.push_back(rest_.starts_with('"') ? quoted() : plain());
      if (take(",")) continue;
      if (!rest_.empty() && !take("\r\n") && !take("\n"))
        refuse(fmt::format("after a closing quote comes a comma or the end of the line (cell {})", out.size()));
      ++line_;
      return out;
    }
  }

 private:
  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }

  std::string plain() {
    std::string_view cell = rest_.substr(0, rest_.find_first_of(",\n"));
    if (cell.ends_with('\r') && rest_.substr(cell.size()).starts_with('\n')) cell.remove_suffix(1);
    if (cell.find('"') != std::string_view::npos) refuse("a quote inside a cell that does not begin with one");
    rest_.remove_prefix(cell.size());
    return std::string(cell);
  }

  std::string quoted() {
    const std::size_t opened = line_;
    std::string cell;
    take("\"");
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) {
        line_ = opened;
        refuse("a quote is opened and never closed");
      }
      cell += rest_.substr(0, quote);
      line_ += static_cast<std::size_t>(std::ranges::count(rest_.substr(0, quote), '\n'));
      rest_.remove_prefix(quote + 1);
      if (!take("\"")) return cell;
      cell += '"';
    }
  }

  std::string_view rest_, file_;
  std::size_t line_ = 1;
};

}  // namespace

Table parse_table(std::string_view csv, std::string_view file) {
  Reader in(csv, file);
  in.skip_comments();
  if (in.at_end()) in.refuse("there is no header line");
  const Reader header = in;
  Table table{in.cells(), {}};
  for (auto name = table.columns.begin(); name != table.columns.end(); ++name) {
    if (name->empty()) header.refuse("a column has no name");
    if (std::find(table.columns.begin(), name, *name) != name)
      header.refuse(fmt::format("the column '{}' comes twice", *name));
  }
  for (in.skip_comments(); !in.at_end(); in.skip_comments()) {
    const Reader row = in;
    table.rows.push_back(in.cells());
    if (table.rows.back().size() != table.columns.size())
      row.refuse(fmt::format("{} cells under {} columns", table.rows.back().size(), table.columns.size()));
  }
  return table;
}

Table read_table(const std::filesystem::path& file) {
  const auto refuse = [&](const char* why) { throw BadTable(fmt::format("cannot read {}: {}", file.string(), why)); };
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) refuse("it is a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_table(text.view(), file.string());
}

}  // namespace epsilary::experiments
