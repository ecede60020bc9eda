#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "bounds/core/param.hpp"
#include "figures/figure.hpp"
#include "figures/label.hpp"
#include "figures/table_view.hpp"

namespace epsilary::drawing {
namespace {

using experiments::BandLook;
using experiments::FigureLook;
using experiments::LineLook;
using experiments::ReferenceLook;
using experiments::Spec;
using experiments::Table;

Dash dash_named(const std::string& name) {
  return name == "dotted"   ? Dash::dotted
         : name == "dashed" ? Dash::dashed
         : name == "points" ? Dash::points
                            : Dash::solid;
}

// The label with {key} replaced by the value in this row's column `key`.
std::string fill(std::string label, const Table& table, const std::vector<std::string>& row) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string place = "{" + table.columns[c] + "}";
    if (const auto at = label.find(place); at != std::string::npos) label.replace(at, place.size(), readable(row[c]));
  }
  return label;
}

// A curve that promises nothing says so, whatever its spec calls it.
void mark_unsound(Curve& curve) {
  curve.label += " (unsound)";
  if (curve.dash != Dash::points) curve.dash = Dash::dash_dot;
}

Curve curve_of(const View& view, const LineLook& line, std::size_t shade, const std::string& value,
               std::string_view color) {
  const std::size_t y = line.column.empty() ? view.y : view.column(line.column);
  const std::size_t standing = view.column("standing"), status = view.column("status");
  Curve curve{.dash = dash_named(line.dash), .color = std::string(color)};
  bool unsound = false;
  for (const auto& row : view.rows_of(line.bound)) {
    if ((shade != View::none && (*row)[shade] != value) || !view.matches(*row, line.where)) continue;
    const auto at = view.at(*row), height = view.number(*row, y);
    if (!at || !height) continue;
    if (curve.label.empty()) curve.label = fill(line.label, view.table, *row);
    curve.x.push_back(*at);
    curve.y.push_back(*height);
    curve.faded.push_back((*row)[status] == "vacuous");
    unsound = unsound || (*row)[standing] == "unsound";
  }
  if (unsound) mark_unsound(curve);
  return curve;
}

Curve reference_of(const View& view, const FigureLook& look, const ReferenceLook& reference) {
  Curve curve{.label = reference.label, .color = std::string(grey), .width = 3};
  const auto add = [&](double x, double y) {
    curve.x.push_back(x);
    curve.y.push_back(y);
    curve.faded.push_back(false);
  };
  if (!reference.x.empty()) {  // upright, as high as the axis
    for (const std::string& end : {look.y.from, look.y.to}) add(to_double(reference.x), to_double(end));
    return curve;
  }
  std::optional<double> level;
  if (is_number(reference.y)) level = to_double(reference.y);
  for (const auto* row :
       reference.bound.empty() ? std::vector<const std::vector<std::string>*>{} : view.rows_of(reference.bound))
    if (!level && view.matches(*row, reference.where)) level = view.number(*row, view.column("value"));
  const std::size_t column = level || reference.y.empty() ? View::none : view.column(reference.y);
  if (column == View::none && !level) return curve;  // the bound has no value there
  std::set<double> seen;
  for (const auto& row : view.table.rows) {
    const auto at = view.at(row), height = column == View::none ? level : view.number(row, column);
    if (at && height && seen.insert(*at).second) add(*at, *height);
  }
  return curve;
}

// At each x from one column of a bound to another.
Band spread_of(const View& view, const BandLook& look, std::string_view color) {
  Band band{.label = look.label, .color = std::string(color)};
  const std::size_t low = view.column(look.low.front()), high = view.column(look.high.front());
  for (const auto* row : view.rows_of(look.bound)) {
    if (!view.matches(*row, look.where)) continue;
    const auto at = view.at(*row), from = view.number(*row, low), to = view.number(*row, high);
    if (!at || !from || !to) continue;
    band.x.push_back(*at);
    band.low.push_back(*from);
    band.high.push_back(*to);
  }
  return band;
}

// At each x from the least of one list of bounds, but of lower bounds from the greatest, to the greatest of the other;
// where a side has none, no band.
Band band_of(const View& view, const BandLook& look, std::string_view color) {
  if (!look.bound.empty()) return spread_of(view, look, color);
  std::vector<std::string> all = look.low;
  all.insert(all.end(), look.high.begin(), look.high.end());
  view.refuse_mixed("the band '" + look.label + "'", all);
  Band band{.label = look.label, .color = std::string(color)};
  std::map<double, std::array<std::optional<double>, 2>> ends_at;  // low and high by x
  const auto take = [&](const std::vector<std::string>& ids, std::size_t side, auto better) {
    for (const std::string& id : ids)
      for (const auto* row : view.rows_of(id)) {
        const auto at = view.at(*row), height = view.number(*row, view.y);
        if (!at || !height || !view.answers(*row)) continue;
        std::optional<double>& end = ends_at[*at][side];
        if (!end || better(*height, *end)) end = height;
      }
  };
  const auto side = std::ranges::find(view.table.columns, "side");
  const auto is_lower = [&](const std::string& id) {
    const auto rows = view.rows_of(id);
    return side != view.table.columns.end() && !rows.empty() &&
           (*rows.front())[static_cast<std::size_t>(side - view.table.columns.begin())] == "lower";
  };
  if (std::ranges::all_of(look.low, is_lower))
    take(look.low, 0, std::greater<>{});
  else
    take(look.low, 0, std::less<>{});
  take(look.high, 1, std::greater<>{});
  for (const auto& [x, ends] : ends_at) {
    if (!ends[0] || !ends[1]) continue;
    band.x.push_back(x);
    band.low.push_back(*ends[0]);
    band.high.push_back(*ends[1]);
  }
  return band;
}

// 1/n, 0.1 n.
std::string tie_text(const experiments::Axis& axis) {
  std::string over, under;
  for (const experiments::Factor& f : axis.tie) {
    const std::string word = f.param ? symbol(bounds::key(*f.param)) : readable(f.number.text());
    std::string& side = f.divides ? under : over;
    if (side.empty() || side == "1")
      side = word;
    else if (word != "1")
      side += " " + word;
  }
  return (over.empty() ? "1" : over) + (under.empty() ? "" : "/" + under);
}

// n = 10^4, δ = 1/n: what the sweeps keep fixed, each in one way where they have it.
std::string fixed_parameters(const Spec& spec) {
  std::map<bounds::Param, std::set<std::string>> said;
  for (const experiments::Grid& grid : spec.sweeps)
    for (const experiments::Axis& axis : grid.axes) {
      std::string words;
      if (!axis.tie.empty())
        words = tie_text(axis);
      else if (axis.values.size() == 1 && is_number(axis.param))
        words = readable(axis.values.front().text());
      said[axis.param].insert(words);
    }
  std::string out;
  for (const auto& [param, words] : said) {
    const std::string key(bounds::key(param));
    if (words.size() != 1 || words.begin()->empty() || key == spec.figure.x.column) continue;
    out += (out.empty() ? "" : ", ") + symbol(key) + " = " + *words.begin();
  }
  return out;
}

// A row for each bound, a column for each value of the parameter; a cell without a number says why.
std::vector<std::vector<std::string>> cells_of(const View& view, const experiments::TableLook& look) {
  const std::size_t column = view.column(look.column), value = view.column("value"), status = view.column("status"),
                    side = view.column("side");
  const std::vector<std::string> heads = view.distinct(column);
  std::vector<std::vector<std::string>> out{{look.label}};
  out[0].insert(out[0].end(), look.heads.begin(), look.heads.end());
  for (const std::string& head : heads) out[0].push_back(symbol(look.column) + " = " + readable(head));
  for (const experiments::TableLook::Row& row : look.rows) {
    std::vector<std::string>& cells = out.emplace_back();
    cells.push_back(row.label);
    cells.insert(cells.end(), row.words.begin(), row.words.end());
    for (const std::string& head : heads) {
      std::string cell;
      if (!row.bound.empty())
        for (const auto* found : view.rows_of(row.bound))
          if ((*found)[column] == head && view.matches(*found, row.where)) {
            view.number(*found, value);  // refuses what is none
            cell = (*found)[value].empty() ? (*found)[status]
                                           : readable(shorter((*found)[value], (*found)[side] != "lower")) +
                                                 ((*found)[status] == "vacuous" ? "*" : "");
          }
      cells.push_back(cell);
    }
  }
  return out;
}

Axis axis_of(const View& view, const experiments::AxisLook& look, const std::string& name) {
  const Axis axis{look.label, look.logarithmic, number_or_nothing(look.from), number_or_nothing(look.to)};
  const auto refuse = [&](const std::string& why) {
    throw experiments::BadSpec(view.place() + ": the figure's " + name + " axis " + why);
  };
  if (axis.from && axis.to && !(*axis.from < *axis.to)) refuse("must have from < to");
  for (const auto& end : {axis.from, axis.to}) {
    if (end && !std::isfinite(*end)) refuse("has an end that no picture reaches");
    if (look.logarithmic && end && !(*end > 0)) refuse("is logarithmic, so its ends must be > 0");
  }
  return axis;
}

}  // namespace

std::string_view color_named(std::string_view name) {
  const auto& names = experiments::line_colors();
  const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  return at < palette.size() ? palette[at] : grey;
}

std::size_t legend_entries(const Figure& figure) {
  const auto named = [](const auto& list) {
    return static_cast<std::size_t>(std::ranges::count_if(list, [](const auto& one) { return !one.label.empty(); }));
  };
  return named(figure.curves) + named(figure.bands) + figure.contours.size() +
         (figure.map ? figure.map->categories.size() : 0);
}

// Entries stand side by side where the longest leaves room.
unsigned legend_columns(const Figure& figure) {
  std::size_t longest = 1;
  const auto note = [&](std::string_view label) { longest = std::max(longest, letters(label)); };
  for (const Curve& c : figure.curves) note(c.label);
  for (const Band& b : figure.bands) note(b.label);
  if (figure.map)
    for (const std::string& c : figure.map->categories) note(c);
  // A letter is about 0.6 of its size, in pixels.
  const double each = (static_cast<double>(longest) + 8) * 0.78 * figure.font;
  return std::clamp(static_cast<unsigned>(0.96 * figure.width / each), 1U, 4U);
}

std::vector<std::string> title_lines(const Figure& figure) {
  return lines(shown(spelled(figure.title)), static_cast<std::size_t>(0.86 * figure.width / (0.72 * figure.font)));
}

std::vector<std::size_t> column_letters(const Figure& figure) {
  std::vector<std::size_t> out(figure.cells.empty() ? 0 : figure.cells.front().size(), 1);
  for (const auto& row : figure.cells)
    for (std::size_t c = 0; c < row.size() && c < out.size(); ++c) out[c] = std::max(out[c], breadth(row[c]) + 3);
  return out;
}

void set_size(Figure& figure, Size size) {
  figure.width = size == Size::page ? 860 : 340;
  figure.font = size == Size::page ? 13 : 8;
  const unsigned plot = size == Size::page ? 420 : 200;
  if (!figure.cells.empty()) {  // a table is one size smaller as often as it must to fit
    const auto breadth = [&] {
      std::size_t all = 0;
      for (const std::size_t w : column_letters(figure)) all += w;
      return 0.62 * figure.font * static_cast<double>(all);
    };
    while (figure.font > 5 && breadth() > figure.width) --figure.font;
    figure.height =
        figure.font * 17 / 10 * (static_cast<unsigned>(figure.cells.size() + title_lines(figure).size()) + 3) * 5 / 4;
    return;
  }
  const unsigned line = figure.font * 17 / 10, columns = legend_columns(figure);
  const auto rows = (static_cast<unsigned>(legend_entries(figure)) + columns - 1) / columns;
  figure.height = plot + line * (rows + (rows ? 1U : 0U) + static_cast<unsigned>(title_lines(figure).size()));
}

std::optional<Size> size_named(std::string_view name) {
  if (name == "page") return Size::page;
  if (name == "column") return Size::column;
  return {};
}

Figure compose(const Spec& spec, const Table& table) {
  const FigureLook& look = spec.figure;
  const View view(spec, table);
  const std::string title = look.title.empty() ? fixed_parameters(spec) : look.title;
  if (look.table) {
    Figure figure{.x = {}, .y = {}, .curves = {}};
    figure.title = title;
    figure.cells = cells_of(view, *look.table);
    const auto starred = [](const auto& row) {
      return std::ranges::any_of(row, [](const std::string& cell) { return cell.ends_with('*'); });
    };
    if (std::ranges::any_of(figure.cells, starred))
      figure.title += std::string(figure.title.empty() ? "" : ", ") + "* vacuous";
    set_size(figure, Size::page);
    return figure;
  }
  Figure figure{axis_of(view, look.x, "x"), axis_of(view, look.y, "y"), {}};
  figure.title = title;
  if (look.map) {
    axis_of(view, {{}, look.map->label, look.map->logarithmic, look.map->from, look.map->to},
            "colour");  // refuses its ends
    figure.map = map_of(view, *look.map);
    for (const std::string& level : look.map->levels)
      figure.contours.push_back(trace(*figure.map, level, look.x.logarithmic, look.y.logarithmic));
  }
  std::size_t levels = 0;
  for (const ReferenceLook& reference : look.references) {
    Curve curve = reference_of(view, look, reference);
    if (look.references.size() > 1) curve.dash = static_cast<Dash>(levels++ % 4);  // one colour, told apart by dashes
    if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
  }

  std::size_t color = 0;
  const auto next_color = [&] { return palette[color++ % palette.size()]; };
  const std::size_t shade = look.colors.empty() ? View::none : view.column(look.colors);
  std::vector<std::string> values{""};
  if (shade != View::none) values = view.distinct(shade);
  for (const LineLook& line : look.lines)
    for (std::size_t s = 0; s < values.size(); ++s) {
      const std::string_view own = !line.color.empty()   ? color_named(line.color)
                                   : shade == View::none ? next_color()
                                                         : palette[s % palette.size()];
      Curve curve = curve_of(view, line, shade, values[s], own);
      if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
    }
  std::set<std::tuple<std::string, std::string, Dash>> told;  // what looks and is called alike is explained once
  for (Curve& curve : figure.curves)
    if (!told.emplace(curve.label, curve.color, curve.dash).second) curve.label.clear();
  for (const BandLook& band : look.bands)
    figure.bands.push_back(band_of(view, band, band.color.empty() ? next_color() : color_named(band.color)));
  set_size(figure, Size::page);
  return figure;
}

}  // namespace epsilary::drawing
