#include "experiments/sweep/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/core/registry.hpp"

namespace epsilary::experiments {
namespace {

std::string hint(const std::string& typed, const std::vector<std::string>& known, std::string_view otherwise) {
  const std::string meant = epsilary::did_you_mean(typed, known);
  return meant.empty() ? fmt::format("; {}", otherwise) : meant;
}

}  // namespace

// Where the string that begins here ends; past the end of the text where it is not closed.
std::size_t end_of_string(std::string_view text) {
  const char quote = text[0];
  const bool many_lines = text.size() >= 3 && text[1] == quote && text[2] == quote;
  std::size_t i = many_lines ? 3 : 1;
  for (; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (many_lines ? text.substr(i, 3) == text.substr(0, 3) : text[i] == quote || text[i] == '\n')
      return i + (many_lines ? 3 : 1);
  }
  return i;
}

// A name of thousands of parts nests as many tables, one inside the other, and the parser follows them down the stack.
// A name is parts, which may be strings, with dots between.
void refuse_deep_names(std::string_view text, std::string_view file) {
  constexpr int deepest = 64;
  int dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i += std::min(end_of_string(text.substr(i)), text.size() - i);
      continue;
    }
    if (c == '#') i = std::min(text.find('\n', i), text.size() - 1);
    if (c == '.' && ++dots > deepest)
      throw BadSpec(fmt::format("{}:{}: a name of more than {} parts", file,
                                1 + std::ranges::count(text.substr(0, i), '\n'), deepest));
    if (std::string_view("=,[]{}#\n").find(c) != std::string_view::npos) dots = 0;
    ++i;
  }
}

toml::table parse_toml(std::string_view text, std::string_view file) {
  refuse_deep_names(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& e) {
    throw BadSpec(fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
  }
}

std::string Reader::place(const toml::node* at) const {
  return fmt::format("{}:{}", file_, at ? at->source().begin.line : table_.source().begin.line);
}

void Reader::refuse(const toml::node* at, const std::string& what) const { throw BadSpec(place(at) + ": " + what); }

void Reader::refuse_unknown_bound(const std::string& id, std::string_view key) const {
  if (!bounds::named(id).empty()) return;
  std::vector<std::string> known;
  for (const bounds::Bound* b : bounds::all()) known.emplace_back(b->id);
  refuse(table_.get(key), fmt::format("unknown bound '{}'{}", id, hint(id, known, "see: epsilary list")));
}

void Reader::only(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, node] : table_)
    if (std::ranges::find(known, key.str()) == known.end())
      refuse(&node, fmt::format("unknown key '{}'; expected one of {}", key.str(), fmt::join(known, ", ")));
}

std::string Reader::text(std::string_view key, bool required) const {
  const toml::node* node = table_.get(key);
  if (!node && required) refuse(nullptr, fmt::format("'{}' is missing", key));
  if (!node) return {};
  if (const auto value = node->value<std::string>()) return *value;
  refuse(node, fmt::format("'{}' must be a string", key));
}

std::vector<std::string> Reader::texts(std::string_view key) const {
  const toml::node* node = table_.get(key);
  const toml::array* list = node ? node->as_array() : nullptr;
  if (!list || list->empty()) refuse(node, fmt::format("'{}' must be a list of strings", key));
  std::vector<std::string> out;
  for (const toml::node& item : *list) {
    const auto value = item.value<std::string>();
    if (!value) refuse(&item, fmt::format("'{}' must be a list of strings", key));
    out.push_back(*value);
  }
  return out;
}

std::string Reader::choice(std::string_view key, std::initializer_list<std::string_view> words) const {
  if (!has(key)) return std::string(*words.begin());
  const std::string word = text(key);
  if (std::ranges::find(words, word) == words.end())
    refuse(table_.get(key), fmt::format("'{}' must be one of {}, not '{}'", key, fmt::join(words, ", "), word));
  return word;
}

std::string Reader::number(std::string_view key) const {
  const std::string written = text(key, false);
  try {
    return written.empty() ? written : solvers::Decimal(written).text();
  } catch (const solvers::BadNumber& bad) {
    refuse(table_.get(key), fmt::format("{}: {}", key, bad.what()));
  }
}

const toml::table& Reader::table(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (const toml::table* found = node ? node->as_table() : nullptr) return *found;
  refuse(node, fmt::format("'{}' {}", key, node ? "must be a table" : "is missing, a table"));
}

std::vector<Reader> Reader::tables(std::string_view key) const {
  std::vector<Reader> out;
  const toml::node* node = table_.get(key);
  if (!node) return out;
  const toml::array* list = node->as_array();
  if (!list) refuse(node, fmt::format("'{}' must be a list of tables, [[...{}]]", key, key));
  for (const toml::node& item : *list) {
    const toml::table* one = item.as_table();
    if (!one) refuse(&item, fmt::format("'{}' must be a list of tables", key));
    out.emplace_back(*one, file_);
  }
  return out;
}

std::size_t Reader::count_points() const {
  std::size_t points = 1;
  for (const auto& [key, node] : table_)
    if (const auto param = bounds::param_named(key.str())) try {
        points = product(points, count_values(*param, node.value_or(std::string_view{})));
      } catch (const BadValue& bad) {
        refuse(&node, fmt::format("{}: {}", key.str(), bad.what()));
      }
  return points;
}

void Reader::add_axes(std::vector<Axis>& axes, std::initializer_list<std::string_view> but) const {
  std::vector<std::pair<std::string_view, const toml::node*>> entries;
  for (const auto& [key, node] : table_)
    if (std::ranges::find(but, key.str()) == but.end()) entries.emplace_back(key.str(), &node);
  std::ranges::sort(entries, {}, [](const auto& e) {
    return std::pair(e.second->source().begin.line, e.second->source().begin.column);
  });
  for (const auto& [key, node] : entries) {
    const auto param = bounds::param_named(key);
    if (!param) {
      std::vector<std::string> known;
      for (const bounds::ParamInfo& p : bounds::params()) known.emplace_back(p.key);
      refuse(node,
             fmt::format("unknown parameter '{}'{}", key, hint(std::string(key), known, "see: epsilary list params")));
    }
    const auto text = node->value<std::string>();
    if (!text) refuse(node, fmt::format("'{}' must be a string such as \"1e3,1e4\" or \"0.05:4:80\"", key));
    try {
      axes.push_back(parse_axis(*param, *text));
    } catch (const BadValue& bad) {
      refuse(node, fmt::format("{}: {}", key, bad.what()));
    }
  }
}

}  // namespace epsilary::experiments
