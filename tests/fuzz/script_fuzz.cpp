// A table and perhaps a spec from somebody else, drawn: whatever they hold, the script for gnuplot consists of the
// commands we meant, numbers, and texts between quotes that nothing inside can close. The input is a CSV table, its
// first byte choosing the columns that are drawn; or a spec, a byte 0 and a table.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "experiments/tables/read_table.hpp"
#include "figures/gnuplot.hpp"
#include "figures/plain.hpp"
#include "figures/tex.hpp"

namespace {

using epsilary::experiments::Table;

// The lines of a script, with N for every number and '' for every text.
const std::set<std::string, std::less<>> meant{
    "reset session",
    "set encoding utfN",
    "set terminal svg size N,N enhanced font '' background rgb ''",
    "set terminal pdfcairo size Nin,Nin enhanced font ''",
    "set terminal pngcairo size N,N enhanced font ''",
    "set terminal pngcairo size N,N enhanced font '' fontscale N linewidth N dashlength N",
    "set terminal pdfcairo size Nin,Nin enhanced font '' linewidth N dashlength N",
    "set title ''",
    "set xlabel '' offset N,N",
    "set ylabel ''",
    "set cblabel ''",
    "set cblabel offset N",
    "set logscale x",
    "set logscale y",
    "set logscale cb",
    "set format x ''",
    "set format y ''",
    "set format cb ''",
    "set xrange [N:N]",
    "set xrange [N:]",
    "set xrange [:N]",
    "set yrange [N:N]",
    "set yrange [N:]",
    "set yrange [:N]",
    "set cbrange [N:N]",
    "set cbrange [N:]",
    "set cbrange [:N]",
    "set rmargin at screen N",
    "set border N",
    "set tics nomirror out",
    "set autoscale xfix",
    "set grid lc rgb '' lt N",
    "set key outside top center horizontal samplen N",
    "set key outside bottom center horizontal Left reverse samplen N spacing N height N maxcols N",
    // A table of words.
    "unset border",
    "unset tics",
    "unset key",
    "set margins N,N,N,N",
    "set arrow from N,N to N,N nohead lw N lc rgb ''",
    "set label '' at N,N left",
    "set palette defined (N '', N '', N '', N '', N '', N '')",
};
const std::set<std::string, std::less<>> meant_plots{
    "$map using N:N:N:N:N:N:N with boxxyerror fill solid N noborder lc palette notitle",
    "$map using ($N==N?$N:NaN):N:N:N:N:N with boxxyerror fill solid N noborder lc rgb '' title ''",
    "$bandN using N:N:N with filledcurves fill transparent solid N noborder lc rgb '' title ''",
    "$bandN using N:N with lines lw N lc rgb '' notitle",
    "$contourN using N:N with lines lc rgb '' lw N notitle",
    "$contourN using N:N with lines lc rgb '' dt D lw N title ''",
    "$curveN using N:N with points pt N ps N lc rgb '' notitle",
    "$curveNf using N:N with points pt N ps N lc rgb '' notitle",
    "$curveN using N:N with lines dt D lw N lc rgb '' notitle",
    "$curveNf using N:N with lines dt D lw N lc rgb '' notitle",
    "keyentry with points pt N ps N lc rgb '' title ''",
    "keyentry with lines dt D lw N lc rgb '' title ''",
    "NaN notitle",
};
const std::set<std::string, std::less<>> meant_blocks{"$map", "$bandN", "$contourN", "$curveN", "$curveNf"};

[[noreturn]] void fail(std::string_view why, std::string_view line) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(why.size()), why.data(), static_cast<int>(line.size()),
               line.data());
  std::abort();
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// How long the number is that begins here; 0 where none does.
std::size_t number(std::string_view text) {
  std::size_t i = text.starts_with('-') ? 1 : 0;
  const std::size_t first = i;
  while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
  if (std::none_of(text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(i),
                   is_digit))
    return 0;
  if (i < text.size() && text[i] == 'e') {
    std::size_t e = i + 1;
    if (e < text.size() && (text[e] == '-' || text[e] == '+')) ++e;
    if (e == text.size() || !is_digit(text[e])) return i;
    while (e < text.size() && is_digit(text[e])) ++e;
    i = e;
  }
  return i;
}

// With N for numbers and '' for texts, which must not hold anything that gnuplot or a shell would read as its own.
std::string shape(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\'') {
      const std::size_t end = line.find('\'', i + 1);
      if (end == std::string_view::npos) fail("a quote is open", line);
      for (std::size_t k = i + 1; k < end; ++k) {
        const auto c = static_cast<unsigned char>(line[k]);
        if (c < 0x20 || c == 0x7F || c == '"' || c == '`') fail("a text that gnuplot would read", line);
        if (c == '{' && (line[k - 1] == '^' || line[k - 1] == '_')) {
          if (const std::size_t first = line.find_first_not_of(' ', k + 1); first < end && line[first] == '/')
            fail("a font", line);
        } else if (c == '{') {
          fail("a brace of no exponent", line);
        }
        if (c == '\\' && (k + 1 >= end || std::string_view("@&~{}").find(line[++k]) == std::string_view::npos))
          fail("a backslash", line);
      }
      out += "''";
      i = end + 1;
    } else if (const std::size_t n = number(line.substr(i))) {
      out += 'N';
      i += n;
    } else {
      out += line[i++];
    }
  }
  // Lines of a title.
  for (constexpr std::string_view line_end = ".\"\\n\".''"; out.starts_with("set title ") && out.ends_with(line_end);)
    out.erase(out.size() - line_end.size());
  for (const char* dashes : {"dt (N,N,N,N)", "dt (N,N)", "dt N"})
    if (const std::size_t at = out.find(dashes); at != std::string::npos) {
      out.replace(at, std::string_view(dashes).size(), "dt D");
      break;
    }
  return out;
}

void check_script(std::string_view script) {
  bool in_block = false, in_plot = false, drawn = false;
  while (!script.empty()) {
    const std::string_view line = script.substr(0, script.find('\n'));
    if (line.size() == script.size()) fail("no end of line", line);
    script.remove_prefix(line.size() + 1);
    if (in_block) {
      in_block = line != "EOD";
      for (std::string_view rest = line; in_block && !rest.empty();) {
        const std::size_t n = rest.starts_with("NaN") ? 3 : number(rest);
        if (n == 0 || (n < rest.size() && rest[n] != ' ')) fail("not a number", line);
        rest.remove_prefix(std::min(rest.size(), n + 1));
      }
      continue;
    }
    std::string text = shape(line);
    if (!in_plot && text.ends_with(" << EOD")) {
      if (!meant_blocks.contains(text.substr(0, text.size() - 7))) fail("not a block of ours", line);
      in_block = true;
      continue;
    }
    if (!in_plot && !text.starts_with("plot ")) {
      if (drawn || !meant.contains(text)) fail("not a command of ours", line);
      continue;
    }
    text.erase(0, in_plot ? 2 : 5);
    in_plot = text.ends_with(", \\");
    drawn = true;
    if (in_plot) text.erase(text.size() - 3);
    if (!meant_plots.contains(text)) fail("not a plot of ours", line);
  }
  if (in_block || in_plot || !drawn) fail("a script that does not end", "");
}

// The words of a picture in TeX, and no others.
const std::set<std::string, std::less<>> meant_words{"begingroup",
                                                     "endgroup",
                                                     "definecolor",
                                                     "begin",
                                                     "end",
                                                     "addplot",
                                                     "addlegendimage",
                                                     "addlegendentry",
                                                     "fill",
                                                     "draw",
                                                     "linewidth",
                                                     "footnotesize",
                                                     "hline",
                                                     "pgfmathprintnumber",
                                                     "tick",
                                                     "ensuremath",
                                                     "mathrm",
                                                     "textunderscore",
                                                     "textasciicircum",
                                                     "textasciitilde",
                                                     "varepsilon",
                                                     "delta",
                                                     "Delta",
                                                     "gamma",
                                                     "lambda",
                                                     "sigma",
                                                     "alpha",
                                                     "beta",
                                                     "mu",
                                                     "rho",
                                                     "omega",
                                                     "pi",
                                                     "theta",
                                                     "tau",
                                                     "eta",
                                                     "kappa",
                                                     "varphi",
                                                     "Phi",
                                                     "le",
                                                     "ge",
                                                     "approx",
                                                     "surd",
                                                     "times",
                                                     "infty",
                                                     "cdot",
                                                     "pm",
                                                     "to",
                                                     "backslash",
                                                     "ldots"};

void check_tex(std::string_view tex) {
  tex.remove_prefix(tex.find('\n') + 1);  // our own first line
  int depth = 0;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    const char c = tex[i];
    if (c == '\\') {
      std::size_t end = i + 1;
      while (end < tex.size() && std::isalpha(static_cast<unsigned char>(tex[end]))) ++end;
      const std::string_view word = tex.substr(i + 1, end - i - 1);
      if (word.empty()) {
        if (i + 1 >= tex.size() || std::string_view("#$%&{}\\").find(tex[i + 1]) == std::string_view::npos)
          fail("not a sign of ours", tex.substr(i, 40));
        ++i;
      } else if (!meant_words.contains(word)) {
        fail("not a word of ours", tex.substr(i, 40));
      }
      continue;
    }
    if (c == '%' && (i + 1 >= tex.size() || tex[i + 1] != '\n')) fail("a comment", tex.substr(i, 40));
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0) fail("a brace that closes nothing", tex.substr(i, 40));
  }
  if (depth != 0) fail("a brace is open", "");
}

epsilary::experiments::Spec plain(const Table& table, std::uint8_t choice) {
  epsilary::Drawing drawing{.what = "fuzz"};
  const auto column = [&](unsigned place) { return table.columns[place % table.columns.size()]; };
  if (choice & 1) drawing.x = column(choice >> 4u);
  if (choice & 2) drawing.y = column(choice >> 5u);
  if (choice & 4) drawing.colors = column(choice >> 3u);
  drawing.log_x = choice & 8;
  drawing.log_y = choice & 16;
  return epsilary::drawing::plain_spec(table, drawing);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = text.find('\0');
  const bool has_spec = zero != std::string_view::npos;
  if (has_spec && text.substr(0, zero).find_first_of(":x") != std::string_view::npos &&
      text.substr(0, zero).find("0000") != std::string_view::npos)
    return 0;  // a range of many values is a lot of work and no new path
  std::string script;
  try {
    const Table table = epsilary::experiments::parse_table(text.substr(has_spec ? zero + 1 : 1), "fuzz.csv");
    const auto spec =
        has_spec ? epsilary::experiments::parse_spec(text.substr(0, zero), "fuzz.toml") : plain(table, data[0]);
    const auto figure = epsilary::drawing::compose(spec, table);
    check_tex(epsilary::drawing::tex_picture(figure));
    for (const char* extension : {".svg", ".png", ".pdf"}) {
      script = epsilary::drawing::gnuplot_script(figure, extension);
      check_script(script);
    }
  } catch (const epsilary::Error&) {
  } catch (const std::runtime_error& e) {
    if (!std::string_view(e.what()).starts_with("the figure has nothing to draw")) throw;
  }
  return 0;
}
