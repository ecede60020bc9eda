#include "experiments/tables/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiments/tables/write_csv.hpp"
#include "experiments/tables/write_json.hpp"
#include "solvers/numbers/ball.hpp"
#include "solvers/numbers/decimal.hpp"

namespace epsilary::experiments {
namespace {

using epsilary::Result;
using epsilary::Statement;
using solvers::Ball, solvers::Decimal, solvers::Rational, solvers::Rounding;

std::string csv(const Table& table, const Provenance& p) {
  std::string out = csv_preamble(p);
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + csv_cell(cells[i]);
    if (cells.size() == 1 && cells[0].empty()) out += "\"\"";  // or the line would be none
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

std::string json(const Table& table, const Provenance& provenance) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = row[i];
    rows.push_back(object);
  }
  return printed({{"provenance", to_json(provenance)}, {"rows", rows}});
}

// A bracket shows the digits that are known, and its ends: 0.0768 [0.0766, 0.0768]. Empty where all shown are known.
std::string shown_bracket(const Result& r) {
  const std::string &lower_text = r.lower.text(), &upper_text = r.upper.text();
  const Rational low = Decimal(lower_text).exact(), high = Decimal(upper_text).exact();
  const auto digits_of = [](const std::string& text) {
    return std::ranges::count_if(text.substr(0, text.find('e')), [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::int64_t most = std::max<std::int64_t>(digits_of(lower_text), digits_of(upper_text));
  int known = 2;
  while (known < most && (high - low) * solvers::power_of_ten(known) <= high) ++known;
  if (known >= most - 1 || high == Rational(0)) return {};
  const auto end = [&](const Rational& x, Rounding side) {
    return x == Rational(0) ? std::string("0") : decimal(Ball(x), known, side);
  };
  const std::string lower = end(low, Rounding::down), upper = end(high, Rounding::up);
  return (r.statement->side == "lower" ? lower : upper) + " [" + lower + ", " + upper + "]";
}

// The value as people read it: one safe end for a bound, both ends for a two-sided quantity and for a bracket.
std::string shown_value(const Result& r) {
  if (!r) return "-";
  if (r.statement->bracket && r.certified)
    if (std::string shown = shown_bracket(r); !shown.empty()) return shown;
  const bool two_sided = r.statement->side == "exact" || r.statement->side == "estimate";
  const std::string &lower = r.lower.text(), &upper = r.upper.text();
  return two_sided && r.certified && lower != upper ? lower + ".." + upper : r.value.text();
}

std::string shown_note(const Result& r) {
  std::vector<std::string> parts;
  const std::string& note = r.reason;
  if (r.status != "ok") parts.push_back(note.empty() ? r.status : r.status + ": " + note);
  for (const auto& [key, value] : r.extras)
    if (key != "capped" || r.status == "vacuous") parts.push_back(key + " " + value);
  for (const auto& [key, value] : r.at) parts.push_back("at " + key + "=" + value);
  if (r.status == "ok" && !note.empty()) parts.push_back(note);
  return fmt::format("{}", fmt::join(parts, "; "));
}

// "epsilon of shuffle: n clients apply one eps0-LDP randomizer and the reports are shuffled".
std::string heading(const std::string& quantity, const std::string& protocol) {
  const auto& known = epsilary::protocols();
  const auto it = std::ranges::find(known, protocol, &epsilary::Protocol::name);
  return fmt::format("{} of {}{}", quantity, protocol == "any" ? "any mechanism" : protocol,
                     it == known.end() ? "" : ": " + it->words);
}

// Colours whole lines after the layout is made, so that they do not count in it.
std::string colored(const std::string& text, const std::vector<const Result*>& rows) {
  std::string out;
  std::size_t line = 0, from = 0;
  while (from < text.size()) {
    const std::size_t end = text.find('\n', from);
    const std::string one = text.substr(from, end - from);
    const Result* r = line == 0 || line > rows.size() ? nullptr : rows[line - 1];
    const char* code = line == 0                                       ? "\033[1m"
                       : r && r->statement->standing == "unsound"      ? "\033[31m"
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

std::string write_table(const Table& table, Format format, const Provenance& provenance) {
  if (format == Format::csv) return csv(table, provenance);
  if (format == Format::json) return json(table, provenance);
  return format == Format::md ? markdown(table) : aligned(table);
}

std::string write_results_text(const std::vector<Result>& results, const Look& look) {
  // Parameters that differ between rows of one bound get a column; the others were just typed.
  std::vector<std::string> varying;
  std::map<std::pair<const Statement*, std::string>, std::string> first;
  for (const Result& r : results)
    for (const auto& [key, value] : r.params) {
      const auto [it, fresh] = first.try_emplace({r.statement, key}, value);
      if (!fresh && it->second != value && !std::ranges::count(varying, key)) varying.push_back(key);
    }
  // Rows that are about one thing, in the order of their first.
  using Group = std::pair<std::string, std::string>;  // quantity, protocol
  const auto group_of = [&](const Result& r) {
    return Group{r.statement->quantity, look.by_protocol ? r.statement->protocol : ""};
  };
  std::vector<Group> groups;
  for (const Result& r : results)
    if (!std::ranges::count(groups, group_of(r))) groups.push_back(group_of(r));

  std::string out;
  for (const Group& group : groups) {
    Table table{{"bound"}, {}};
    table.columns.insert(table.columns.end(), varying.begin(), varying.end());
    for (const char* c : {group.first.c_str(), "side", "standing", "guarantee", "protocol", "notes"})
      if (!look.by_protocol || c != std::string_view("protocol")) table.columns.emplace_back(c);
    std::vector<const Result*> shown;
    for (const Result& r : results) {
      const Statement& s = *r.statement;
      if (group_of(r) != group) continue;
      std::vector<std::string> cells{s.id};
      for (const std::string& key : varying) {
        const auto it = std::ranges::find(r.params, key, &Pairs::value_type::first);
        cells.push_back(it == r.params.end() ? "" : it->second);
      }
      for (const std::string& c : {shown_value(r), s.side, s.standing, std::string(r.guarantee ? "yes" : "no")})
        cells.push_back(c);
      if (!look.by_protocol) cells.push_back(s.protocol);
      cells.push_back(shown_note(r));
      table.rows.push_back(std::move(cells));
      shown.push_back(&r);
    }
    if (!out.empty()) out += "\n";
    if (look.by_protocol) out += heading(group.first, group.second) + (look.markdown ? "\n\n" : "\n");
    const std::string text = look.markdown ? markdown(table) : aligned(table);
    out += look.color ? colored(text, shown) : text;
  }
  std::vector<const Statement*> statements;
  for (const Result& r : results) statements.push_back(r.statement);
  return out + question_lines(statements);
}

std::string question_lines(const std::vector<const Statement*>& statements) {
  std::string out;
  for (const std::string& sentence : question_sentences(statements)) out += (out.empty() ? "\n" : "") + sentence + "\n";
  return out;
}

std::vector<std::string> question_sentences(const std::vector<const Statement*>& statements) {
  // Each sentence with the protocols it is true of, in their order.
  using Said = std::vector<std::pair<std::string, std::vector<std::string_view>>>;
  Said about, units;
  const auto add = [](Said& said, const std::string& words, std::string_view protocol) {
    if (words.empty()) return;
    auto it = std::ranges::find(said, words, &Said::value_type::first);
    if (it == said.end()) it = said.insert(said.end(), {words, {}});
    if (!std::ranges::count(it->second, protocol)) it->second.push_back(protocol);
  };
  for (const Statement* s : statements) {
    add(about, s->neighbours, s->protocol);
    add(units, s->unit, s->protocol);
  }
  std::vector<std::string> out;
  for (const auto& [label, said] : {std::pair{"neighbours: ", &about}, std::pair{"unit: ", &units}})
    for (const auto& [words, protocols] : *said)
      out.push_back(label + words + (said->size() > 1 ? fmt::format(" ({})", fmt::join(protocols, ", ")) : ""));
  return out;
}

}  // namespace epsilary::experiments
