// What is in the house, as tables and at length.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/epsilary/inside.hpp"
#include "experiments/epsilary/similar.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/tables/provenance.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_json.hpp"

namespace epsilary {
namespace {

const Parameter& parameter(const std::string& key) { return *std::ranges::find(parameters(), key, &Parameter::key); }

std::string as_text(const Statement& s) {
  std::string out = fmt::format("{}: {}\n", s.id, s.title);
  const auto field = [&](std::string_view label, std::string_view text) {
    if (!text.empty()) out += fmt::format("  {:<10} {}\n", label, text);
  };
  const auto list = [&](std::string_view label, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      field(label, text);
      label = " ";
    }
  };
  const auto meanings = [](const std::vector<std::string>& keys) {
    std::vector<std::string> lines;
    for (const std::string& key : keys) {
      const Parameter& p = parameter(key);
      lines.push_back(
          fmt::format("{:<10} {}{}{} ({})", p.key, p.meaning, p.unit.empty() ? "" : ", ", p.unit, p.domain));
    }
    return lines;
  };
  field("source", s.source);
  field("gives", fmt::format("{} ({}), protocol {}{}", s.quantity, s.side, s.protocol,
                             s.adjacency == "none" ? "" : fmt::format(", adjacency {}", s.adjacency)));
  field("neighbours", s.neighbours);
  field("standing", fmt::format("{}: {}", s.standing, s.worth));
  field("note", s.note);
  field("proof", s.proof);
  field("formula", s.formula);
  list("needs", meanings(s.needs));
  list("takes", meanings(s.takes));
  field("unit", s.unit);
  list("assumes", s.assumes);
  std::vector<std::string> solvable = s.rises;
  for (const auto* more : {&s.falls, &s.turns}) solvable.insert(solvable.end(), more->begin(), more->end());
  field("solve for", joined(solvable));
  field("example", example(s));
  return out;
}

nlohmann::ordered_json as_json(const Statement& s) {
  return {{"id", s.id},           {"title", s.title},       {"protocol", s.protocol},   {"source", s.source},
          {"formula", s.formula}, {"quantity", s.quantity}, {"side", s.side},           {"standing", s.standing},
          {"note", s.note},       {"proof", s.proof},       {"adjacency", s.adjacency}, {"view", s.view},
          {"unit", s.unit},       {"needs", s.needs},       {"takes", s.takes},         {"rises", s.rises},
          {"falls", s.falls},     {"turns", s.turns},       {"assumes", s.assumes},     {"example", example(s)}};
}

}  // namespace

Table table(const std::vector<Statement>& list) {
  Table out{{"id", "gives", "side", "standing", "needs", "title"}, {}};
  for (const Statement& s : list) out.rows.push_back({s.id, s.quantity, s.side, s.standing, joined(s.needs), s.title});
  return out;
}

Table table(const std::vector<Parameter>& list) {
  Table out{{"key", "domain", "meaning", "unit"}, {}};
  for (const Parameter& p : list) out.rows.push_back({p.key, p.domain, p.meaning, p.unit});
  return out;
}

Table table(const std::vector<Protocol>& list) {
  Table out{{"protocol", "what it is", "example"}, {}};
  for (const Protocol& p : list)
    out.rows.push_back({p.name, p.words, fmt::format("epsilary tightness {} {}", p.name, p.example)});
  return out;
}

Table table(const std::vector<Figure>& list) {
  Table out{{"id", "source", "rows"}, {}};
  for (const Figure& f : list) out.rows.push_back({f.id, f.source, std::to_string(f.rows)});
  return out;
}

Table table(const std::vector<Claim>& list) {
  Table out{{"id", "verdict", "source", "text"}, {}};
  for (const Claim& c : list) out.rows.push_back({c.id, c.verdict, c.source, c.text});
  return out;
}

std::optional<Format> format_named(std::string_view name) {
  constexpr std::pair<std::string_view, Format> names[] = {
      {"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}, {"md", Format::md}};
  for (const auto& [known, format] : names)
    if (known == name) return format;
  return {};
}

std::string write(const Table& table, Format format, int digits, const std::string& spec) {
  return experiments::write_table(table, format, experiments::provenance(digits, spec));
}

std::string write(const std::vector<Statement>& list, Format format) {
  std::string text;
  nlohmann::ordered_json forms = nlohmann::ordered_json::array();
  for (const Statement& s : list) {
    text += (text.empty() ? "" : "\n") + as_text(s);
    forms.push_back(as_json(s));
  }
  return format == Format::json ? experiments::printed(forms) : text;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names, std::size_t most) {
  const std::vector<std::string> close = experiments::similar(typed, names, most);
  return close.empty() ? "" : "; did you mean " + joined(close, " or ") + "?";
}

std::string grouped(std::size_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string version() { return experiments::provenance(0).version; }
std::string fingerprint() { return experiments::fingerprint(); }

}  // namespace epsilary
