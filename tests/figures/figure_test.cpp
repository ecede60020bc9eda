#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/spec.hpp"
#include "figures/gnuplot.hpp"

using namespace figures;

namespace {

const experiments::Table table{
    {"bound", "standing", "side", "status", "n", "eps0", "value"},
    {{"a", "proved", "upper", "ok", "1000", "1", "0.1"},
     {"a", "proved", "upper", "vacuous", "1000", "2", "3"},
     {"a", "proved", "upper", "ok", "20", "1", "0.2"},
     {"b", "unsound", "upper", "ok", "1000", "1", "0.4"},
     {"b", "unsound", "upper", "outside", "1000", "2", ""}}};

experiments::Spec spec() {
  experiments::Spec s;
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

}  // namespace

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
  CHECK_THROWS_WITH_AS(compose(s, table), "test: the table has no column 'nowhere'", experiments::BadSpec);
}

TEST_CASE("the script stands alone and quotes what it is given") {
  const std::string script = gnuplot_script(compose(spec(), table), "it's.svg");
  CHECK(script.find("set output 'it''s.svg'") != std::string::npos);
  CHECK(script.find("title 'B''s, n = 10^{3}'") != std::string::npos);
  CHECK(script.find("set logscale y") != std::string::npos);
  CHECK(script.find("set yrange [0.01:10]") != std::string::npos);
  CHECK(script.find("set key outside") != std::string::npos);
  CHECK_THROWS_AS(gnuplot_script(compose(spec(), table), "x.webp"), std::runtime_error);
}

TEST_CASE("drawing makes the file whole, and the same bytes twice") {
  const auto folder = std::filesystem::temp_directory_path() / "epsilary-figure-test";
  std::filesystem::create_directories(folder);
  const Figure f = compose(spec(), table);
  for (const char* name : {"a.svg", "a.png"}) {
    draw(f, folder / name);
    const std::string once = read(folder / name);
    draw(f, folder / name);
    CHECK(once.size() > 1000);
    CHECK(once == read(folder / name));
  }
  draw(f, folder / "a.pdf");
  CHECK(read(folder / "a.pdf").starts_with("%PDF"));
  CHECK_THROWS_AS(draw(f, folder / "missing" / "a.svg"), std::runtime_error);
  std::filesystem::remove_all(folder);
}
