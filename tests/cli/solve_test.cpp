#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

TEST_CASE("the smallest n for eps = 0.1 is 164452, and 164451 is proved too small") {
  const auto r = run_epsilary("solve balle2020-thm5.1 --for n --target 0.1 --eps0 1 --delta 1e-6");
  CHECK(r.code == 0);
  CHECK(r.out.starts_with("n = 164452\n"));
  CHECK(r.out.find("at n = 164451 it is 0.1000") != std::string::npos);
  CHECK(r.out.find("> 0.1") != std::string::npos);
}

TEST_CASE("every parameter a bound is monotone in can be solved for, and the answer is on the safe side") {
  for (const std::string unknown : {"eps0", "m", "p0", "delta"}) {
    std::string given;
    for (const auto& [key, value] : std::initializer_list<std::pair<std::string, std::string>>{
             {"eps0", "1"}, {"m", "10000"}, {"p0", "0.1"}, {"delta", "1e-6"}})
      if (key != unknown) given += " --" + key + " " + value;
    const json row = json::parse(
        run_epsilary("solve balle2020-thm3.2 --for " + unknown + " --target 0.012 -f json" + given).out)["rows"][0];
    INFO(unknown);
    REQUIRE(row["status"] == "found");
    const auto at = [&](const std::string& x) {
      const auto text = run_epsilary("eval balle2020-thm3.2 --digits 20 -f json --" + unknown + " " + x + given).out;
      return json::parse(text)["rows"][0];
    };
    CHECK(std::stod(at(row["value"])["upper"].get<std::string>()) <= 0.012);
    CHECK(std::stod(at(row["beyond"])["lower"].get<std::string>()) > 0.012);
  }
}

TEST_CASE("an unreachable target says so and names the best value") {
  const auto r = run_epsilary("solve balle2020-thm5.1 --for delta --target 0.001 --eps0 2 --n 1000");
  CHECK(r.code == 3);
  CHECK(r.err.find("no delta brings balle2020-thm5.1 to 0.001; the best is") != std::string::npos);
  CHECK(r.out.empty());
  const auto n =
      run_epsilary("solve balle2020-thm4.1 --for n --target 0.001 --eps0 1 --m 100 --delta 1e-6 --delta2 1e-6");
  CHECK(n.code == 3);
}

TEST_CASE("a target that always holds gives the end of the domain") {
  const auto r = run_epsilary("solve balle2020-thm3.2 --for p0 --target 100 --eps0 0.1 --m 100 --delta 1e-6");
  CHECK(r.code == 0);
  CHECK(r.out.starts_with("p0 = 1\n"));
  CHECK(run_epsilary("solve balle2020-thm5.1 --for n --target 1e9 --eps0 0.1 --delta 1e-6").out.starts_with("n = 1\n"));
}

TEST_CASE("a hypothesis limits what can be solved") {
  const auto r = run_epsilary("solve balle2020-thm3.2-simple --for eps0 --target 5 --m 10000 --p0 0.1 --delta 1e-6");
  CHECK(r.code == 0);
  CHECK(r.out.starts_with("eps0 = 1\n"));
  CHECK(r.out.find("outside: it needs eps0 <= 1") != std::string::npos);
}

TEST_CASE("a bracket just beside the target is shown with the digits that tell them apart") {
  const json row = json::parse(run_epsilary("solve vandijk2022-composed --for sigma --target 3 --n 60000 --batch 256 "
                                            "--epochs 15 --delta 1e-5 -f json")
                                   .out)["rows"][0];
  CHECK(std::stod(row["bound_at_value"].get<std::string>()) < 3);
  CHECK(std::stod(row["bound_beyond"].get<std::string>()) > 3);
}

TEST_CASE("solving over a list gives one row each") {
  const auto r = run_epsilary("solve balle2020-thm5.1 --for n --target 0.1 --eps0 0.5,1,2 --delta 1e-6 -f csv");
  CHECK(r.code == 0);
  CHECK(r.out.find("balle2020-thm5.1,n,0.1,found,1,1e-6,164452,") != std::string::npos);
}

TEST_CASE("digits asked are digits given") {
  const auto r = run_epsilary("solve balle2020-thm5.1 --for eps0 --target 1 --n 1e6 --delta 1e-6 --digits 30");
  CHECK(r.out.starts_with("eps0 = 2.14221573102526893430357230201"));
}
