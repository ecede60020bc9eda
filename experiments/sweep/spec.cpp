#include "experiments/sweep/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "bounds/core/registry.hpp"
#include "experiments/sweep/toml_reader.hpp"

namespace epsilary::experiments {
namespace {

Grid grid(const Reader& in, bool any_size) {
  Grid out{in.texts("bounds"), {}};
  for (const std::string& id : out.bounds) in.refuse_unknown_bound(id, "bounds");
  std::size_t cells = product(in.sub("axes").count_points(), out.bounds.size());
  if (in.has("fixed")) cells = product(cells, in.sub("fixed").count_points());
  if (cells > largest_grid && !any_size)
    in.refuse(in.raw().get("axes"),
              fmt::format("the grid has {} cells, more than {}; use fewer values, or --yes of sweep",
                          epsilary::grouped(cells), epsilary::grouped(largest_grid)));
  in.sub("axes").add_axes(out.axes);
  if (in.has("fixed")) in.sub("fixed").add_axes(out.axes);
  try {
    const bounds::Point first = first_point(out.axes);
    for (const std::string& id : out.bounds) {
      const auto forms = bounds::named(id);
      if (bounds::form_for(forms, first)) continue;
      std::vector<std::string_view> lacking;
      for (const bounds::Param p : bounds::missing(*forms.front(), first)) lacking.push_back(bounds::key(p));
      in.refuse(in.raw().get("bounds"),
                fmt::format("{} needs {}; add it to [axes] or [fixed]", id, fmt::join(lacking, ", ")));
    }
  } catch (const BadValue& bad) {
    in.refuse(nullptr, bad.what());
  }
  return out;
}

AxisLook axis_look(const Reader& in) {
  in.only({"column", "label", "scale", "from", "to", "per"});
  AxisLook look{in.text("column"), in.text("label"), in.choice("scale", {"linear", "log"}) == "log",
                in.number("from"), in.number("to"),  in.number("per")};
  if (!look.per.empty() && !(solvers::Decimal(look.per).exact() > 0))
    in.refuse(in.raw().get("per"), "'per' must be > 0");
  return look;
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

TableLook table_look(const Reader& in) {
  in.only({"column", "label", "heads", "row"});
  TableLook look{in.text("column"), in.text("label", false)};
  if (in.has("heads")) look.heads = in.texts("heads");
  for (const Reader& row : in.tables("row")) {
    row.only({"label", "bound", "words", "where"});
    TableLook::Row one{row.text("label"), row.text("bound", false)};
    if (row.has("words")) one.words = row.texts("words");
    if (row.has("where")) one.where = where(row.sub("where"));
    if (one.words.size() != look.heads.size()) row.refuse(nullptr, "'words' must have one text for each of 'heads'");
    look.rows.push_back(std::move(one));
  }
  if (look.rows.empty()) in.refuse(nullptr, "a table has rows: [[figure.table.row]]");
  return look;
}

std::string color_of(const Reader& in) {
  const std::string color = in.text("color", false);
  if (!color.empty() && !std::ranges::count(line_colors(), color))
    in.refuse(in.raw().get("color"), fmt::format("'color' must be one of {}", fmt::join(line_colors(), ", ")));
  return color;
}

FigureLook figure_look(const Reader& in) {
  in.only({"x", "y", "colors", "title", "line", "band", "reference", "map", "table"});
  if (in.has("table")) {
    FigureLook look;
    look.place = in.place();
    look.title = in.text("title", false);
    look.table = table_look(in.sub("table"));
    look.x.column = look.table->column;
    look.y.column = "value";
    return look;
  }
  FigureLook look{axis_look(in.sub("x")), axis_look(in.sub("y")), in.text("colors", false), {}, {}, {}, {}, in.place()};
  look.title = in.text("title", false);
  for (const Reader& line : in.tables("line")) {
    line.only({"bound", "label", "dash", "column", "where", "color"});
    LineLook one{line.text("bound"), line.text("label"), line.choice("dash", {"solid", "dashed", "dotted", "points"}),
                 line.text("column", false), line.has("where") ? where(line.sub("where")) : Where{}};
    one.color = color_of(line);
    look.lines.push_back(std::move(one));
  }
  for (const Reader& band : in.tables("band")) {
    band.only({"label", "low", "high", "color", "bound", "where"});
    BandLook one{band.text("label", false), band.texts("low"), band.texts("high"), color_of(band)};
    one.bound = band.text("bound", false);
    if (band.has("where")) one.where = where(band.sub("where"));
    if (!one.bound.empty() && (one.low.size() != 1 || one.high.size() != 1))
      band.refuse(nullptr, "a band of one 'bound' has one column in 'low' and one in 'high'");
    if (one.bound.empty() && (!one.where.empty() || one.label.empty()))
      band.refuse(nullptr, "a band between bounds has a 'label' and no 'where'");
    look.bands.push_back(std::move(one));
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
  if (spec.figure.table)
    for (const TableLook::Row& row : spec.figure.table->rows)
      if (!row.bound.empty()) drawn.push_back(row.bound);
  for (const std::string& id : drawn)
    if (std::ranges::none_of(spec.sweeps, [&](const Grid& s) { return std::ranges::count(s.bounds, id) > 0; }))
      in.refuse(nullptr, fmt::format("the figure draws '{}', which no sweep computes; add it to 'bounds'", id));
}

}  // namespace

const std::vector<std::string>& line_colors() {
  static const std::vector<std::string> names{"blue", "red",   "green", "pink", "orange",
                                              "sky",  "black", "brown", "grey"};
  return names;
}

Spec parse_spec(std::string_view text, std::string_view file, bool any_size) {
  const toml::table root = parse_toml(text, file);
  const Reader in(root, file);
  in.only({"id", "source", "caption", "bounds", "axes", "fixed", "sweep", "results", "figure"});
  Spec spec{in.text("id"), in.text("source"), in.text("caption", false), {}, {}};
  if (spec.id.empty() || spec.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos ||
      std::string_view("-.").find(spec.id[0]) != std::string_view::npos)
    in.refuse(root.get("id"),
              "'id' names the files: lower-case letters, digits, '-', '_' and '.' only, neither '-' nor '.' first");
  if (in.has("results")) {
    for (const char* key : {"bounds", "axes", "fixed", "sweep"})
      if (in.has(key)) in.refuse(root.get(key), fmt::format("'results' are drawn as they are; there is no '{}'", key));
    spec.results = in.texts("results");
    spec.figure = figure_look(in.sub("figure"));
    return spec;
  }
  for (const Reader& one : in.tables("sweep")) {
    one.only({"bounds", "axes", "fixed"});
    spec.sweeps.push_back(grid(one, any_size));
  }
  if (spec.sweeps.empty() || in.has("bounds")) spec.sweeps.insert(spec.sweeps.begin(), grid(in, any_size));
  const Reader figure = in.sub("figure");
  spec.figure = figure_look(figure);
  refuse_uncomputed(spec, figure);
  return spec;
}

std::size_t evaluations_of(const Spec& spec) {
  std::size_t sum = 0;
  for (const Grid& grid : spec.sweeps) {
    const std::size_t cells = product(grid_size(grid.axes), grid.bounds.size());
    sum = cells > std::numeric_limits<std::size_t>::max() - sum ? std::numeric_limits<std::size_t>::max() : sum + cells;
  }
  return sum;
}

std::vector<Row> rows_of(const Spec& spec) {
  std::vector<Row> rows;
  for (const Grid& one : spec.sweeps) {
    const bounds::Point first = first_point(one.axes);
    std::vector<const bounds::Bound*> forms;
    for (const std::string& id : one.bounds) forms.push_back(bounds::form_for(bounds::named(id), first));
    for (const bounds::Point& p : lay_grid(one.axes))
      for (const bounds::Bound* form : forms) rows.push_back({form, p, {}});
  }
  return rows;
}

}  // namespace epsilary::experiments
