// plot, check and reproduce as a user meets them.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using cli_test::scratch;
using cli_test::slurp;

TEST_CASE("reproduce makes a folder that is the same bytes twice") {
  REQUIRE(run_epsilary("reproduce girgis2021-bits -o once").code == 0);
  REQUIRE(run_epsilary("reproduce girgis2021-bits -o twice -j 1").code == 0);
  for (const char* name : {"girgis2021-bits.csv", "girgis2021-bits.svg", "girgis2021-bits.png", "girgis2021-bits.pdf",
                           "girgis2021-bits.gp", "index.html"}) {
    INFO(name);
    const std::string bytes = slurp(scratch() / "once" / name);
    CHECK(bytes.size() > 500);
    CHECK(bytes == slurp(scratch() / "twice" / name));
  }
}

TEST_CASE("plot draws a table again without computing, in every format") {
  REQUIRE(run_epsilary("reproduce girgis2021-bits -o again").code == 0);
  CHECK(run_epsilary("plot again/girgis2021-bits.csv -o redrawn.svg").code == 0);
  CHECK(slurp(scratch() / "redrawn.svg") == slurp(scratch() / "again/girgis2021-bits.svg"));
  CHECK(run_epsilary("plot again/girgis2021-bits.csv --x samples --log-x --log-y -o own.png").code == 0);
  CHECK(slurp(scratch() / "own.png").size() > 1000);
  CHECK(run_epsilary("plot again/girgis2021-bits.csv -o it.gp").code == 0);
  CHECK(slurp(scratch() / "it.gp").find("plot ") != std::string::npos);
}

TEST_CASE("two bounds of a table are told apart where colours tell a second parameter; a tied one is none") {
  run_epsilary("sweep --bounds feldman2021-clones,balle2020-thm5.1 --eps0 0.1:2:4 --n 1e4,1e5 --delta 1e-6 -o two.csv");
  REQUIRE(run_epsilary("plot two.csv -o two.gp").code == 0);
  const std::string script = slurp(scratch() / "two.gp");
  const auto lines_with = [&](std::string_view words) {
    int count = 0;
    for (std::size_t at = script.find(words); at != std::string::npos; at = script.find(words, at + 1)) ++count;
    return count;
  };
  CHECK(lines_with("keyentry with lines dt 1 ") == 2);
  CHECK(lines_with("keyentry with lines dt (12,6) ") == 2);
  CHECK(script.find("'epsilon'") != std::string::npos);  // what the values are
  CHECK(run_epsilary("plot two.csv").code == 0);
  CHECK(slurp(scratch() / "two.svg").find("</svg>") != std::string::npos);
  run_epsilary("sweep --bounds feldman2021-clones --n 1e4,1e5,1e6 --eps0 1 --delta 1/n -o tied.csv");
  CHECK(run_epsilary("plot tied.csv -o tied.gp").code == 0);
  CHECK(slurp(scratch() / "tied.gp").find("delta = ") == std::string::npos);
}

TEST_CASE("plot refuses with the next step") {
  run_epsilary("sweep --bounds balle2020-thm5.1 --eps0 1,2 --n 1e4 --delta 1e-6 -o mine.csv");
  CHECK(run_epsilary("plot mine.csv -o mine.svg").code == 0);  // finds its axes by itself
  run_epsilary("sweep --bounds balle2020-thm5.1 --eps0 1 --n 1e4 --delta 1e-6 -o point.csv");
  const auto point = run_epsilary("plot point.csv");
  CHECK(point.code == 2);
  CHECK(point.err.find("no parameter takes two values") != std::string::npos);
  CHECK(point.err.find("--x COLUMN") != std::string::npos);
  run_epsilary("sweep --bounds balle2020-thm5.1 --eps0 1,2 --n 1e4,1e5 --delta 1e-6,1e-7,1e-8 -o many.csv");
  const auto many = run_epsilary("plot many.csv");
  CHECK(many.code == 2);
  CHECK(many.err.find("eps0, n vary beside delta, and a figure has one axis and one set of colours") !=
        std::string::npos);
  CHECK(many.err.find("keep the rows with one value of all but one of them") != std::string::npos);
  const auto zigzag = run_epsilary("plot many.csv --x eps0 --colors delta");  // of two n
  CHECK(zigzag.code == 2);
  CHECK(zigzag.err.find("n vary beside eps0 and delta") != std::string::npos);
  CHECK(zigzag.err.find("keep the rows with one value of each") != std::string::npos);
  run_epsilary(
      "sweep --bounds dwork2010-basic,dwork2010-strong,kairouz2015-adv,kairouz2015-adv-e --eps0 1,2 --T 3,4 "
      "--delta 1e-6 -o four.csv");
  const auto four = run_epsilary("plot four.csv");
  CHECK(four.code == 2);
  CHECK(four.err.find("4 bounds, and where colours tell the values of T there are three kinds of line") !=
        std::string::npos);
  const auto column = run_epsilary("plot mine.csv --x epsilon0");
  CHECK(column.code == 2);
  CHECK(column.err.find("no column 'epsilon0'") != std::string::npos);
  std::ofstream(scratch() / "column.toml") << R"(id = "x"
source = "s"
bounds = ["balle2020-thm5.1"]
axes = { eps0 = "1,2" }
fixed = { n = "1e4", delta = "1e-6" }
[figure]
x = { column = "lambda", label = "x" }
y = { column = "value", label = "y" }
line = [{ bound = "balle2020-thm5.1", label = "a" }]
)";
  std::ofstream(scratch() / "large.toml") << R"(id = "x"
source = "s"
bounds = ["balle2020-thm5.1"]
axes = { eps0 = "0.1:1:1000000", n = "1000:1e7:1000000" }
fixed = { delta = "1e-6" }
[figure]
x = { column = "eps0", label = "x" }
y = { column = "value", label = "y" }
line = [{ bound = "balle2020-thm5.1", label = "a" }]
)";
  const auto large = run_epsilary("plot large.toml -o large.svg");
  CHECK(large.code == 2);
  CHECK(large.err.find("1 000 000 000 000 cells, more than") != std::string::npos);
  const auto absent = run_epsilary("plot column.toml -o column.svg");
  CHECK(absent.code == 2);
  CHECK(absent.err.find("column.toml:6: the table has no column 'lambda'") != std::string::npos);
  CHECK(run_epsilary("plot mine.csv --x eps0 -o mine.webp").code == 2);
  CHECK(run_epsilary("plot balle2020-fig3").err.find("did you mean balle2020-fig2?") != std::string::npos);
  CHECK(run_epsilary("plot missing.csv --x eps0").code == 1);
  CHECK(run_epsilary("plot mine.csv --x eps0 --backend paper").code == 2);
}

TEST_CASE("check tells each claim with its numbers, and knows when one is not what the ledger says") {
  const auto r = run_epsilary("check epsilary-fig2-crossings girgis2021-saving -f json");
  CHECK(r.code == 0);
  const auto json = nlohmann::json::parse(r.out);
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][0]["verdict"] == "holds");
  CHECK(json["rows"][0]["numbers"]["ratio"] == "28096");
  CHECK(json["rows"][1]["numbers"]["n=1e4"].get<std::string>().starts_with("1.419"));
  const auto text = run_epsilary("check girgis2021-saving");
  CHECK(text.out.find("verdict   holds") != std::string::npos);
  const auto unknown = run_epsilary("check girgis2021-savings");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("did you mean girgis2021-saving?") != std::string::npos);
  CHECK(run_epsilary("list claims").out.find("balle2020-cor3.3-half") != std::string::npos);
}

TEST_CASE("a spec of one's own is swept and drawn") {
  std::ofstream(scratch() / "mine.toml") << R"(id = "mine"
source = "me"
bounds = ["balle2020-thm5.1", "feldman2021-closed"]
[axes]
eps0 = "0.1:1:10"
[fixed]
n = "1e5"
delta = "1/n"
[figure]
x = { column = "eps0", label = "\\epsilon_0" }
y = { column = "value", label = "\\epsilon", scale = "log" }
[[figure.line]]
bound = "balle2020-thm5.1"
label = "Theorem 5.1"
[[figure.line]]
bound = "feldman2021-closed"
label = "clones"
dash = "dashed"
)";
  CHECK(run_epsilary("plot mine.toml -o mine.svg").code == 0);
  CHECK(slurp(scratch() / "mine.svg").find("Theorem 5.1") != std::string::npos);
  CHECK(run_epsilary("sweep mine.toml -o swept.csv").code == 0);
  CHECK(slurp(scratch() / "swept.csv").find("1e-5") != std::string::npos);
}
