#include <doctest/doctest.h>

#include <cmath>

#include "experiments/sweep/spec.hpp"
#include "figures/gnuplot.hpp"
#include "figures/label.hpp"
#include "figures/report.hpp"

using namespace epsilary::drawing;

namespace {

// Two bounds on a grid of 2 x 2; b fails in one corner.
epsilary::experiments::Table table() {
  epsilary::experiments::Table t{{"bound", "standing", "side", "status", "n", "eps0", "value"}, {}};
  const auto add = [&](const char* bound, const char* n, const char* eps0, const char* status, const char* value) {
    t.rows.push_back({bound, "proved", "upper", status, n, eps0, value});
  };
  add("a", "10", "1", "ok", "0.5");
  add("b", "10", "1", "ok", "0.1");
  add("a", "10", "2", "vacuous", "4");
  add("b", "10", "2", "outside", "");
  add("a", "1000", "1", "ok", "0.05");
  add("b", "1000", "1", "ok", "0.1");
  add("a", "1000", "2", "ok", "0.4");
  add("b", "1000", "2", "ok", "0.2");
  return t;
}

epsilary::experiments::Spec spec(epsilary::experiments::MapLook map) {
  epsilary::experiments::Spec s;
  s.id = "test";
  s.figure.x = {"n", "users n", true, "", ""};
  s.figure.y = {"eps0", "ε_0", false, "", ""};
  s.figure.map = std::move(map);
  return s;
}

using Shows = epsilary::experiments::MapLook::Shows;

}  // namespace

TEST_CASE("the winner of a map is the tightest bound that says something") {
  epsilary::experiments::MapLook look;
  look.shows = Shows::winner;
  look.bounds = {"a", "b"};
  look.labels = {"A", "B"};
  const Figure f = compose(spec(look), table());
  REQUIRE(f.map);
  CHECK(f.map->x == std::vector<double>{10, 1000});
  CHECK(f.map->y == std::vector<double>{1, 2});
  CHECK(f.map->categories == std::vector<std::string>{"A", "B"});
  CHECK(f.map->z[0] == 1);               // b at (10, 1)
  CHECK_FALSE(f.map->z[1].has_value());  // a is vacuous and b outside
  CHECK(f.map->z[2] == 0);
  CHECK(f.map->z[3] == 1);
}

TEST_CASE("a ratio is taken to a bound or to a column, a status has a colour for each word") {
  epsilary::experiments::MapLook look;
  look.bounds = {"a"};
  look.over = "b";
  CHECK(*compose(spec(look), table()).map->z[0] == doctest::Approx(5));
  CHECK_FALSE(compose(spec(look), table()).map->z[1].has_value());
  look.over = "eps0";
  CHECK(*compose(spec(look), table()).map->z[3] == doctest::Approx(0.2));
  look.shows = Shows::status;
  look.bounds = {"b"};
  CHECK(compose(spec(look), table()).map->categories == std::vector<std::string>{"says something", "hypothesis fails"});
}

TEST_CASE("a contour runs where a bilinear map has its level") {
  // z = x y on a logarithmic grid: the contour of level 10 is x y = 10, a straight line in logarithms.
  HeatMap map{.logarithmic = true};
  for (const double v : {1., 2., 4., 8., 16.}) map.x.push_back(v), map.y.push_back(v);
  for (const double x : map.x)
    for (const double y : map.y) map.z.emplace_back(x * y);
  const Contour c = trace(map, "10", true, true);
  CHECK(c.pieces.size() >= 4);
  for (const auto& [x0, y0, x1, y1] : c.pieces) {
    CHECK(x0 * y0 == doctest::Approx(10));
    CHECK(x1 * y1 == doctest::Approx(10));
  }
  CHECK(trace(map, "1000", true, true).pieces.empty());
}

TEST_CASE("a band reaches from the least of its lower bounds to the greatest of its upper ones") {
  epsilary::experiments::Spec s;
  s.id = "test";
  s.figure.x = {"eps0", "", false, "", ""};
  s.figure.y = {"value", "", true, "", ""};
  s.figure.bands = {{"spread", {"a", "b"}, {"a", "b"}}};
  epsilary::experiments::Table t = table();
  t.rows.resize(4);  // n = 10 alone
  const Figure f = compose(s, t);
  REQUIRE(f.bands.size() == 1);
  CHECK(f.bands[0].x == std::vector<double>{1, 2});
  CHECK(f.bands[0].low == std::vector<double>{0.1, 4});
  CHECK(f.bands[0].high == std::vector<double>{0.5, 4});
  CHECK(gnuplot_script(f, ".svg").find("filledcurves") != std::string::npos);
}

TEST_CASE("a curve that is unsound says so in its label and its dashes") {
  epsilary::experiments::Spec s;
  s.id = "test";
  s.figure.x = {"eps0", "", false, "", ""};
  s.figure.y = {"value", "", true, "", ""};
  s.figure.lines = {{"a", "A", "solid"}};
  epsilary::experiments::Table t = table();
  for (auto& row : t.rows) row[1] = "unsound";
  const Figure f = compose(s, t);
  REQUIRE(f.curves.size() == 1);
  CHECK(f.curves[0].label == "A (unsound)");
  CHECK(f.curves[0].dash == Dash::dash_dot);
}

TEST_CASE("a figure without a point is refused, not drawn empty") {
  CHECK_THROWS_AS(gnuplot_script(Figure{}, ".svg"), std::runtime_error);
}

TEST_CASE("labels read like TeX") {
  CHECK(gnuplot_label("ε_0 = 10^-6") == "ε_{0} = 10^{-6}");
  CHECK(gnuplot_label("\\epsilon_0, G_\\mu, e^{-x}") == "ε_{0}, G_{μ}, e^{-x}");
  CHECK(gnuplot_label("a@b") == "a\\@b");
}

TEST_CASE("the page escapes what it is given and needs nothing from outside") {
  epsilary::experiments::Spec s;
  s.id = "balle2020-x";
  s.caption = "a < b & \"c\"";
  const epsilary::experiments::Claim claim{"balle2020-c", "source", "2 < 3", "false", "because <b>", {}, {}, {}};
  Report report{{{&s, "<svg/>", "image/svg+xml", {"x.csv"}}}, {{&claim, {{"it", "1 < 2"}}, {}}}, {"0.1", "abc", 6, {}}};
  const std::string page = report_page(report);
  CHECK(page.find("a &lt; b &amp; &quot;c&quot;") != std::string::npos);
  CHECK(page.find("data:image/svg+xml;base64,PHN2Zy8+") != std::string::npos);
  CHECK(page.find("because &lt;b&gt;") != std::string::npos);
  CHECK(page.find("balle2020-thm5.1") != std::string::npos);  // standings
  CHECK(page.find("http") == std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  report.findings[0].broken = {"x is false"};
  CHECK(report_page(report).find("class=\"verdict broken\"") != std::string::npos);
}
