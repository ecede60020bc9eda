#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/sweep/spec.hpp"
#include "figures/draw.hpp"
#include "figures/gnuplot.hpp"
#include "figures/label.hpp"

using namespace epsilary::drawing;

namespace {

const epsilary::experiments::Table table{{"bound", "standing", "side", "status", "n", "eps0", "value"},
                                         {{"a", "proved", "upper", "ok", "1000", "1", "0.1"},
                                          {"a", "proved", "upper", "vacuous", "1000", "2", "3"},
                                          {"a", "proved", "upper", "ok", "20", "1", "0.2"},
                                          {"b", "published", "upper", "ok", "1000", "1", "0.4"},
                                          {"b", "published", "upper", "outside", "1000", "2", ""}}};

epsilary::experiments::Spec spec() {
  epsilary::experiments::Spec s;
  s.id = "test";
  s.figure.x = {"eps0", "local ε_0", false, "", ""};
  s.figure.y = {"value", "ε", true, "0.01", "10"};
  s.figure.colors = "n";
  s.figure.lines = {{"a", "A, n = {n}", "solid"}, {"b", "B's, n = {n}", "dotted"}};
  s.figure.references = {{"nothing gained", "eps0"}};
  return s;
}

std::string read(const std::filesystem::path& p) {
  std::ifstream in(p, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Width and height of the page in points.
std::pair<double, double> page_size(const std::filesystem::path& pdf) {
  const std::string bytes = read(pdf);
  const std::size_t at = bytes.find("/MediaBox");
  if (at == std::string::npos) return {};
  std::istringstream box(bytes.substr(bytes.find('[', at) + 1, 60));
  double left = 0, bottom = 0, width = 0, height = 0;
  box >> left >> bottom >> width >> height;
  return {width, height};
}

// A pixel of the figure is a hundredth of an inch on paper.
void check_page(const Figure& f, const std::filesystem::path& pdf) {
  const auto [width, height] = page_size(pdf);
  CHECK(std::abs(width - f.width * 0.72) < 1);
  CHECK(std::abs(height - f.height * 0.72) < 1);
}

}  // namespace

TEST_CASE("a band of one bound goes from one of its columns to another, where its rows have both") {
  const epsilary::experiments::Table measured{{"bound", "standing", "status", "seed", "eps", "mean", "low", "high"},
                                              {{"a", "proved", "ok", "x", "1", "50", "48", "52"},
                                               {"a", "proved", "ok", "x", "2", "60", "59", "61"},
                                               {"a", "proved", "ok", "x", "3", "70", "", "71"},
                                               {"a", "proved", "ok", "y", "1", "10", "9", "11"},
                                               {"b", "proved", "ok", "x", "1", "20", "19", "21"}}};
  epsilary::experiments::Spec s;
  s.figure.x = {"eps", "ε", false, "", ""};
  s.figure.y = {"mean", "accuracy", false, "", ""};
  s.figure.bands = {
      {.label = "", .low = {"low"}, .high = {"high"}, .color = "red", .bound = "a", .where = {{"seed", "x"}}}};
  const Figure f = compose(s, measured);
  REQUIRE(f.bands.size() == 1);
  CHECK(f.bands[0].x == std::vector<double>{1, 2});
  CHECK(f.bands[0].low == std::vector<double>{48, 59});
  CHECK(f.bands[0].high == std::vector<double>{52, 61});
  CHECK(f.bands[0].color == color_named("red"));
  CHECK(legend_entries(f) == 0);
}

TEST_CASE("one colour per value, one dash per bound, vacuous stretches faded, missing values left out") {
  const Figure f = compose(spec(), table);
  REQUIRE(f.curves.size() == 4);
  CHECK(f.curves[0].label == "nothing gained");
  CHECK(f.curves[1].label == "A, n = 10^3");
  CHECK(f.curves[1].faded == std::vector<bool>{false, true});
  CHECK(f.curves[2].label == "A, n = 20");
  CHECK(f.curves[3].color == f.curves[1].color);
  CHECK(f.curves[2].color != f.curves[1].color);
  CHECK(f.curves[3].dash == Dash::dotted);
  CHECK(f.curves[3].x.size() == 1);
}

TEST_CASE("a column that is not there is refused by name") {
  auto s = spec();
  s.figure.y.column = "nowhere";
  CHECK_THROWS_WITH_AS(compose(s, table), "test: the table has no column 'nowhere'", epsilary::experiments::BadSpec);
}

TEST_CASE("the script stands alone and quotes what it is given") {
  const std::string script = gnuplot_script(compose(spec(), table), ".svg", "it's.svg");
  CHECK(script.find("set output 'it’s.svg'") != std::string::npos);
  CHECK(script.find("title 'B’s, n = 10^{3}'") != std::string::npos);
  CHECK(script.find("set logscale y") != std::string::npos);
  CHECK(script.find("set yrange [0.01:10]") != std::string::npos);
  CHECK(script.find("set key outside") != std::string::npos);
  CHECK_THROWS_AS(gnuplot_script(compose(spec(), table), ".webp"), std::runtime_error);
}

TEST_CASE("drawing makes the file whole, and the same bytes twice") {
  const auto folder = std::filesystem::temp_directory_path() / "epsilary-figure-test";
  std::filesystem::create_directories(folder);
  const Figure f = compose(spec(), table);
  for (const char* name : {"a.svg", "a.png", "a.pdf"}) {
    draw(f, folder / name);
    const std::string once = read(folder / name);
    draw(f, folder / name);
    CHECK(once.size() > 1000);
    CHECK(once == read(folder / name));
  }
  CHECK(read(folder / "a.pdf").starts_with("%PDF"));
  check_page(f, folder / "a.pdf");
  CHECK_THROWS_AS(draw(f, folder / "a.webp"), std::runtime_error);
  CHECK_THROWS_AS(draw(f, folder / "missing" / "a.svg"), std::runtime_error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("Matplot++ draws the same figure, where the program has it") {
  const auto folder = std::filesystem::temp_directory_path() / "epsilary-matplotpp-test";
  std::filesystem::create_directories(folder);
  const Figure f = compose(spec(), table);
  if (!has_matplotpp()) {
    CHECK_THROWS_WITH_AS(draw(f, folder / "a.svg", Backend::matplotpp), doctest::Contains("without Matplot++"),
                         std::runtime_error);
    return;
  }
  for (const char* name : {"a.svg", "a.png", "a.pdf"}) {
    draw(f, folder / name, Backend::matplotpp);
    const std::string once = read(folder / name);
    CHECK(once.size() > 1000);  // whole: the file is not read before it is written
    draw(f, folder / name, Backend::matplotpp);
    CHECK(once == read(folder / name));
  }
  check_page(f, folder / "a.pdf");
  std::string svg = read(folder / "a.svg");
  std::erase(svg, ' ');
  for (const Curve& c : f.curves) {  // the colours are the ones asked for
    const std::string hex = c.color.substr(1);
    const auto component = [&](std::size_t i) { return std::to_string(std::stoi(hex.substr(i, 2), nullptr, 16)); };
    CHECK_MESSAGE(svg.find("rgb(" + component(0) + "," + component(2) + "," + component(4)) != std::string::npos,
                  c.color);
  }
  CHECK_THROWS_AS(draw(f, folder / "missing" / "a.svg", Backend::matplotpp), std::runtime_error);
  // Without gnuplot it would write into a pipe that nobody reads.
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  CHECK_THROWS_WITH_AS(draw(f, folder / "b.svg", Backend::matplotpp), doctest::Contains("not in PATH"),
                       std::runtime_error);
  setenv("PATH", path.c_str(), 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a long title is broken at its commas, and what looks alike is explained once") {
  CHECK(lines("a, b, c", 100) == std::vector<std::string>{"a, b, c"});
  CHECK(lines("ε_0 = 2, 60 000 clients, δ = 10^{-5}", 24) ==
        std::vector<std::string>{"ε_0 = 2, 60 000 clients,", "δ = 10^{-5}"});
  CHECK(lines("", 10).empty());
  Figure f{{"x"}, {"y"}, {}};
  f.title = "first = 1, second = 2, third = 3, fourth = 4, fifth = 5, sixth = 6";
  f.curves.push_back({{1, 2}, {1, 2}, {false, false}, "a", Dash::solid, "#0072B2"});
  set_size(f, Size::column);
  CHECK(title_lines(f).size() == 2);
  CHECK(gnuplot_script(f, ".svg").find("fourth = 4,'.\"\\n\".'fifth") != std::string::npos);
  const unsigned high = f.height;
  f.title = "first = 1";
  set_size(f, Size::column);
  CHECK(f.height < high);
}

TEST_CASE("the pieces of a contour are one line, so that its dashes are seen") {
  Figure f{{"x"}, {"y"}, {}};
  f.map = HeatMap{{1, 2}, {1, 2}, {1., 2., 2., 3.}, "z"};
  f.contours.push_back({"2", {{3, 3, 4, 3}, {1, 1, 2, 2}, {3, 3, 2, 2}, {8, 8, 9, 9}}});
  const std::string script = gnuplot_script(f, ".svg");
  const bool forth = script.find("1 1\n2 2\n3 3\n4 3\n\n") != std::string::npos,
             back = script.find("4 3\n3 3\n2 2\n1 1\n\n") != std::string::npos;
  CHECK(forth != back);
  CHECK(script.find("8 8\n9 9\n\n") != std::string::npos);
}
