#include "figures/tex.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "figures/label.hpp"

namespace epsilary::drawing {
namespace {

// Signs beyond ASCII that TeX has a formula for, or another sign.
constexpr std::array<std::pair<std::string_view, std::string_view>, 30> signs{
    {{"ε", "\\varepsilon"}, {"δ", "\\delta"},  {"Δ", "\\Delta"}, {"γ", "\\gamma"},     {"λ", "\\lambda"},
     {"σ", "\\sigma"},      {"α", "\\alpha"},  {"β", "\\beta"},  {"μ", "\\mu"},        {"ρ", "\\rho"},
     {"ω", "\\omega"},      {"π", "\\pi"},     {"θ", "\\theta"}, {"τ", "\\tau"},       {"η", "\\eta"},
     {"κ", "\\kappa"},      {"φ", "\\varphi"}, {"Φ", "\\Phi"},   {"≤", "\\le"},        {"≥", "\\ge"},
     {"≈", "\\approx"},     {"√", "\\surd"},   {"×", "\\times"}, {"∞", "\\infty"},     {"−", "-"},
     {"·", "\\cdot"},       {"±", "\\pm"},     {"→", "\\to"},    {"∖", "\\backslash"}, {"…", "\\ldots"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> quotes{
    {{"’", "'"}, {"‘", "`"}, {"”", "''"}, {"“", "``"}, {"–", "--"}}};

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view(" .,:;()+-*/=!?'@").find(c) != std::string_view::npos;
}

// The sign that begins here, of as many bytes, as TeX.
std::pair<std::string, std::size_t> sign_at(std::string_view text) {
  const char c = text.front();
  const auto byte = static_cast<unsigned char>(c);
  if (is_plain(c)) return {std::string(1, c), 1};
  for (const auto& [sign, formula] : signs)
    if (text.starts_with(sign)) return {"\\ensuremath{" + std::string(formula) + "}", sign.size()};
  for (const auto& [sign, ascii] : quotes)
    if (text.starts_with(sign)) return {std::string(ascii), sign.size()};
  switch (c) {
    case '#':
    case '$':
    case '%':
    case '&':
    case '{':
    case '}': return {std::string("\\") + c, 1};
    case '_': return {"\\textunderscore{}", 1};
    case '^': return {"\\textasciicircum{}", 1};
    case '~': return {"\\textasciitilde{}", 1};
    case '<':
    case '>':
    case '|':
    case '[':
    case ']': return {"\\ensuremath{" + std::string(1, c) + "}", 1};
    default: break;
  }
  std::size_t size = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  size = std::min(size, text.size());
  const bool latin = size == 2 && byte >= 0xC3 && byte <= 0xC5;  // accented letters, which every LaTeX has
  return {latin ? std::string(text.substr(0, size)) : "?", size};
}

// Where the exponent or index that begins at `text` ends: after a brace that closes, or after letters and digits.
std::pair<std::string_view, std::size_t> script_at(std::string_view text) {
  if (text.starts_with('{'))
    if (const std::size_t end = text.find('}'); end != std::string_view::npos)
      return {text.substr(1, end - 1), end + 1};
  std::size_t end = text.starts_with('-') ? 1 : 0;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || (text[end] >= 'a' && text[end] <= 'z') ||
                               (text[end] >= 'A' && text[end] <= 'Z')))
    ++end;
  return {text.substr(0, end), end};
}

std::string plain_label(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [sign, size] = sign_at(text);
    out += sign;
    text.remove_prefix(size);
  }
  return out;
}

std::string number(double x) {
  if (!std::isfinite(x)) return "nan";
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

const char* dash_of(Dash d) {
  return d == Dash::dashed     ? "dashed"
         : d == Dash::dotted   ? "densely dotted"
         : d == Dash::dash_dot ? "dash dot"
                               : "solid";
}

// Colours by the names they are defined under.
class Colors {
 public:
  std::string operator()(const std::string& hex) {
    const auto [it, is_new] =
        names_.try_emplace(hex, "epsilary" + std::string(1, static_cast<char>('a' + names_.size() % 26)) +
                                    (names_.size() >= 26 ? "x" : ""));
    if (is_new) defined_ += "\\definecolor{" + it->second + "}{HTML}{" + hex.substr(1) + "}%\n";
    return it->second;
  }
  const std::string& defined() const { return defined_; }

 private:
  std::map<std::string, std::string> names_;
  std::string defined_;
};

std::string point(double x, double y) { return "(" + number(x) + "," + number(y) + ")"; }

// The stretches of a curve that are faded, or are not, each a plot of its own; a faded one begins where the other ends.
std::vector<std::string> stretches(const Curve& c, bool faded) {
  std::vector<std::string> out;
  std::string now;
  int points = 0;
  const auto end = [&] {
    if (points > 1 || (points == 1 && c.dash == Dash::points)) out.push_back(now);
    now.clear(), points = 0;
  };
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    const bool joint = faded && !c.faded[k] && ((k + 1 < c.x.size() && c.faded[k + 1]) || (k > 0 && c.faded[k - 1]));
    if ((c.faded[k] != faded && !joint) || !std::isfinite(c.x[k]) || !std::isfinite(c.y[k])) {
      end();
      continue;
    }
    now += point(c.x[k], c.y[k]) + (++points % 4 == 0 ? "\n" : " ");
    if (joint && k > 0 && c.faded[k - 1] && !(k + 1 < c.x.size() && c.faded[k + 1])) end();
  }
  end();
  return out;
}

std::string axis_options(const char* name, const Axis& a) {
  std::string s = std::string("  ") + name + "label={" + tex_label(a.label) + "},\n";
  if (a.logarithmic) s += std::string("  ") + name + "mode=log,\n";
  if (a.from) s += std::string("  ") + name + "min=" + number(*a.from) + ",\n";
  if (a.to) s += std::string("  ") + name + "max=" + number(*a.to) + ",\n";
  return s;
}

// Shades between the six of the palette, in 24 steps.
std::string shade_of(double share) {
  const double at = std::round(std::clamp(share, 0.0, 1.0) * 23) / 23 * static_cast<double>(shades.size() - 1);
  const auto low = static_cast<std::size_t>(std::min(at, static_cast<double>(shades.size()) - 2));
  const auto part = [&](std::size_t i, std::size_t from) {
    return std::stoi(std::string(shades[i].substr(from, 2)), nullptr, 16);
  };
  std::string hex = "#";
  for (const std::size_t from : {1U, 3U, 5U}) {
    const double mix = part(low, from) + (at - static_cast<double>(low)) * (part(low + 1, from) - part(low, from));
    const int whole = static_cast<int>(std::lround(mix));
    hex += "0123456789ABCDEF"[whole / 16];
    hex += "0123456789ABCDEF"[whole % 16];
  }
  return hex;
}

// Cells of one colour in a row are one rectangle.
std::string map_cells(const Figure& f, Colors& colors) {
  const HeatMap& m = *f.map;
  if (m.x.empty() || m.y.empty()) throw std::runtime_error("the figure has nothing to draw: its table has no row");
  const auto ex = edges(m.x, f.x.logarithmic), ey = edges(m.y, f.y.logarithmic);
  double low = HUGE_VAL, high = -HUGE_VAL;
  const auto scaled = [&](double z) { return m.logarithmic ? std::log(z) : z; };
  for (const auto& z : m.z)
    if (z && std::isfinite(scaled(*z))) low = std::min(low, scaled(*z)), high = std::max(high, scaled(*z));
  if (m.from) low = scaled(*m.from);
  if (m.to) high = scaled(*m.to);
  const auto color = [&](double z) {
    if (!m.categories.empty()) return m.category_colors[static_cast<std::size_t>(z)];
    return shade_of(high > low ? (scaled(z) - low) / (high - low) : 0);
  };
  std::string s;
  for (std::size_t j = 0; j < m.y.size(); ++j)
    for (std::size_t i = 0; i < m.x.size();) {
      const auto& z = m.z[i * m.y.size() + j];
      if (!z) {
        ++i;
        continue;
      }
      const std::string own = color(*z);
      std::size_t end = i + 1;
      while (end < m.x.size() && m.z[end * m.y.size() + j] && color(*m.z[end * m.y.size() + j]) == own) ++end;
      s += "\\fill[" + colors(own) + "] (axis cs:" + number(ex[i]) + "," + number(ey[j]) +
           ") rectangle (axis cs:" + number(ex[end]) + "," + number(ey[j + 1]) + ");\n";
      i = end;
    }
  return s;
}

std::string map_scale(const HeatMap& m) {
  if (!m.categories.empty()) return "";
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& z : m.z)
    if (z) low = std::min(low, *z), high = std::max(high, *z);
  low = m.from.value_or(low), high = m.to.value_or(high);
  std::string s = "  colorbar, colormap={epsilary}{";
  for (const std::string_view shade : shades) {
    const auto part = [&](std::size_t at) {
      return std::to_string(std::stoi(std::string(shade.substr(at, 2)), nullptr, 16));
    };
    s += "rgb255=(" + part(1) + "," + part(3) + "," + part(5) + ") ";
  }
  const auto end = [&](double z) { return number(m.logarithmic ? std::log10(z) : z); };
  s += "},\n  point meta min=" + end(low) + ", point meta max=" + end(high) + ",\n  colorbar style={ylabel={" +
       tex_label(m.label) + "}" + (m.logarithmic ? ", yticklabel={$10^{\\pgfmathprintnumber{\\tick}}$}" : "") + "},\n";
  return s;
}

std::string table(const Figure& f) {
  std::string s = "\\begin{tabular}{l" + std::string(f.cells.front().size() - 1, 'l') + "}\n\\hline\n";
  for (std::size_t r = 0; r < f.cells.size(); ++r) {
    for (std::size_t c = 0; c < f.cells[r].size(); ++c) s += (c ? " & " : "") + tex_label(f.cells[r][c]);
    s += r == 0 ? " \\\\ \\hline\n" : " \\\\\n";
  }
  return s + "\\hline\n\\end{tabular}" +
         (f.title.empty() ? "" : "\\\\[2pt]\n{\\footnotesize " + tex_label(f.title) + "}") + "\n";
}

}  // namespace

std::string tex_label(std::string_view written) {
  const std::string safe = shown(spelled(std::string(written)));
  std::string_view text = safe;
  std::string out;
  while (!text.empty()) {
    if ((text.front() == '^' || text.front() == '_') && !out.empty()) {
      const auto [script, size] = script_at(text.substr(1));
      if (!script.empty()) {
        out += "\\ensuremath{" + std::string(1, text.front()) + "{\\mathrm{" + plain_label(script) + "}}}";
        text.remove_prefix(size + 1);
        continue;
      }
    }
    const auto [sign, size] = sign_at(text);
    out += sign;
    text.remove_prefix(size);
  }
  return out;
}

std::string tex_picture(const Figure& f) {
  const std::string head = "% Made by epsilary; to be read by \\input. ";
  if (!f.cells.empty()) return head + "\n" + table(f);
  if (!f.map && f.bands.empty() && f.curves.empty()) throw nothing_to_draw();
  Colors colors;
  std::string plots, legend;
  if (f.map) {
    plots += map_cells(f, colors);
    for (std::size_t c = 0; c < f.map->categories.size(); ++c)
      legend += "\\addlegendimage{area legend, draw=none, fill=" + colors(f.map->category_colors[c]) +
                "}\n\\addlegendentry{" + tex_label(f.map->categories[c]) + "}\n";
  }
  for (const Band& b : f.bands) {
    if (b.x.empty()) continue;
    const std::string color = colors(b.color);
    std::string there, back;
    for (std::size_t k = 0; k < b.x.size(); ++k) {
      if (!std::isfinite(b.low[k]) || !std::isfinite(b.high[k])) continue;
      there += point(b.x[k], b.low[k]) + " ";
      back = point(b.x[k], b.high[k]) + " " + back;
    }
    plots += "\\addplot[draw=none, fill=" + color + ", fill opacity=0.25, forget plot] coordinates {\n" + there + back +
             "} -- cycle;\n";
    if (!b.label.empty())
      legend += "\\addlegendimage{area legend, draw=none, fill=" + color + ", fill opacity=0.25}\n\\addlegendentry{" +
                tex_label(b.label) + "}\n";
  }
  for (std::size_t i = 0; i < f.contours.size(); ++i) {
    static constexpr Dash dashes[] = {Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot};
    const std::string dash = dash_of(dashes[i % 4]);
    for (const auto& [x0, y0, x1, y1] : f.contours[i].pieces)
      plots += "\\draw[" + dash + ", thick] (axis cs:" + number(x0) + "," + number(y0) + ") -- (axis cs:" + number(x1) +
               "," + number(y1) + ");\n";
    if (!f.contours[i].pieces.empty())
      legend += "\\addlegendimage{" + dash + ", thick}\n\\addlegendentry{" + tex_label(f.contours[i].level) + "}\n";
  }
  const auto look = [&](const Curve& c, bool faded) {
    const std::string color = colors(c.color) + (faded ? "!30" : "");
    if (c.dash == Dash::points) return "only marks, mark=*, mark size=1pt, " + color;
    return color + ", " + dash_of(c.dash) + ", line width=" + number(c.width * 0.45) + "pt";
  };
  for (const bool faded : {true, false})
    for (const bool solid : {true, false})  // dashes upon lines
      for (const Curve& c : f.curves)
        if ((c.dash == Dash::solid) == solid)
          for (const std::string& stretch : stretches(c, faded))
            plots += "\\addplot[" + look(c, faded) + ", forget plot] coordinates {\n" + stretch + "};\n";
  for (const bool reference : {false, true})
    for (const Curve& c : f.curves) {
      if (c.label.empty() || c.x.empty() || (c.color == grey) != reference) continue;
      legend += "\\addlegendimage{" + look(c, !std::ranges::count(c.faded, false)) + "}\n\\addlegendentry{" +
                tex_label(c.label) + "}\n";
    }
  std::string s = head + "Needs \\usepackage{pgfplots}.\n\\begingroup\n" + colors.defined();
  s += "\\begin{tikzpicture}\n\\begin{axis}[\n  width=\\linewidth, height=0.68\\linewidth, axis lines=left, "
       "clip=true,\n";
  s += "  grid=major, grid style={black!12}, label style={font=\\footnotesize}, tick label "
       "style={font=\\footnotesize},\n";
  if (!f.title.empty()) {
    std::string title;
    for (const std::string& line : title_lines(f)) title += (title.empty() ? "" : "\\\\") + tex_label(line);
    s += "  title={" + title + "}, title style={font=\\footnotesize, align=center},\n";
  }
  s += axis_options("x", f.x) + axis_options("y", f.y);
  if (f.map) {
    s += map_scale(*f.map);
    const auto span = [&](const char* name, const std::vector<double>& e) {
      s += std::string("  ") + name + "min=" + number(e.front()) + ", " + name + "max=" + number(e.back()) + ",\n";
    };
    if (!f.x.from) span("x", edges(f.map->x, f.x.logarithmic));
    if (!f.y.from) span("y", edges(f.map->y, f.y.logarithmic));
  } else {
    s += "  enlarge x limits=false,\n";
  }
  s += "  legend columns=" + std::to_string(legend_columns(f)) +
       ", legend style={at={(0.5,-0.24)}, anchor=north, draw=none, fill=none, font=\\footnotesize, "
       "/tikz/every even column/.append style={column sep=6pt}}, legend cell align=left,\n]\n";
  return s + plots + legend + "\\end{axis}\n\\end{tikzpicture}%\n\\endgroup\n";
}

}  // namespace epsilary::drawing
