#include "experiments/sweep/axis.hpp"

#include <doctest/doctest.h>

using namespace epsilary::experiments;
using epsilary::bounds::Param;

namespace {

std::vector<std::string> texts(const std::string& given) {
  std::vector<std::string> out;
  for (const auto& x : parse_values(given)) out.push_back(x.text());
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("values, lists and ranges") {
  CHECK(texts("1e-6") == Texts{"1e-6"});
  CHECK(texts("1e3,1e4") == Texts{"1000", "10000"});
  CHECK(texts("0.05:0.25:5") == Texts{"0.05", "0.1", "0.15", "0.2", "0.25"});
  CHECK(texts("1:2:2") == Texts{"1", "2"});
  CHECK(texts("3:3:1") == Texts{"3"});
  CHECK(texts("2:1:3") == Texts{"2", "1.5", "1"});
  CHECK(texts("1e2:1e6:5:log").front() == "100");
  CHECK(texts("1e2:1e6:5:log").back() == "1000000");
  CHECK(texts("0:1:4") == Texts{"0", "0.33333333333333333", "0.66666666666666666", "1"});
}

TEST_CASE("what breaks the grammar is refused") {
  for (const char* bad : {"", ",", "1,,2", "1:2", "1:2:0", "1:2:1", "1:2:-3", "1:2:3:4", "1:2:3:log:", "0:1:3:log",
                          "a:b:3", "1:2:99999999999999999999999", "1;2", "1,2:3:4"})
    CHECK_THROWS_AS(parse_values(bad), BadValue);
  for (const char* bad : {"", "+", "0.1+", "0.1x", "0.1x0", "x3", "0.1x2x3", "0.1x99999999"})
    CHECK_THROWS_AS(parse_sequence(bad), BadValue);
}

TEST_CASE("a sequence repeats its steps") {
  const auto steps = parse_sequence("0.1+0.05x3");
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].text() == "0.1");
  CHECK(steps[3].text() == "0.05");
}

TEST_CASE("the last axis runs fastest") {
  const auto grid = lay_grid({parse_axis(Param::n, "1,2"), parse_axis(Param::eps0, "0.5,1,2")});
  REQUIRE(grid.size() == 6);
  CHECK(grid[0].text(Param::n) == "1");
  CHECK(grid[1].text(Param::eps0) == "1");
  CHECK(grid[2].text(Param::n) == "1");
  CHECK(grid[3].text(Param::n) == "2");
  CHECK(grid_size({parse_axis(Param::n, "1,2"), parse_axis(Param::eps0, "0.5,1,2")}) == 6);
}

TEST_CASE("a parameter may be tied to others, and counts stay whole") {
  using epsilary::bounds::Param;
  const auto points = lay_grid({parse_axis(Param::n, "1e3,2e5"), parse_axis(Param::delta, "1/n"),
                                parse_axis(Param::m, "0.0002*n"), parse_axis(Param::eps0, "0.5")});
  REQUIRE(points.size() == 2);
  CHECK(points[0].text(Param::delta) == "0.001");
  CHECK(points[1].text(Param::delta) == "5e-6");
  CHECK(points[0].text(Param::m) == "0");  // refused later, where m is used
  CHECK(points[1].text(Param::m) == "40");
  CHECK(lay_grid({parse_axis(Param::n, "3"), parse_axis(Param::delta, "1/n")})[0].text(Param::delta) ==
        "0.33333333333333333");
  CHECK_THROWS_WITH_AS(lay_grid({parse_axis(Param::delta, "1/n")}),
                       "delta is tied to n, which is not given as a number", BadValue);
  CHECK_THROWS_AS(lay_grid({parse_axis(Param::n, "m"), parse_axis(Param::m, "n")}), BadValue);
  CHECK_THROWS_WITH_AS(lay_grid({parse_axis(Param::eps, "0"), parse_axis(Param::delta, "1/eps")}),
                       "delta is tied to a division by 0", BadValue);
  CHECK_THROWS_AS(parse_axis(Param::delta, "1/nn"), BadValue);
}

TEST_CASE("inside a range a count is rounded to the nearest whole number, once each") {
  using epsilary::bounds::Param;
  const auto values = parse_axis(Param::n, "1:10:19:log").values;
  CHECK(values.size() == 10);  // 1 to 10; many of the 19 fall together
  CHECK(parse_axis(Param::n, "1e4:1e6:3:log").values[1].text() == "100000");
  for (const auto& v : values) CHECK(is_integer(v.exact()));
  CHECK(parse_axis(Param::eps0, "1:10:19:log").values.size() == 19);
}

TEST_CASE("values are counted as they are made, before any is made") {
  for (const char* text : {"1", "1,2,3", "1:2:7", "0.1:4:80:log", "1:1:1"}) {
    CAPTURE(text);
    CHECK(count_values(Param::eps0, text) == parse_axis(Param::eps0, text).values.size());
  }
  CHECK(count_values(Param::delta, "1/n") == 1);
  CHECK(count_values(Param::steps, "0.1x20+0.2") == 1);
  for (const char* text : {"", ":", "::", "1:", "1:2", "1:2:x", "1:2:", ","})
    CHECK(count_values(Param::eps0, text) <= 2);
  CHECK(count_values(Param::eps0, "0.1:4:1000000") == 1'000'000);
  CHECK_THROWS_AS(count_values(Param::eps0, "0.1:4:1000001"), BadValue);
  CHECK_THROWS_AS(count_values(Param::eps0, "0.1:4:99999999999999999999999"), BadValue);
  CHECK(product(1ul << 40, 1ul << 40) == std::numeric_limits<std::size_t>::max());
  CHECK(product(0, 5) == 0);
}

TEST_CASE("a range that would take hours to make is refused") {
  CHECK_THROWS_WITH_AS(parse_axis(Param::n, "1:1e99999:100000"), doctest::Contains("too many values"), BadValue);
  CHECK(parse_axis(Param::n, "1:1e99999:5").values.size() == 5);
  CHECK(parse_axis(Param::n, "1:1e99999:1000:log").values.size() == 1000);
}

TEST_CASE("a tie beyond every number is refused as a tie") {
  const std::vector<Axis> axes{parse_axis(Param::n, "1e99999"), parse_axis(Param::eps0, "n*n*n")};
  CHECK_THROWS_AS(lay_grid(axes), BadValue);
  // Nor is one multiplied out for minutes first.
  CHECK_THROWS_WITH_AS(
      lay_grid({parse_axis(Param::n, "1e100000"), parse_axis(Param::delta, "1/n/n/n/n/n/n/n/n/n/n/n/n/n/n/n")}),
      "delta is tied to a number of more than 200000 digits", BadValue);
  std::string many = "1";
  for (int i = 0; i < 2000; ++i) many += "/n";
  CHECK_THROWS_WITH_AS(parse_axis(Param::delta, many), "a tie of more than 16 factors is not read", BadValue);
}
