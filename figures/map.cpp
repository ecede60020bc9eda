// Maps over two parameters: which bound wins where, how much is gained, where a hypothesis fails; and their contours.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "figures/table_view.hpp"

namespace epsilary::drawing {
namespace {

using experiments::MapLook;

// The cells of one point: the row of each bound of the map, in its order; null where there is none.
using Cells = std::map<std::pair<double, double>, std::vector<const std::vector<std::string>*>>;

Cells gather(const View& view, const MapLook& look) {
  Cells cells;
  std::vector<std::string> ids = look.bounds;
  if (look.shows == MapLook::Shows::ratio) ids.push_back(look.over);
  for (std::size_t b = 0; b < ids.size(); ++b)
    for (const auto* row : view.rows_of(ids[b])) {
      const auto x = view.number(*row, view.x), y = view.number(*row, view.y);
      if (!x || !y) continue;
      auto& at = cells[{*x, *y}];
      at.resize(ids.size());
      at[b] = row;
    }
  return cells;
}

// Which bound says most: the least upper bound, the greatest lower bound. Vacuous ones say nothing.
std::optional<double> winner(const View& view, const std::vector<const std::vector<std::string>*>& rows) {
  const std::size_t value = view.column("value"), status = view.column("status"), side = view.column("side");
  std::optional<double> best;
  double best_value = 0;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    if (!rows[b] || (*rows[b])[value].empty() || ((*rows[b])[status] != "ok" && (*rows[b])[status] != "wide") ||
        !view.answers(*rows[b]))
      continue;
    const auto height = view.number(*rows[b], value);
    if (!height) continue;
    const double v = *height * ((*rows[b])[side] == "lower" ? -1 : 1);
    if (!best || v < best_value) best = static_cast<double>(b), best_value = v;
  }
  return best;
}

std::optional<double> ratio(const View& view, const MapLook& look,
                            const std::vector<const std::vector<std::string>*>& rows) {
  const std::size_t value = view.column("value");
  if (!rows[0]) return {};
  const auto over = view.number(*rows[0], value);
  std::optional<double> under;
  if (rows.back() && rows.size() > look.bounds.size()) {
    under = view.number(*rows.back(), value);
  } else if (std::ranges::count(view.table.columns, look.over)) {
    under = view.number(*rows[0], view.column(look.over));
  }
  if (!over || !under || *under == 0) return {};
  return *over / *under;
}

double status(const View& view, const std::vector<const std::vector<std::string>*>& rows) {
  const std::string& word = (*rows[0])[view.column("status")];
  return word == "ok" || word == "wide" ? 0 : word == "vacuous" ? 1 : word == "outside" ? 2 : 3;
}

// Only categories that occur get a colour and a place in the legend.
void keep_used_categories(HeatMap& map, const std::vector<std::string>& names,
                          std::span<const std::string_view> colors) {
  std::map<double, double> renamed;
  for (const auto& z : map.z)
    if (z) renamed[*z] = 0;
  for (auto& [before, after] : renamed) {
    after = static_cast<double>(map.categories.size());
    map.categories.push_back(names[static_cast<std::size_t>(before)]);
    map.category_colors.emplace_back(colors[static_cast<std::size_t>(before) % colors.size()]);
  }
  for (auto& z : map.z)
    if (z) z = renamed[*z];
}

double scaled(double v, bool logarithmic) { return logarithmic ? std::log(v) : v; }
double unscaled(double v, bool logarithmic) { return logarithmic ? std::exp(v) : v; }

}  // namespace

HeatMap map_of(const View& view, const MapLook& look) {
  if (look.shows == MapLook::Shows::winner) view.refuse_mixed("the map", look.bounds);
  const Cells cells = gather(view, look);
  HeatMap map{.label = look.label,
              .logarithmic = look.logarithmic,
              .from = number_or_nothing(look.from),
              .to = number_or_nothing(look.to)};
  for (const auto& [at, rows] : cells) {
    map.x.push_back(at.first);
    map.y.push_back(at.second);
  }
  for (std::vector<double>* ends : {&map.x, &map.y}) {
    std::ranges::sort(*ends);
    ends->erase(std::unique(ends->begin(), ends->end()), ends->end());
  }
  for (const double x : map.x)
    for (const double y : map.y) {
      const auto it = cells.find({x, y});
      if (it == cells.end() || !it->second[0]) {
        map.z.emplace_back();
      } else {
        map.z.push_back(look.shows == MapLook::Shows::winner   ? winner(view, it->second)
                        : look.shows == MapLook::Shows::status ? std::optional(status(view, it->second))
                                                               : ratio(view, look, it->second));
      }
    }
  if (look.shows == MapLook::Shows::winner)
    keep_used_categories(map, look.labels.empty() ? look.bounds : look.labels, palette);
  if (look.shows == MapLook::Shows::status) {
    static constexpr std::array<std::string_view, 4> colors{"#009E73", "#E69F00", "#999999", "#000000"};
    keep_used_categories(map, {"says something", "true and useless", "hypothesis fails", "digits not proved"}, colors);
  }
  return map;
}

std::vector<double> edges(const std::vector<double>& at, bool logarithmic) {
  std::vector<double> t, out;
  for (const double x : at) t.push_back(logarithmic ? std::log(x) : x);
  const auto back = [&](double x) { return logarithmic ? std::exp(x) : x; };
  const double first = t.size() > 1 ? (t[1] - t[0]) / 2 : 0.5;
  const double last = t.size() > 1 ? (t.back() - t[t.size() - 2]) / 2 : 0.5;
  out.push_back(back(t.front() - first));
  for (std::size_t i = 1; i < t.size(); ++i) out.push_back(back((t[i - 1] + t[i]) / 2));
  out.push_back(back(t.back() + last));
  return out;
}

Contour trace(const HeatMap& map, const std::string& level, bool log_x, bool log_y) {
  Contour contour{level, {}};
  const double wanted = scaled(to_double(level), map.logarithmic);
  const std::size_t rows = map.y.size();
  struct Corner {
    double x, y, z;
  };
  for (std::size_t i = 0; i + 1 < map.x.size(); ++i)
    for (std::size_t j = 0; j + 1 < rows; ++j) {
      std::vector<Corner> corners;
      for (const auto& [di, dj] : {std::pair<std::size_t, std::size_t>{0, 0}, {1, 0}, {1, 1}, {0, 1}})
        if (const auto& z = map.z[(i + di) * rows + j + dj])
          corners.push_back({scaled(map.x[i + di], log_x), scaled(map.y[j + dj], log_y), scaled(*z, map.logarithmic)});
      if (corners.size() != 4) continue;
      // The level crosses two sides of a square, or, at a saddle, all four.
      std::vector<std::array<double, 2>> crossings;
      for (std::size_t side = 0; side < 4; ++side) {
        const Corner &a = corners[side], &b = corners[(side + 1) % 4];
        if ((a.z < wanted) == (b.z < wanted)) continue;
        const double share = (wanted - a.z) / (b.z - a.z);
        crossings.push_back({unscaled(a.x + share * (b.x - a.x), log_x), unscaled(a.y + share * (b.y - a.y), log_y)});
      }
      for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
        contour.pieces.push_back({crossings[k][0], crossings[k][1], crossings[k + 1][0], crossings[k + 1][1]});
    }
  return contour;
}

}  // namespace epsilary::drawing
