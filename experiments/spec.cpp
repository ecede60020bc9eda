#include "experiments/spec.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "bounds/registry.hpp"
#include "experiments/similar.hpp"

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

  bool has(std::string_view key) const { return table_.contains(key); }

  // One of a few words, the first when the key is absent.
  std::string choice(std::string_view key, std::initializer_list<std::string_view> words) const {
    if (!has(key)) return std::string(*words.begin());
    const std::string word = text(key);
    if (std::ranges::find(words, word) == words.end())
      refuse(table_.get(key), fmt::format("'{}' must be one of {}, not '{}'", key, fmt::join(words, ", "), word));
    return word;
  }

  // A number as text; empty when the key is absent.
  std::string number(std::string_view key) const {
    const std::string written = text(key, false);
    try {
      return written.empty() ? written : solvers::Decimal(written).text();
    } catch (const solvers::BadNumber& bad) {
      refuse(table_.get(key), fmt::format("{}: {}", key, bad.what()));
    }
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

std::vector<std::string> known_bounds() {
  std::vector<std::string> ids;
  for (const bounds::Bound* b : bounds::all()) ids.emplace_back(b->id);
  return ids;
}

std::string hint(const std::vector<std::string>& close, std::string_view otherwise) {
  return close.empty() ? fmt::format("; {}", otherwise) : fmt::format("; did you mean {}?", close.front());
}

// In the order of the file: the last axis runs fastest.
void add_axes(const Reader& in, std::vector<Axis>& axes) {
  std::vector<std::pair<std::string_view, const toml::node*>> entries;
  for (const auto& [key, node] : in.raw()) entries.emplace_back(key.str(), &node);
  std::ranges::sort(entries, {}, [](const auto& e) {
    return std::pair(e.second->source().begin.line, e.second->source().begin.column);
  });
  for (const auto& [key, node] : entries) {
    const auto param = bounds::param_named(key);
    if (!param) {
      std::vector<std::string> known;
      for (const bounds::ParamInfo& p : bounds::params()) known.emplace_back(p.key);
      in.refuse(node, fmt::format("unknown parameter '{}'{}", key,
                                  hint(similar(std::string(key), known), "see: epsilary list params")));
    }
    const auto text = node->value<std::string>();
    if (!text) in.refuse(node, fmt::format("'{}' must be a string such as \"1e3,1e4\" or \"0.05:4:80\"", key));
    try {
      axes.push_back(parse_axis(*param, *text));
    } catch (const BadValue& bad) {
      in.refuse(node, fmt::format("{}: {}", key, bad.what()));
    }
  }
}

Sweep sweep(const Reader& in) {
  Sweep out{in.texts("bounds"), {}};
  for (const std::string& id : out.bounds)
    if (bounds::named(id).empty()) {
      const auto close = similar(id, known_bounds());
      in.refuse(in.raw().get("bounds"), fmt::format("unknown bound '{}'{}", id, hint(close, "see: epsilary list")));
    }
  add_axes(in.sub("axes"), out.axes);
  if (in.has("fixed")) add_axes(in.sub("fixed"), out.axes);
  try {
    const bounds::Point first = first_point(out.axes);
    for (const std::string& id : out.bounds)
      if (!bounds::form_for(bounds::named(id), first))
        in.refuse(in.raw().get("bounds"), fmt::format("{} needs parameters that neither [axes] nor [fixed] has; see: "
                                                      "epsilary show {}",
                                                      id, id));
  } catch (const BadValue& bad) {
    in.refuse(nullptr, bad.what());
  }
  return out;
}

AxisLook axis_look(const Reader& in) {
  in.only({"column", "label", "scale", "from", "to"});
  return {in.text("column"), in.text("label"), in.choice("scale", {"linear", "log"}) == "log", in.number("from"),
          in.number("to")};
}

Where where(const Reader& in) {
  Where out;
  for (const auto& [key, node] : in.raw()) {
    const auto text = node.value<std::string>();
    if (!text) in.refuse(&node, fmt::format("'{}' must be a string", key.str()));
    out.emplace_back(key.str(), *text);
  }
  return out;
}

MapLook map_look(const Reader& in) {
  in.only({"shows", "bounds", "over", "labels", "label", "scale", "from", "to", "levels"});
  MapLook map;
  const std::string shows = in.choice("shows", {"ratio", "winner", "status"});
  map.shows = shows == "winner"   ? MapLook::Shows::winner
              : shows == "status" ? MapLook::Shows::status
                                  : MapLook::Shows::ratio;
  map.bounds = in.texts("bounds");
  if (map.shows == MapLook::Shows::ratio) map.over = in.text("over");
  if (in.has("labels")) map.labels = in.texts("labels");
  if (!map.labels.empty() && map.labels.size() != map.bounds.size())
    in.refuse(in.raw().get("labels"), "'labels' must have one label for each of 'bounds'");
  map.label = in.text("label", false);
  map.logarithmic = in.choice("scale", {"linear", "log"}) == "log";
  map.from = in.number("from");
  map.to = in.number("to");
  if (in.has("levels")) map.levels = in.texts("levels");
  return map;
}

FigureLook figure_look(const Reader& in) {
  in.only({"x", "y", "colors", "line", "band", "reference", "map"});
  FigureLook look{axis_look(in.sub("x")), axis_look(in.sub("y")), in.text("colors", false), {}, {}, {}, {}};
  for (const Reader& line : in.tables("line")) {
    line.only({"bound", "label", "dash", "column", "where"});
    look.lines.push_back({line.text("bound"), line.text("label"),
                          line.choice("dash", {"solid", "dashed", "dotted", "points"}), line.text("column", false),
                          line.has("where") ? where(line.sub("where")) : Where{}});
  }
  for (const Reader& band : in.tables("band")) {
    band.only({"label", "low", "high"});
    look.bands.push_back({band.text("label"), band.texts("low"), band.texts("high")});
  }
  for (const Reader& reference : in.tables("reference")) {
    reference.only({"label", "x", "y", "bound", "where"});
    const ReferenceLook one{reference.text("label"), reference.number("x"), reference.text("y", false),
                            reference.text("bound", false),
                            reference.has("where") ? where(reference.sub("where")) : Where{}};
    if (!one.x.empty() + !one.y.empty() + !one.bound.empty() != 1)
      reference.refuse(nullptr, "a reference has one of 'x', a number, 'y', a column or a number, and 'bound'");
    if (!one.x.empty() && (look.y.from.empty() || look.y.to.empty()))
      reference.refuse(nullptr, "an upright reference needs 'from' and 'to' of the figure's y");
    look.references.push_back(one);
  }
  if (in.has("map")) look.map = map_look(in.sub("map"));
  return look;
}

// What the figure draws must be something the sweeps compute.
void refuse_uncomputed(const Spec& spec, const Reader& in) {
  std::vector<std::string> drawn;
  for (const LineLook& line : spec.figure.lines) drawn.push_back(line.bound);
  for (const ReferenceLook& one : spec.figure.references)
    if (!one.bound.empty()) drawn.push_back(one.bound);
  for (const BandLook& band : spec.figure.bands)
    for (const auto* side : {&band.low, &band.high}) drawn.insert(drawn.end(), side->begin(), side->end());
  if (spec.figure.map) drawn.insert(drawn.end(), spec.figure.map->bounds.begin(), spec.figure.map->bounds.end());
  for (const std::string& id : drawn)
    if (std::ranges::none_of(spec.sweeps, [&](const Sweep& s) { return std::ranges::count(s.bounds, id) > 0; }))
      in.refuse(nullptr, fmt::format("the figure draws '{}', which no sweep computes; add it to 'bounds'", id));
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
  in.only({"id", "source", "caption", "bounds", "axes", "fixed", "sweep", "figure"});
  Spec spec{in.text("id"), in.text("source"), in.text("caption", false), {}, {}};
  if (spec.id.empty() || spec.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos)
    in.refuse(root.get("id"), "'id' names the files: lower-case letters, digits, '-', '_' and '.' only");
  for (const Reader& one : in.tables("sweep")) {
    one.only({"bounds", "axes", "fixed"});
    spec.sweeps.push_back(sweep(one));
  }
  if (spec.sweeps.empty() || in.has("bounds")) spec.sweeps.insert(spec.sweeps.begin(), sweep(in));
  const Reader figure = in.sub("figure");
  spec.figure = figure_look(figure);
  refuse_uncomputed(spec, figure);
  return spec;
}

std::vector<Row> rows_of(const Spec& spec) {
  std::vector<Row> rows;
  for (const Sweep& one : spec.sweeps) {
    const bounds::Point first = first_point(one.axes);
    std::vector<const bounds::Bound*> forms;
    for (const std::string& id : one.bounds) forms.push_back(bounds::form_for(bounds::named(id), first));
    for (const bounds::Point& p : lay_grid(one.axes))
      for (const bounds::Bound* form : forms) rows.push_back({form, p, {}});
  }
  return rows;
}

}  // namespace experiments
