// simulate and audit as commands.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

TEST_CASE("simulate prints what is stated, what was seen and whether they agree, alike in every format") {
  const std::string call = "simulate checkin-sliding --n 60 --m 10 --runs 500 --seed 4 -f ";
  const auto r = run_epsilary(call + "json");
  CHECK(r.code == 0);
  const json all = json::parse(r.out);
  REQUIRE(all["rows"].size() == 4);
  const json& first = all["rows"][0];
  CHECK(first["statement"] == "balle2020-prop4.4");
  CHECK(first["agrees"] == "yes");
  CHECK(first["runs"] == "500");
  const std::string seen = first["simulated"];
  for (const char* format : {"text", "csv", "md"}) {
    const auto other = run_epsilary(call + format);
    CHECK(other.code == 0);
    CHECK(other.out.find(seen) != std::string::npos);
    CHECK(other.out.find("agrees") != std::string::npos);
  }
}

TEST_CASE("audit writes the same bytes whatever the number of threads, to a file too") {
  const std::string call = "audit checkin-averaged --eps0 2 --n 30 --m 5 --runs 4000 --seed 7 -f json ";
  const auto one = run_epsilary(call + "-j 1");
  CHECK(one.code == 0);
  CHECK(one.out == run_epsilary(call + "-j 3").out);
  CHECK(run_epsilary(call + "-o audit.json").code == 0);
  CHECK(cli_test::slurp(cli_test::scratch() / "audit.json") == one.out);
  const json row = json::parse(one.out)["rows"][0];
  CHECK(row["below"] == "yes");
  CHECK(std::stod(row["measured"].get<std::string>()) <= std::stod(row["upper"].get<std::string>()));
  CHECK(!json::parse(one.out)["uppers"].empty());
}

TEST_CASE("a simulation that does not agree exits with 4, and its table is printed") {
  const auto r = run_epsilary("simulate cldp-sgd --dim 5 --T 1 --runs 20000");
  CHECK(r.code == 4);
  CHECK(r.out.find("girgis2021-thm1-bits") != std::string::npos);
  CHECK(r.err.find("does not agree with girgis2021-thm1-bits") != std::string::npos);
}

TEST_CASE("simulate and audit refuse with the value, the rule and the next step") {
  const auto unknown = run_epsilary("audit shuffel");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("did you mean shuffle?") != std::string::npos);
  CHECK(run_epsilary("simulate").code == 2);
  CHECK(run_epsilary("simulate shuffle --runs 0.5").err.find("runs must be an integer") != std::string::npos);
  CHECK(run_epsilary("audit shuffle --runs 0").code == 2);
  CHECK(run_epsilary("audit dp-sgd --batch 51 --runs 1000").code == 3);
  CHECK(run_epsilary("audit shuffle --gamma 0.1").code == 2);
  CHECK(run_epsilary("audit shuffle --dry-run").out == "2200000 evaluations\n");
}

TEST_CASE("Ctrl-C ends an audit with 130 and prints nothing") {
  const auto r = run_epsilary("audit shuffle --runs 1e11", "timeout --preserve-status -s INT 1");
  CHECK(r.code == 130);
  CHECK(r.out.empty());
}
