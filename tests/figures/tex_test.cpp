// Pictures in TeX: labels print what they say and do nothing, numbers are ours, and everything is there.
#include "figures/tex.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "experiments/sweep/spec.hpp"
#include "figures/draw.hpp"
#include "figures/gnuplot.hpp"

using namespace epsilary::drawing;

namespace {

// What a label may consist of beside letters, digits and harmless signs: these words and no others.
std::string without_known_words(std::string label) {
  for (const char* word : {"\\ensuremath{^{",
                           "\\ensuremath{_{",
                           "\\ensuremath{",
                           "\\mathrm{",
                           "\\textunderscore{}",
                           "\\textasciicircum{}",
                           "\\textasciitilde{}",
                           "\\varepsilon",
                           "\\pi",
                           "\\backslash",
                           "\\ldots",
                           "\\delta",
                           "\\times",
                           "\\surd",
                           "\\#",
                           "\\$",
                           "\\%",
                           "\\&",
                           "\\{",
                           "\\}"})
    for (std::size_t at = 0; (at = label.find(word)) != std::string::npos;)
      label.replace(at, std::string(word).size(), " ");
  return label;
}

Figure small() {
  Figure f;
  f.x.label = "ε_0";
  f.y.label = "ε";
  f.y.logarithmic = true;
  f.title = "n = 10^4, δ = 10^-6";
  f.curves.push_back(
      {.x = {1, 2, 3}, .y = {0.1, 0.2, 5}, .faded = {false, false, true}, .label = "50% & more", .color = "#0072B2"});
  f.curves.push_back({.x = {1, 2}, .y = {1, 1}, .faded = {false, false}, .label = "grey", .color = std::string(grey)});
  f.bands.push_back({.x = {1, 2}, .low = {1, 1}, .high = {2, 2}, .label = "band", .color = "#D55E00"});
  return f;
}

}  // namespace

TEST_CASE("a label in TeX reads as it is written") {
  CHECK(tex_label("ε_0 = 10^-6") ==
        "\\ensuremath{\\varepsilon}\\ensuremath{_{\\mathrm{0}}} = 10\\ensuremath{^{\\mathrm{-6}}}");
  CHECK(tex_label("50% & 3_000 #1 $x$") == "50\\% \\& 3\\ensuremath{_{\\mathrm{000}}} \\#1 \\$x\\$");
  CHECK(tex_label("Erlingsson’s") == "Erlingsson's");
  CHECK(tex_label("café 漢") == "café ?");
}

TEST_CASE("no text becomes TeX code, whatever it is made of") {
  for (const std::string text :
       {"\\input{/etc/passwd}", "\\write18{touch canary}", "}\\end{axis}\\input x", "%\n\\def\\x{}", "^^5cinput x",
        "$\\immediate\\write18{x}$", "_{\\input x}", "a^{}\\input{x}", "{{{", "}}}", "\\\\", "a_\\def", "\x01\x7f~#"}) {
    const std::string label = tex_label(text), rest = without_known_words(label);
    CAPTURE(text);
    CAPTURE(label);
    CHECK(rest.find('\\') == std::string::npos);
    CHECK(label.find('\n') == std::string::npos);
    CHECK(rest.find_first_of("%$#&^_~") == std::string::npos);
    int depth = 0;  // of braces that are not printed
    for (std::size_t i = 0; i < label.size(); ++i) {
      if (label[i] == '\\') {
        ++i;
        continue;
      }
      depth += label[i] == '{' ? 1 : label[i] == '}' ? -1 : 0;
      CHECK(depth >= 0);
    }
    CHECK(depth == 0);
  }
  for (int first = 0; first < 256; ++first)
    for (const int second :
         std::initializer_list<int>{0, '\n', '\\', '{', '}', '%', '_', '^', '$', 0x80, 0xC3, 0xE2, 0xFF}) {
      const std::string rest =
          without_known_words(tex_label(std::string{static_cast<char>(first), static_cast<char>(second)}));
      CHECK(rest.find_first_of("\\%$#&_~\n") == std::string::npos);
    }
}

TEST_CASE("a picture in TeX has its curves, their faded parts, its band and the legend") {
  const std::string tex = tex_picture(small());
  CHECK(tex.find("\\begin{axis}[") != std::string::npos);
  CHECK(tex.find("ymode=log") != std::string::npos);
  CHECK(tex.find("xmode=log") == std::string::npos);
  CHECK(tex.find("(1,0.1) (2,0.2)") != std::string::npos);
  CHECK(tex.find("(2,0.2) (3,5)") != std::string::npos);  // the faded stretch begins where the other ends
  CHECK(tex.find("!30") != std::string::npos);
  CHECK(tex.find("\\addlegendentry{50\\% \\& more}") < tex.find("\\addlegendentry{grey}"));
  CHECK(tex.find("fill opacity=0.25") != std::string::npos);
  CHECK(tex.find("\\definecolor{epsilarya}{HTML}") != std::string::npos);
  CHECK(tex == tex_picture(small()));
  CHECK_THROWS_AS(tex_picture(Figure{}), std::runtime_error);
}

TEST_CASE("a table is rows and columns, rounded to the safe side, in TeX and as a picture") {
  const epsilary::experiments::Table table{{"bound", "standing", "side", "status", "n", "value"},
                                           {{"a", "proved", "upper", "ok", "100", "0.123412"},
                                            {"a", "proved", "upper", "vacuous", "1000", "2.00001"},
                                            {"b", "proved", "lower", "ok", "100", "0.123468"},
                                            {"b", "proved", "lower", "outside", "1000", ""}}};
  epsilary::experiments::Spec spec;
  spec.id = "test";
  spec.figure.table =
      epsilary::experiments::TableLook{"n", "source", {"order"}, {{"A", "a", {"e^{ε0}"}, {}}, {"B", "b", {""}, {}}}};
  spec.figure.x.column = "n";
  spec.figure.y.column = "value";
  const Figure f = compose(spec, table);
  REQUIRE(f.cells.size() == 3);
  CHECK(f.cells[0] == std::vector<std::string>{"source", "order", "n = 100", "n = 10^3"});
  CHECK(f.cells[1] == std::vector<std::string>{"A", "e^{ε0}", "0.1235", "2.001*"});
  CHECK(f.cells[2] == std::vector<std::string>{"B", "", "0.1234", "outside"});
  CHECK(tex_picture(f).find("A & e\\ensuremath{^{\\mathrm{\\ensuremath{\\varepsilon}0}}} & 0.1235") !=
        std::string::npos);
  const std::string script = gnuplot_script(f, ".svg");
  CHECK(script.find("set label '0.1235'") != std::string::npos);
  const auto folder = std::filesystem::temp_directory_path() / "epsilary-table-test";
  std::filesystem::create_directories(folder);
  draw(f, folder / "a.svg");
  CHECK(std::filesystem::file_size(folder / "a.svg") > 1000);
  std::filesystem::remove_all(folder);
}

TEST_CASE("the parameters stand on the picture, and the legend takes no width") {
  const std::string text = R"(id = "x"
source = "s"
bounds = ["balle2020-thm5.1"]
[axes]
eps0 = "1,2"
[fixed]
n = "1e4"
delta = "1/n"
[figure]
x = { column = "eps0", label = "x" }
y = { column = "value", label = "y" }
[[figure.line]]
bound = "balle2020-thm5.1"
label = "A"
color = "red"
)";
  const auto spec = epsilary::experiments::parse_spec(text, "x.toml");
  const epsilary::experiments::Table table{{"bound", "standing", "side", "status", "n", "eps0", "value"},
                                           {{"balle2020-thm5.1", "proved", "upper", "ok", "10000", "1", "0.1"},
                                            {"balle2020-thm5.1", "proved", "upper", "ok", "10000", "2", "0.2"}}};
  Figure f = compose(spec, table);
  CHECK(f.title == "δ = 1/n, n = 10^4");
  CHECK(f.curves[0].color == palette[1]);
  CHECK(gnuplot_script(f, ".svg").find("set key outside bottom") != std::string::npos);
  const unsigned page = f.width;
  set_size(f, Size::column);
  CHECK(f.width < page / 2);
  CHECK(f.font < 10);
  CHECK_THROWS_WITH_AS(epsilary::experiments::parse_spec(text + "dash = \"none\"", "x.toml"), doctest::Contains("dash"),
                       epsilary::experiments::BadSpec);
  CHECK_THROWS_WITH_AS(
      epsilary::experiments::parse_spec(text.substr(0, text.find("color")) + "color = \"mauve\"\n", "x.toml"),
      doctest::Contains("must be one of blue"), epsilary::experiments::BadSpec);
}
