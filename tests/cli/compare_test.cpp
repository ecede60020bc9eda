#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

TEST_CASE("compare says who is tightest at how many points, and by what ratio") {
  const json all = json::parse(
      run_epsilary("compare balle2020-thm5.1 erlingsson2019-thm7 --eps0 0.25:2:8 --n 1e4 --delta 1e-6 -f json").out);
  CHECK(all["rows"].size() == 8);
  for (const json& row : all["rows"]) CHECK(row["tightest"] == "balle2020-thm5.1");
  CHECK(all["summary"][0] == "balle2020-thm5.1 is tightest at 8 of 8 points");
  CHECK(std::stod(all["rows"][3]["ratio"].get<std::string>()) == doctest::Approx(1.39935 / 0.40776).epsilon(1e-4));
}

TEST_CASE("compare finds where the tightest bound changes") {
  const auto r = run_epsilary("compare dwork2010-basic kairouz2015-adv --eps0 0.1 --T 1:400:400 --delta 1e-6");
  CHECK(r.code == 0);
  CHECK(r.out.find("the tightest changes from dwork2010-basic to kairouz2015-adv between T = ") != std::string::npos);
}

TEST_CASE("the formats of compare agree") {
  const std::string call = "compare balle2020-thm5.1 erlingsson2019-thm7 --eps0 1 --n 1e4 --delta 1e-6 -f ";
  CHECK(run_epsilary(call + "csv").out.find("\n0.407760,1.39935,balle2020-thm5.1,3.43") != std::string::npos);
  CHECK(run_epsilary(call + "md").out.find("| 0.407760 | 1.39935 | balle2020-thm5.1 |") != std::string::npos);
  CHECK(run_epsilary(call + "text").out.find("0.407760") != std::string::npos);
}

TEST_CASE("an upper bound below a lower bound is called a contradiction") {
  const auto r = run_epsilary(
      "compare checkin2022-thm2-printed checkin2022-thm3-exact checkin2022-thm2 --n 1 --gamma 0.02 --eps0 1 --lambda "
      "8");
  CHECK(r.code == 0);
  CHECK(r.out.find("contradiction: checkin2022-thm2-printed (upper, unsound) is below checkin2022-thm3-exact") !=
        std::string::npos);
  CHECK(r.out.find("checkin2022-thm3-exact is tightest at 0 of 1 points") != std::string::npos);
}
