#include "experiments/write.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>

#include "experiments/write_csv.hpp"

namespace epsilary::experiments {
namespace {

using namespace bounds;

std::string csv(const Table& table, const Provenance& p) {
  std::string out = csv_preamble(p);
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + csv_cell(cells[i]);
    out += "\n";
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return out;
}

std::string markdown_cell(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

std::string markdown(const Table& table) {
  std::string out = "|";
  for (const auto& c : table.columns) out += " " + c + " |";
  out += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const auto& c : row) out += " " + markdown_cell(c) + " |";
    out += "\n";
  }
  return out;
}

std::string aligned(const Table& table) {
  std::vector<std::size_t> width;
  for (const auto& c : table.columns) width.push_back(c.size());
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += fmt::format("{:<{}}  ", cells[i], width[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return out;
}

// A bracket shows the digits that are known, and its ends: 0.0768 [0.0766, 0.0768]. Empty where all shown are known.
std::string shown_bracket(const Record& r) {
  const Rational low = Decimal(r.lower).exact(), high = Decimal(r.upper).exact();
  const auto digits_of = [](const std::string& text) {
    return std::ranges::count_if(text.substr(0, text.find('e')), [](char c) { return c >= '0' && c <= '9'; });
  };
  const long most = std::max<long>(digits_of(r.lower), digits_of(r.upper));
  int known = 2;
  while (known < most && (high - low) * power_of_ten(known) <= high) ++known;
  if (known >= most - 1 || high == Rational(0)) return {};
  const auto end = [&](const Rational& x, Rounding side) {
    return x == Rational(0) ? std::string("0") : decimal(Ball(x), known, side);
  };
  const std::string lower = end(low, Rounding::down), upper = end(high, Rounding::up);
  return (r.bound->side == Side::lower ? lower : upper) + " [" + lower + ", " + upper + "]";
}

// The value as people read it: one safe end for a bound, both ends for a two-sided quantity and for a bracket.
std::string shown_value(const Record& r) {
  if (r.value.empty()) return "-";
  if (r.bound->evaluate.bracket && r.certified)
    if (std::string shown = shown_bracket(r); !shown.empty()) return shown;
  const bool two_sided = r.bound->side == Side::exact || r.bound->side == Side::estimate;
  return two_sided && r.certified && r.lower != r.upper ? r.lower + ".." + r.upper : r.value;
}

std::string shown_note(const Record& r) {
  std::vector<std::string> parts;
  const std::string note = whole_note(r);
  if (r.status != "ok") parts.push_back(note.empty() ? r.status : r.status + ": " + note);
  for (const auto& [key, value] : r.beside)
    if (key != "capped" || r.status == "vacuous") parts.push_back(key + " " + value);
  for (const auto& [key, value] : r.at) parts.push_back("at " + key + "=" + value);
  if (r.status == "ok" && !note.empty()) parts.push_back(note);
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Colours whole lines after the layout is made, so that they do not count in it.
std::string colored(const std::string& text, const std::vector<const Record*>& rows) {
  std::string out;
  std::size_t line = 0, from = 0;
  while (from < text.size()) {
    const std::size_t end = text.find('\n', from);
    const std::string one = text.substr(from, end - from);
    const Record* r = line == 0 || line > rows.size() ? nullptr : rows[line - 1];
    const char* code = line == 0                                       ? "\033[1m"
                       : r && r->bound->standing == Standing::unsound  ? "\033[31m"
                       : r && r->status != "ok" && r->status != "wide" ? "\033[2m"
                       : r && r->guarantee                             ? "\033[32m"
                                                                       : "";
    out += *code ? code + one + "\033[0m\n" : one + "\n";
    from = end + 1;
    ++line;
  }
  return out;
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  static const std::map<std::string_view, Format> names{
      {"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}, {"md", Format::md}};
  const auto it = names.find(name);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

std::string write_table(const Table& table, Format format, const Provenance& provenance) {
  if (format == Format::csv) return csv(table, provenance);
  return format == Format::md ? markdown(table) : aligned(table);
}

std::string write_records_text(const std::vector<Record>& records, bool as_markdown, bool color) {
  // Parameters that differ between rows of one bound get a column; the others were just typed.
  std::vector<std::string> varying;
  std::map<std::pair<const Bound*, std::string>, std::string> first;
  for (const Record& r : records)
    for (const auto& [key, value] : r.params) {
      const auto [it, fresh] = first.try_emplace({r.bound, key}, value);
      if (!fresh && it->second != value && !std::ranges::count(varying, key)) varying.push_back(key);
    }
  std::vector<Quantity> quantities;
  for (const Record& r : records)
    if (!std::ranges::count(quantities, r.bound->quantity)) quantities.push_back(r.bound->quantity);

  std::string out;
  for (const Quantity q : quantities) {
    Table table{{"bound"}, {}};
    table.columns.insert(table.columns.end(), varying.begin(), varying.end());
    for (const std::string& c : {std::string(name(q)), std::string("side"), std::string("standing"),
                                 std::string("guarantee"), std::string("protocol"), std::string("notes")})
      table.columns.push_back(c);
    std::vector<const Record*> shown;
    for (const Record& r : records) {
      if (r.bound->quantity != q) continue;
      std::vector<std::string> cells{std::string(r.bound->id)};
      for (const std::string& key : varying) {
        const auto it = std::ranges::find(r.params, key, &Pairs::value_type::first);
        cells.push_back(it == r.params.end() ? "" : it->second);
      }
      for (const std::string& c :
           {shown_value(r), std::string(name(r.bound->side)), std::string(name(r.bound->standing)),
            std::string(r.guarantee ? "yes" : "no"), std::string(r.bound->protocol), shown_note(r)})
        cells.push_back(c);
      table.rows.push_back(std::move(cells));
      shown.push_back(&r);
    }
    const std::string text = as_markdown ? markdown(table) : aligned(table);
    out += (out.empty() ? "" : "\n") + (color ? colored(text, shown) : text);
  }
  std::vector<const Bound*> bounds;
  for (const Record& r : records) bounds.push_back(r.bound);
  return out + question_lines(bounds);
}

std::string question_lines(const std::vector<const Bound*>& bounds) {
  std::string out;
  for (const std::string& sentence : question_sentences(bounds)) out += (out.empty() ? "\n" : "") + sentence + "\n";
  return out;
}

std::vector<std::string> question_sentences(const std::vector<const Bound*>& bounds) {
  // Each sentence with the protocols it is true of, in their order.
  using Said = std::vector<std::pair<std::string, std::vector<std::string_view>>>;
  Said about, units;
  const auto add = [](Said& said, const std::string& words, std::string_view protocol) {
    if (words.empty()) return;
    auto it = std::ranges::find(said, words, &Said::value_type::first);
    if (it == said.end()) it = said.insert(said.end(), {words, {}});
    if (!std::ranges::count(it->second, protocol)) it->second.push_back(protocol);
  };
  for (const Bound* b : bounds) {
    add(about, neighbours(*b), b->protocol);
    add(units, unit(*b), b->protocol);
  }
  std::vector<std::string> out;
  for (const auto& [label, said] : {std::pair{"neighbours: ", &about}, std::pair{"unit: ", &units}})
    for (const auto& [words, protocols] : *said)
      out.push_back(label + words + (said->size() > 1 ? fmt::format(" ({})", fmt::join(protocols, ", ")) : ""));
  return out;
}

void write_file(const std::filesystem::path& path, const std::vector<std::string>& pieces) {
  const auto fail = [&](const char* what) {
    throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
  };
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

}  // namespace epsilary::experiments
