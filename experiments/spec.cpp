#include "experiments/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bounds/registry.hpp"
#include "experiments/toml.hpp"

namespace experiments {
namespace {

// Reads a table key by key and remembers where it is, so that every refusal names file, line and key.
class Reader {
 public:
  Reader(const toml::table& table, std::string_view file) : table_(table), file_(file) {}

  [[noreturn]] void refuse(const toml::node* at, const std::string& what) const {
    const auto line = at ? at->source().begin.line : table_.source().begin.line;
    throw BadSpec(fmt::format("{}:{}: {}", file_, line, what));
  }

  void only(std::initializer_list<std::string_view> known) const {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(known, key.str()) == known.end())
        refuse(&node, fmt::format("unknown key '{}'; expected one of {}", key.str(), fmt::join(known, ", ")));
  }

  std::string text(std::string_view key, bool required = true) const {
    const toml::node* node = table_.get(key);
    if (!node && required) refuse(nullptr, fmt::format("'{}' is missing", key));
    if (!node) return {};
    if (const auto value = node->value<std::string>()) return *value;
    refuse(node, fmt::format("'{}' must be a string", key));
  }

  std::vector<std::string> texts(std::string_view key) const {
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

  const toml::table& table(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (const toml::table* found = node ? node->as_table() : nullptr) return *found;
    refuse(node, fmt::format("'{}' must be a table", key));
  }

  std::vector<Reader> tables(std::string_view key) const {
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

  Reader sub(std::string_view key) const { return {table(key), file_}; }

  const toml::table& raw() const { return table_; }

 private:
  const toml::table& table_;
  std::string_view file_;
};

// In the order of the file: the last axis runs fastest.
void add_axes(const Reader& in, std::vector<Axis>& axes) {
  std::vector<std::pair<std::string_view, const toml::node*>> entries;
  for (const auto& [key, node] : in.raw()) entries.emplace_back(key.str(), &node);
  std::ranges::sort(entries, {}, [](const auto& e) {
    return std::pair(e.second->source().begin.line, e.second->source().begin.column);
  });
  for (const auto& [key, node] : entries) {
    const auto param = bounds::param_named(key);
    if (!param) in.refuse(node, fmt::format("unknown parameter '{}'; see: epsilary list params", key));
    const auto text = node->value<std::string>();
    if (!text) in.refuse(node, fmt::format("'{}' must be a string such as \"1e3,1e4\" or \"0.05:4:80\"", key));
    try {
      axes.push_back(parse_axis(*param, *text));
    } catch (const BadValue& bad) {
      in.refuse(node, fmt::format("{}: {}", key, bad.what()));
    }
  }
}

AxisLook axis_look(const Reader& in) {
  in.only({"column", "label", "scale", "from", "to"});
  return {in.text("column"), in.text("label"), in.text("scale", false) == "log", in.text("from", false),
          in.text("to", false)};
}

FigureLook figure_look(const Reader& in) {
  in.only({"x", "y", "colors", "line", "reference"});
  FigureLook look{axis_look(in.sub("x")), axis_look(in.sub("y")), in.text("colors", false), {}, {}};
  for (const Reader& line : in.tables("line")) {
    line.only({"bound", "label", "dash"});
    look.lines.push_back({line.text("bound"), line.text("label"), line.text("dash", false)});
  }
  for (const Reader& reference : in.tables("reference")) {
    reference.only({"label", "y"});
    look.references.push_back({reference.text("label"), reference.text("y")});
  }
  return look;
}

}  // namespace

Spec parse_spec(std::string_view text, std::string_view file) {
  toml::table root;
  try {
    root = toml::parse(text, file);
  } catch (const toml::parse_error& e) {
    throw BadSpec(fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
  }
  const Reader in(root, file);
  in.only({"id", "source", "caption", "bounds", "axes", "fixed", "figure"});
  Spec spec{in.text("id"), in.text("source"), in.text("caption", false), in.texts("bounds"), {}, {}};
  for (const std::string& id : spec.bounds)
    if (bounds::named(id).empty())
      in.refuse(root.get("bounds"), fmt::format("unknown bound '{}'; see: epsilary list", id));
  add_axes(in.sub("axes"), spec.axes);
  if (root.contains("fixed")) add_axes(in.sub("fixed"), spec.axes);
  spec.figure = figure_look(in.sub("figure"));
  return spec;
}

}  // namespace experiments
