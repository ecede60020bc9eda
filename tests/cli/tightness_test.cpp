#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

TEST_CASE("tightness lists the analyses of a protocol from the loosest to what cannot be beaten") {
  const json all = json::parse(run_epsilary("tightness shuffle --eps0 1 --n 1e4 --delta 1e-6 -f json").out);
  CHECK(all["rows"].front()["bound"] == "erlingsson2019-thm7");
  double before = 1e9;
  for (const json& row : all["rows"]) {
    if (row["status"] == "outside") continue;
    const double value = std::stod(row["epsilon"].get<std::string>());
    CHECK(value <= before);
    before = value;
    CHECK(row["protocol"] == "shuffle");
  }
  CHECK(all["summary"][0] ==
        "shuffle: epsilon is between 0.0379980 (epsilary-lower-rr3) and 0.0380188 (epsilary-shuffle-best), a factor "
        "of 1.001");
}

TEST_CASE("tightness says which step of a proof loses which factor") {
  const json all =
      json::parse(run_epsilary("tightness checkin-fixed --eps0 4 --m 1e4 --p0 0.1 --delta 1e-6 -f json").out);
  bool seen = false;
  for (const json& row : all["slack"])
    if (row["from"] == "balle2020-thm3.2" && row["to"] == "epsilary-fixed-posterior") {
      seen = true;
      CHECK(row["factor"] == "7.243");
      CHECK_FALSE(row["replaced"].get<std::string>().empty());
    }
  CHECK(seen);
}

TEST_CASE("the formats of tightness agree") {
  const std::string call = "tightness checkin-sliding --eps0 1 --m 1000 --delta 1e-6 -f ";
  const std::string value = json::parse(run_epsilary(call + "json").out)["rows"][0]["epsilon"];
  for (const char* format : {"text", "csv", "md"})
    CHECK(run_epsilary(call + format).out.find(value) != std::string::npos);
}

TEST_CASE("tightness over a grid has a row for every analysis at every point") {
  const json one = json::parse(run_epsilary("tightness checkin-sliding --eps0 1 --m 100 --delta 1e-6 -f json").out);
  const json three =
      json::parse(run_epsilary("tightness checkin-sliding --eps0 0.5:1.5:3 --m 100 --delta 1e-6 -f json").out);
  CHECK(three["rows"].size() == 3 * one["rows"].size());
  CHECK(three["rows"][0]["eps0"] == "0.5");
}

TEST_CASE("a design question: the largest eps0 by each analysis") {
  const json all =
      json::parse(run_epsilary("tightness checkin-averaged --for eps0 --target 0.1 --n 1e4 --delta 1e-6 -f json").out);
  CHECK(all["rows"][0]["bound"] == "epsilary-averaged-blanket");
  CHECK(all["rows"][0]["eps0"] == "1.82998");
  CHECK(
      all["summary"][0] ==
      "checkin-averaged: epsilon <= 0.1 is proved for eps0 <= 1.82998 (epsilary-averaged-blanket); it is not true for "
      "eps0 > 1.91123 (epsilary-lower-rr3-averaged)");
}

TEST_CASE("a design question asks every analysis, and one that cannot be asked says why") {
  const auto rows = [](const std::string& call) {
    std::map<std::string, json> out;
    const json all = json::parse(run_epsilary("tightness " + call + " -f json").out);
    for (const json& row : all["rows"]) out[row["bound"]] = row;
    return out;
  };
  auto fixed = rows("checkin-fixed --for eps0 --target 0.1 --m 1e4 --p0 0.1 --delta 1e-6");
  CHECK(fixed["epsilary-checkin-lazy-pld"]["status"] == "found");
  CHECK(fixed["epsilary-checkin-lazy-pld"]["eps0"].get<std::string>().starts_with("5.82"));
  CHECK(fixed["balle2020-thm3.2-simple"]["notes"].get<std::string>().starts_with("it needs eps0 <= 1 (got eps0 = "));
  auto slots = rows("checkin-averaged --for m --target 5 --eps0 1 --n 1e5 --delta 1e-6");
  CHECK(slots["epsilary-averaged"]["status"] == "not asked");
  CHECK(slots["epsilary-averaged"]["notes"] == "does not depend on m");
  CHECK(slots["epsilary-averaged-loads"]["notes"].get<std::string>().starts_with("not proved to be monotone in m"));
  auto rounds = rows("cldp-sgd --for T --target 1 --clients 60000 --per_round 10000 --eps0 1 --delta 1e-5");
  CHECK(rounds["girgis2021-thm1-privacy-tight-optimal"]["T"] == "354");
  CHECK(rounds["epsilary-cldp-sgd-best-pld"]["notes"].get<std::string>().starts_with("takes seconds at each T"));
  // Messages can be dropped, so the epsilon of CLDP-SGD rises in per_round by any analysis.
  auto messages = rows("cldp-sgd --for per_round --target 0.1 --clients 1000 --T 10 --eps0 1 --delta 1e-3");
  CHECK(messages["epsilary-cldp-sgd-pld"]["status"] == "found");
  CHECK(messages["epsilary-lower-cldp-sgd"]["status"] == "found");
  CHECK(std::stoi(messages["epsilary-cldp-sgd-pld"]["per_round"].get<std::string>()) <
        std::stoi(messages["epsilary-lower-cldp-sgd"]["per_round"].get<std::string>()));
}

TEST_CASE("every protocol of tightness has an example that works") {
  for (const char* call :
       {"shuffle --eps0 1 --n 10000 --delta 1e-6", "checkin-fixed --eps0 1 --m 10000 --p0 0.1 --delta 1e-6",
        "checkin-averaged --eps0 1 --n 100000 --m 1000 --delta 1e-6", "checkin-sliding --eps0 1 --m 1000 --delta 1e-6",
        "checkin-fixed --eps0 1 --m 100 --p0 0 --delta 1e-6",
        "cldp-sgd --eps0 1 --clients 60000 --per_round 10000 --T 100 --delta 1e-5",
        "dp-sgd --n 60000 --batch 600 --sigma 2 --T 600 --delta 1e-6",
        "shuffled-checkin --eps0 1 --n 1000 --gamma 0.02 --T 10 --delta 1e-6",
        "distributed-checkin --n 1000 --gamma 0.02 --multiplier 1 --T 10 --delta 1e-6"}) {
    INFO(call);
    const auto r = run_epsilary(std::string("tightness ") + call);
    CHECK(r.code == 0);
    CHECK(r.out.find("contradiction") == std::string::npos);
    CHECK(r.out.find(": epsilon is between ") != std::string::npos);
  }
}

TEST_CASE("tightness refuses what it does not know, with the next step") {
  const auto wrong = run_epsilary("tightness shufle --eps0 1 --n 10 --delta 1e-6");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean shuffle?") != std::string::npos);
  const auto missing = run_epsilary("tightness shuffle --eps0 1 --delta 1e-6");
  CHECK(missing.code == 2);
  CHECK(missing.err.find("for example: epsilary tightness shuffle --eps0") != std::string::npos);
  CHECK(run_epsilary("tightness shuffle --target 0.1 --n 10 --delta 1e-6").code == 2);
  CHECK(run_epsilary("tightness shuffle --for eps0 --n 10 --delta 1e-6").code == 2);
  CHECK(run_epsilary("tightness shuffle --for eps0 --target x --n 10 --delta 1e-6").code == 2);
  CHECK(run_epsilary("tightness shuffle --for eps0 --target 0.1 --eps0 1 --n 10 --delta 1e-6").code == 2);
  CHECK(run_epsilary("tightness shuffle --eps0 -1 --n 10 --delta 1e-6").code == 3);
  CHECK(run_epsilary("tightness shuffle --for eps0 --target 0.1 --n 10 --delta 2").code == 3);
}

TEST_CASE("a quoted statement below a proved lower bound is told as refuted there") {
  const auto r = run_epsilary("tightness shuffled-checkin --eps0 0.01588 --n 5 --gamma 0.3896 --T 1 --delta 6.04e-9");
  CHECK(r.code == 0);
  CHECK(r.out.find("refuted here: epsilary-lower-shuffled-checkin is proved and is above it") != std::string::npos);
  CHECK(run_epsilary("tightness shuffle --eps0 1 --n 100 --delta 1e-3").out.find("refuted") == std::string::npos);
}
