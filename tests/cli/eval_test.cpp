#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

TEST_CASE("the json of eval has the promised shape") {
  const auto r = run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e4 --delta 1e-6 --digits 30 -f json");
  REQUIRE(r.code == 0);
  const json all = json::parse(r.out);
  CHECK(all["provenance"]["digits"] == 30);
  CHECK(all["provenance"].contains("epsilary"));
  CHECK(all["provenance"]["libraries"].contains("arb"));
  REQUIRE(all["rows"].size() == 1);
  const json& row = all["rows"][0];
  CHECK(row["bound"] == "balle2020-thm5.1");
  CHECK(row["quantity"] == "epsilon");
  CHECK(row["side"] == "upper");
  CHECK(row["standing"] == "proved");
  CHECK(row["status"] == "ok");
  CHECK(row["certified"] == true);
  CHECK(row["params"] == json{{"eps0", "1"}, {"n", "10000"}, {"delta", "1e-6"}});
  CHECK(row["at"] == json::object());
  CHECK(row["value"] == row["upper"]);
  CHECK(row["value"].get<std::string>().starts_with("0.4077596053"));
  CHECK(row["lower"].get<std::string>() < row["upper"].get<std::string>());
  CHECK(row["note"] == "");
}

TEST_CASE(
    "without an id every bound that applies is listed, guarantees first and tightest first, and the rest explained") {
  const auto r = run_epsilary("eval --eps0 1 --n 1e4 --delta 1e-6 -f json");
  REQUIRE(r.code == 0);
  const json all = json::parse(r.out);
  bool guarantee = true;
  double before = 0;
  std::vector<std::string> ids;
  for (const json& row : all["rows"]) {
    ids.push_back(row["bound"]);
    if (row["side"] != "upper") break;
    if (guarantee && !row["guarantee"]) before = 0;
    CHECK((guarantee || !row["guarantee"]));
    guarantee = row["guarantee"];
    const double value = std::stod(row["value"].get<std::string>());
    CHECK(value >= before);
    before = value;
  }
  CHECK(std::find(ids.begin(), ids.end(), "balle2020-thm5.1") != ids.end());
  CHECK(std::find(ids.begin(), ids.end(), "erlingsson2019-thm7") != ids.end());
  bool explained = false;
  for (const json& left : all["skipped"]) explained |= left["bound"] == "balle2020-thm3.2" && left["needs"] == "m, p0";
  CHECK(explained);
  CHECK(run_epsilary("eval --eps0 1 --n 1e4 --delta 1e-6").out.find("not evaluated, because they also need:") !=
        std::string::npos);
}

TEST_CASE("extreme parameters give proven digits") {
  const auto tiny = run_epsilary("eval balle2020-thm3.2 --eps0 1e-6 --m 1e12 --p0 1e-3 --delta 1e-300 --digits 30");
  CHECK(tiny.out.find("3.71692590577404068041760639990e-14") != std::string::npos);
  const auto large = run_epsilary("eval balle2020-thm3.2 --eps0 50 --m 1e12 --p0 1e-3 --delta 1e-300 --digits 30");
  CHECK(large.out.find("6.96854790333189848659040918557e46") != std::string::npos);
  CHECK(large.out.find("vacuous") != std::string::npos);
}

TEST_CASE("a delta that leaves every range is reported through its logarithm") {
  const auto r = run_epsilary(
      "eval balle2020-thm3.2-approx --eps0 50 --delta0 0 --m 1e12 --p0 1e-3 --delta 1e-300 --delta1 1e-400 -f json");
  const json row = json::parse(r.out)["rows"][0];
  CHECK(row["status"] == "vacuous");
  CHECK(row.contains("log_delta_total"));
  CHECK(!row.contains("delta_total"));
  const auto small = run_epsilary(
      "eval balle2020-thm3.2-approx --eps0 1e-6 --delta0 0 --m 100 --p0 1 --delta 1e-400 --delta1 1e-500 -f json");
  const json vanishing = json::parse(small.out)["rows"][0];
  CHECK(vanishing["status"] == "ok");
  CHECK(vanishing["delta_total"] == "1.00001e-400");
  CHECK(vanishing["log_delta_total"].get<std::string>().starts_with("-921.03"));
}

TEST_CASE("csv is one header and rows under # lines, and an outside row keeps its reason") {
  const auto r = run_epsilary("eval balle2020-thm3.2-simple --eps0 0.5,2 --m 10 --p0 1 --delta 1e-3 -f csv");
  CHECK(r.code == 0);  // one of the two has a number
  std::istringstream lines(r.out);
  std::string line, header;
  std::size_t comments = 0, rows = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("#"))
      ++comments;
    else if (header.empty())
      header = line;
    else
      ++rows;
  }
  CHECK(comments == 2);
  CHECK(rows == 2);
  CHECK(header ==
        "bound,protocol,quantity,side,standing,adjacency,view,unit,status,eps0,delta,m,p0,value,lower,upper,certified,"
        "answers,guarantee,capped,at,"
        "note");
  CHECK(r.out.find("outside,2,0.001,10,1,,,,false,false,false,,,it needs eps0 <= 1") != std::string::npos);
}

TEST_CASE("rows and bytes do not depend on the number of threads") {
  const std::string call =
      "eval balle2020-thm5.1 erlingsson2019-thm7 --eps0 0.05:4:200 --n 1e3,1e4 --delta 1e-6 --digits 12 -f csv ";
  const auto one = run_epsilary(call + "-j 1"), two = run_epsilary(call + "-j 2"), four = run_epsilary(call + "-j 4");
  CHECK(one.code == 0);
  CHECK(one.out == two.out);
  CHECK(one.out == four.out);
}

TEST_CASE("what the formula chose can be fed back and gives the same number") {
  const json best = json::parse(
      run_epsilary("eval balle2020-thm4.1-split --eps0 0.5 --n 1e4 --m 1e3 --delta 1e-6 --digits 40 -f json")
          .out)["rows"][0];
  const json fed = json::parse(run_epsilary("eval balle2020-thm4.1 --eps0 0.5 --n 1e4 --m 1e3 --delta " +
                                            best["at"]["delta"].get<std::string>() + " --delta2 " +
                                            best["at"]["delta2"].get<std::string>() + " --digits 40 -f json")
                                   .out)["rows"][0];
  CHECK(best["value"] == fed["value"]);
  // Rounded outward: a sum of two decimals is not known to be exact.
  CHECK(fed["delta_total"].get<std::string>().starts_with("1.00000000000000000000000000000000000000"));
}

TEST_CASE("other number types are marked as not certified") {
  for (const std::string precision : {"double", "mp50"}) {
    const json row =
        json::parse(run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e4 --delta 1e-6 -f json --precision " + precision)
                        .out)["rows"][0];
    CHECK(row["certified"] == false);
    CHECK(row["guarantee"] == false);
    CHECK(row["value"].get<std::string>().starts_with("0.40776"));
  }
  CHECK(run_epsilary("eval balle2020-thm5.1 --eps0 1000 --n 1e4 --delta 1e-6 --precision double").code == 5);
}

TEST_CASE("a dry run counts and computes nothing") {
  CHECK(run_epsilary("eval balle2020-thm5.1 --eps0 0.05:4:80 --n 1e3,1e4 --delta 1e-6 -n").out == "160 evaluations\n");
  CHECK(run_epsilary("eval balle2020-thm5.1 --eps0 1:2:1000000 --n 9 --delta 0.1:0.2:100 -n").code == 2);
}

TEST_CASE("a parameter that a bound does not use is noted, not swallowed") {
  const auto r = run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e4 --m 7 --delta 1e-6");
  CHECK(r.code == 0);
  CHECK(r.err == "note:  balle2020-thm5.1 does not use m\n");
}

TEST_CASE("a sequence of mechanisms is composed") {
  const auto r = run_epsilary("eval kairouz2015-adv --steps 0.1+0.05+0.2+0.01+0.3 --delta 1e-5 --digits 12");
  CHECK(r.out.find("1.88293396308") != std::string::npos);
  CHECK(run_epsilary("eval dwork2010-basic --steps 0.25x3+0.5").out.find("1.25000 ") != std::string::npos);
  CHECK(run_epsilary("eval dwork2010-basic --steps 0.1x").code == 2);
  CHECK(run_epsilary("eval dwork2010-basic --steps 0.1+-0.1").code == 3);
}
