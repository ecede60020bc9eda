#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>

#include "figures/gnuplot.hpp"
#include "figures/label.hpp"
#include "figures/table_view.hpp"

namespace epsilary::drawing {
namespace {

// Between quotes that nothing inside can close.
std::string quoted(const std::string& safe) { return "'" + safe + "'"; }

// The shortest text that reads back as this double; where it is none, the mark of a missing value.
std::string shortest(double x) {
  if (!std::isfinite(x)) return "NaN";
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

std::string enhanced(std::string_view text) { return quoted(gnuplot_label(text)); }

std::string title(const Figure& f) {
  std::string out;
  for (const std::string& line : title_lines(f)) out += (out.empty() ? "" : ".\"\\n\".") + enhanced(line);
  return out;
}

// A PNG of a column is drawn three times as large, so that it can be read on a screen.
std::string terminal(const Figure& f, const std::string& extension) {
  const auto size = [&](unsigned times) {
    return std::to_string(times * f.width) + "," + std::to_string(times * f.height);
  };
  const std::string font = "enhanced font 'DejaVu Sans," + std::to_string(f.font) + "'";
  if (extension == ".svg") return "set terminal svg size " + size(1) + " " + font + " background rgb 'white'\n";
  if (extension == ".png" && f.font < 10)
    return "set terminal pngcairo size " + size(3) + " enhanced font 'DejaVu Sans," + std::to_string(f.font) +
           "' fontscale 3 linewidth 2.2 dashlength 1.4\n";
  if (extension == ".png")
    return "set terminal pngcairo size " + size(1) + " enhanced font 'DejaVu Sans," + std::to_string(f.font - 2) +
           "'\n";
  if (extension == ".pdf")
    return "set terminal pdfcairo size " + shortest(f.width / 100.) + "in," + shortest(f.height / 100.) + "in " + font +
           (f.font < 10 ? " linewidth 0.7 dashlength 0.6" : "") + "\n";
  throw no_picture_format(extension);
}

void add_axis(std::string& s, const std::string& name, const Axis& a) {
  s += "set " + name + "label " + enhanced(a.label) + (name == "x" ? " offset 0,0.4\n" : "\n");
  if (a.logarithmic) s += "set logscale " + name + "\n";
  if (a.logarithmic) s += "set format " + name + " '10^{%T}'\n";
  const auto end = [](const std::optional<double>& x) { return x ? shortest(*x) : ""; };
  if (a.from || a.to) s += "set " + name + "range [" + end(a.from) + ":" + end(a.to) + "]\n";
}

const char* dash_type(Dash d) {
  return d == Dash::dashed ? "(12,6)" : d == Dash::dotted ? "(3,4)" : d == Dash::dash_dot ? "(12,4,2,4)" : "1";
}

std::string block(const std::string& name, const std::string& lines) {
  return "$" + name + " << EOD\n" + lines + "EOD\n";
}

// A curve is two data blocks: where it says something, and, faded, where it does not.
std::string curve_block(const Curve& c, const std::string& name, bool faded) {
  std::string lines;
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    // A faded stretch begins at the last useful point and ends at the next, so that the curve has no gap.
    const bool joint = faded && !c.faded[k] && ((k + 1 < c.x.size() && c.faded[k + 1]) || (k > 0 && c.faded[k - 1]));
    lines += c.faded[k] == faded || joint ? shortest(c.x[k]) + " " + shortest(c.y[k]) + "\n" : "\n";
  }
  return block(name + (faded ? "f" : ""), lines);
}

// A cell reaches a little under the next ones, or the paper would shine through the seams.
std::string map_block(const HeatMap& m, const std::vector<double>& ex, const std::vector<double>& ey) {
  const auto end = [](const std::vector<double>& e, std::size_t i) { return e[i + 1] + 0.05 * (e[i + 1] - e[i]); };
  std::string lines;
  for (std::size_t i = 0; i < m.x.size(); ++i)
    for (std::size_t j = 0; j < m.y.size(); ++j)
      if (const auto& z = m.z[i * m.y.size() + j])
        lines += shortest(m.x[i]) + " " + shortest(m.y[j]) + " " + shortest(ex[i]) + " " + shortest(end(ex, i)) + " " +
                 shortest(ey[j]) + " " + shortest(end(ey, j)) + " " + shortest(*z) + "\n";
  return block("map", lines);
}

// What to plot, each with its title, in order.
std::vector<std::string> map_plots(std::string& s, const Figure& f) {
  std::vector<std::string> plots;
  const HeatMap& m = *f.map;
  if (m.x.empty() || m.y.empty()) throw std::runtime_error("the figure has nothing to draw: its table has no row");
  const auto ex = edges(m.x, f.x.logarithmic), ey = edges(m.y, f.y.logarithmic);
  s += map_block(m, ex, ey);
  const auto span = [&](const char* name, const std::vector<double>& e) {
    if (std::isfinite(e.front()) && std::isfinite(e.back()))
      s += std::string("set ") + name + "range [" + shortest(e.front()) + ":" + shortest(e.back()) + "]\n";
  };
  if (!f.x.from) span("x", ex);
  if (!f.y.from) span("y", ey);
  const std::string cells = "$map using 1:2:3:4:5:6";
  if (m.categories.empty()) {
    add_axis(s, "cb", {m.label, m.logarithmic, m.from, m.to});
    s += f.font < 10 ? "set cblabel offset 0.5\nset rmargin at screen 0.78\n" : "set cblabel offset 1.5\n";
    s += "set palette defined (";
    for (std::size_t i = 0; i < shades.size(); ++i)
      s += (i ? ", " : "") + std::to_string(i) + " '" + std::string(shades[i]) + "'";
    s += ")\n";
    plots.push_back(cells + ":7 with boxxyerror fill solid 1 noborder lc palette notitle");
    return plots;
  }
  for (std::size_t c = 0; c < m.categories.size(); ++c)
    plots.push_back("$map using ($7==" + std::to_string(c) +
                    "?$1:NaN):2:3:4:5:6 with boxxyerror fill solid 1 noborder lc rgb '" + m.category_colors[c] +
                    "' title " + enhanced(m.categories[c]));
  return plots;
}

// Pieces that meet are one line, or every one of them would begin its dashes anew. Not where they are so many that it
// would take long to find out.
std::string joined_pieces(std::vector<std::array<double, 4>> pieces) {
  const auto meet = [](double x0, double y0, double x1, double y1) {
    return std::abs(x0 - x1) <= 1e-9 * std::abs(x0) && std::abs(y0 - y1) <= 1e-9 * std::abs(y0);
  };
  constexpr std::size_t most = 4000;
  std::string out;
  if (pieces.size() > most) {
    for (const auto& [x0, y0, x1, y1] : pieces)
      out += shortest(x0) + " " + shortest(y0) + "\n" + shortest(x1) + " " + shortest(y1) + "\n\n";
    return out;
  }
  while (!pieces.empty()) {
    std::deque<std::array<double, 2>> line{{pieces.back()[0], pieces.back()[1]}, {pieces.back()[2], pieces.back()[3]}};
    pieces.pop_back();
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < pieces.size() && !grown; ++i)
        for (const bool turned : {false, true}) {
          const auto [x0, y0, x1, y1] = pieces[i];
          const std::array<double, 2> a{turned ? x1 : x0, turned ? y1 : y0}, b{turned ? x0 : x1, turned ? y0 : y1};
          if (meet(line.back()[0], line.back()[1], a[0], a[1]))
            line.push_back(b);
          else if (meet(line.front()[0], line.front()[1], a[0], a[1]))
            line.push_front(b);
          else
            continue;
          pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i));
          grown = true;
          break;
        }
    }
    for (const auto& [x, y] : line) out += shortest(x) + " " + shortest(y) + "\n";
    out += "\n";
  }
  return out;
}

std::vector<std::string> contour_plots(std::string& s, const std::vector<Contour>& contours) {
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < contours.size(); ++i) {
    const std::string lines = joined_pieces(contours[i].pieces);
    if (lines.empty()) continue;
    const std::string name = "contour" + std::to_string(i);
    s += block(name, lines);
    static constexpr Dash dashes[] = {Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot};
    const std::string line = "$" + name + " using 1:2 with lines ";
    plots.push_back(line + "lc rgb 'white' lw 4 notitle");  // a rim, so that it is seen on dark and light
    plots.push_back(line + "lc rgb 'black' dt " + dash_type(dashes[i % 4]) + " lw 2 title " +
                    enhanced(contours[i].level));
  }
  return plots;
}

std::vector<std::string> band_plots(std::string& s, const std::vector<Band>& bands) {
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    std::string lines;
    for (std::size_t k = 0; k < bands[i].x.size(); ++k)
      lines += shortest(bands[i].x[k]) + " " + shortest(bands[i].low[k]) + " " + shortest(bands[i].high[k]) + "\n";
    if (lines.empty()) continue;
    const std::string name = "band" + std::to_string(i);
    s += block(name, lines);
    plots.push_back("$" + name + " using 1:2:3 with filledcurves fill transparent solid 0.3 noborder lc rgb '" +
                    bands[i].color + "' title " + enhanced(bands[i].label));
    for (const char* edge : {"2", "3"})  // a band without breadth is still seen
      plots.push_back("$" + name + " using 1:" + edge + " with lines lw 1 lc rgb '" + bands[i].color + "' notitle");
  }
  return plots;
}

std::string line_of(const Curve& c, bool faded) {
  const std::string color = "lc rgb '" + (faded ? "#C0" + c.color.substr(1) : c.color) + "'";
  if (c.dash == Dash::points) return "points pt 7 ps 0.7 " + color;
  return "lines dt " + std::string(dash_type(c.dash)) + " lw " + shortest(c.width) + " " + color;
}

// Dashes lie upon lines, so that curves that coincide are both seen; the legend has its own order.
std::vector<std::string> curve_plots(std::string& s, const std::vector<Curve>& curves) {
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (const bool faded : {false, true}) s += curve_block(curves[i], "curve" + std::to_string(i), faded);
  for (const bool faded : {true, false})
    for (const bool solid : {true, false})
      for (std::size_t i = 0; i < curves.size(); ++i) {
        const Curve& c = curves[i];
        if ((c.dash == Dash::solid) != solid || !std::ranges::count(c.faded, faded)) continue;
        plots.push_back("$curve" + std::to_string(i) + (faded ? "f" : "") + " using 1:2 with " + line_of(c, faded) +
                        " notitle");
      }
  for (const bool reference : {false, true})
    for (const Curve& c : curves) {  // one that is faded all along still has its place
      if (c.label.empty() || c.x.empty() || (c.color == grey) != reference) continue;
      plots.push_back("keyentry with " + line_of(c, !std::ranges::count(c.faded, false)) + " title " +
                      enhanced(c.label));
    }
  return plots;
}

// Rules and texts on a page without axes.
std::string table_script(const Figure& f) {
  std::string s = "unset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\nset margins 1,1,1,1\n";
  const std::vector<std::size_t> widths = column_letters(f);
  double all = 0;
  for (const std::size_t w : widths) all += static_cast<double>(w);
  const double rows = static_cast<double>(f.cells.size()), step = 0.84 / rows, top = f.title.empty() ? 0.95 : 0.88;
  const auto rule = [&](double y) {
    s += "set arrow from 0," + shortest(y) + " to 1," + shortest(y) + " nohead lw 1 lc rgb '#444444'\n";
  };
  const auto text = [&](double x, double y, const std::string& words) {
    s += "set label " + enhanced(words) + " at " + shortest(x) + "," + shortest(y) + " left\n";
  };
  if (!f.title.empty()) text(0, 0.96, f.title);
  rule(top);
  for (std::size_t r = 0; r < f.cells.size(); ++r) {
    double x = 0.005;
    for (std::size_t c = 0; c < f.cells[r].size() && c < widths.size(); ++c) {
      if (!f.cells[r][c].empty()) text(x, top - step * (static_cast<double>(r) + 0.5), f.cells[r][c]);
      x += static_cast<double>(widths[c]) / all;
    }
    if (r == 0 || r + 1 == f.cells.size()) rule(top - step * static_cast<double>(r + 1));
  }
  return s + "plot NaN notitle\n";
}

}  // namespace

std::string gnuplot_script(const Figure& f, const std::string& extension, const std::string& out) {
  std::string s = "reset session\nset encoding utf8\n";
  s += terminal(f, extension);
  if (!out.empty()) s += "set output " + quoted(shown(out)) + "\n";
  if (!f.cells.empty()) return s + table_script(f) + (out.empty() ? "" : "unset output\n");
  if (!f.title.empty()) s += "set title " + title(f) + "\n";
  add_axis(s, "x", f.x);
  add_axis(s, "y", f.y);
  s += "set border 3\nset tics nomirror out\nset autoscale xfix\n";
  if (!f.map) s += "set grid lc rgb '#dddddd' lt 1\n";
  // The legend stands below the data and never covers it; above a map whose colours have a scale beside it.
  s += f.map && f.map->categories.empty()
           ? "set key outside top center horizontal samplen 2.5\n"
           : "set key outside bottom center horizontal Left reverse samplen 3 spacing 1.15 height 0.8 maxcols " +
                 std::to_string(legend_columns(f)) + "\n";
  std::vector<std::string> plots;
  const auto add = [&](std::vector<std::string> more) { plots.insert(plots.end(), more.begin(), more.end()); };
  if (f.map) add(map_plots(s, f));
  add(band_plots(s, f.bands));
  add(contour_plots(s, f.contours));
  add(curve_plots(s, f.curves));
  if (plots.empty()) throw nothing_to_draw();
  s += "plot ";
  for (std::size_t i = 0; i < plots.size(); ++i) s += (i ? ", \\\n  " : "") + plots[i];
  return s + "\n" + (out.empty() ? "" : "unset output\n");
}

}  // namespace epsilary::drawing
