// The question, from the command line: what was asked decides what is shown as a guarantee and what is compared.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

namespace {

json rows(const std::string& call) { return json::parse(run_epsilary(call + " -f json").out)["rows"]; }

json row_of(const json& all, const std::string& bound) {
  for (const json& row : all)
    if (row["bound"] == bound) return row;
  return {};
}

}  // namespace

TEST_CASE("a given delta0 is never ignored, by any command") {
  const auto lone = run_epsilary("tightness checkin-fixed --eps0 1 --m 1 --p0 1 --delta0 0.1 --delta 1e-6 -f json");
  CHECK(lone.code == 3);
  for (const json& row : json::parse(lone.out)["rows"]) CHECK(row["epsilon"] == "");
  CHECK(json::parse(lone.out)["summary"].empty());
  const auto shuffle = run_epsilary("tightness shuffle --eps0 1 --n 1e4 --delta0 0.01 --delta 1e-6");
  CHECK(shuffle.code == 3);
  CHECK(shuffle.out.find("epsilon is") == std::string::npos);

  const auto named = run_epsilary("eval balle2020-thm5.1 --eps0 1 --delta0 1e-9 --n 1e4 --delta 1e-6 -f json");
  CHECK(named.code == 3);
  CHECK(json::parse(named.out)["rows"][0]["status"] == "outside");
  CHECK(json::parse(named.out)["rows"][0]["guarantee"] == false);
  for (const json& row : rows("eval --eps0 8 --delta0 1e-2 --n 100 --gamma 0.1 --T 20 --delta 1e-7"))
    if (row["params"].contains("eps0")) CHECK_MESSAGE(row["guarantee"] == false, row["bound"]);

  CHECK(run_epsilary("solve balle2020-thm5.1 --for n --target 0.1 --eps0 1 --delta0 1e-9 --delta 1e-6").code == 3);
  CHECK(run_epsilary("compare balle2020-thm5.1 balle2019-stated --eps0 1 --delta0 1e-9 --n 1e4 --delta 1e-6").code ==
        3);
  const std::string swept =
      run_epsilary("sweep --bounds balle2020-thm5.1 --eps0 1 --delta0 0,1e-9 --n 1e4 --delta 1e-6").out;
  CHECK(swept.find("ok,1,0,1e-6,10000,0.407760") != std::string::npos);  // the two cells are not one
  CHECK(swept.find("outside,1,1e-9,1e-6,10000,,,,false,false,false") != std::string::npos);
  const std::string quick =
      run_epsilary("sweep --precision double --bounds balle2020-thm5.1 --eps0 1 --delta0 0,1e-9 --n 1e4 --delta 1e-6")
          .out;
  CHECK(quick.find("outside,1,1e-9,1e-6,10000,,,,false") != std::string::npos);
}

TEST_CASE("delta is the whole delta: what is split says how, what is given in parts counts only within delta") {
  const std::string at = " --eps0 0.2 --n 1e4 --m 100 --delta 1e-6";
  const json split = rows("eval balle2020-thm4.1" + at)[0];
  CHECK(split["guarantee"] == true);
  CHECK(split["delta_total"] == "1e-6");
  const json parts = rows("eval balle2020-thm4.1 --delta2 1e-6" + at)[0];
  CHECK(parts["guarantee"] == false);
  CHECK(parts["answers"] == false);
  CHECK(parts["note"].get<std::string>().ends_with("it holds at its delta_total, not at the delta asked"));
  // Ranked after what answers, though it is smaller.
  const json both = rows("eval balle2020-thm4.1 balle2020-thm4.1-split --delta2 1e-6" + at);
  CHECK(both[0]["bound"] == "balle2020-thm4.1-split");

  const json clip = rows("eval epsilary-fixed-clip --eps0 0.5 --delta0 1e-12 --m 1000 --p0 0.1 --delta 1e-6")[0];
  CHECK(clip["at"].contains("share"));
  CHECK(clip["guarantee"] == true);
  const json again = rows("eval epsilary-fixed-clip --eps0 0.5 --delta0 1e-12 --m 1000 --p0 0.1 --delta 1e-6 --share " +
                          clip["at"]["share"].get<std::string>())[0];
  CHECK(again["value"] == clip["value"]);
  CHECK(again["guarantee"] == true);

  // delta_total is there at any size, and its logarithm where doubles end.
  const json small = rows("eval balle2020-thm4.1 --delta2 1e-300 --eps0 0.2 --n 1e4 --m 100 --delta 1e-300")[0];
  CHECK(small["delta_total"] == "2.00001e-300");
  CHECK(small["log_delta_total"].get<std::string>().starts_with("-690.08"));
}

TEST_CASE("solve does not leave delta") {
  for (const char* call :
       {"balle2020-thm5.1-approx --for n --target 0.1 --eps0 0.5 --delta0 1e-15 --delta1 1e-9 --delta 1e-6",
        "epsilary-shuffle-2eps0 --for n --target 0.1 --eps0 1 --delta0 1e-6 --delta 1e-6",
        "feldman2021-clones --for n --target 0.1 --eps0 1 --delta0 1e-7 --delta 1e-6"}) {
    INFO(call);
    const auto r = run_epsilary(std::string("solve ") + call);
    CHECK(r.code == 3);
    CHECK(r.out.empty());
    CHECK(r.err.find("error: no n brings ") == 0);
  }
  const json found = rows("solve feldman2021-clones --for n --target 0.1 --eps0 1 --delta0 1e-12 --delta 1e-6")[0];
  CHECK(found["status"] == "found");
  CHECK(found["delta_total"] == "1.00000e-6");
  CHECK(found["adjacency"] == "replace");
  const std::string text =
      run_epsilary("tightness shuffle --for n --target 0.1 --eps0 1 --delta0 1e-12 --delta 1e-6").out;
  CHECK(text.find("epsilon <= 0.1 is proved for n >= 2097 (epsilary-shuffle-blanket)") != std::string::npos);
}

TEST_CASE("neighbours and what the adversary sees are never mixed") {
  const std::string point = " --n 600 --gamma 0.1 --multiplier 1 --quorum 20 --dim 1 --T 10 --delta 1e-6";
  const auto mixed = run_epsilary("tightness distributed-checkin" + point);
  CHECK(mixed.code == 0);
  CHECK(mixed.out.find("contradiction") == std::string::npos);
  CHECK(mixed.out.find("another question: removing one record, the number of check-ins hidden") != std::string::npos);
  CHECK(mixed.out.find("epsilon is between ") != std::string::npos);
  CHECK(mixed.out.find("(checkin2022-thm4-removal") == std::string::npos);
  const auto removed = run_epsilary("tightness distributed-checkin --adjacency remove" + point);
  CHECK(removed.out.find("(checkin2022-thm4-removal-client)") != std::string::npos);
  CHECK(removed.out.find("(epsilary-distributed-checkin-pld)") == std::string::npos);

  const auto compared =
      run_epsilary("compare checkin2022-thm4-removal-client epsilary-lower-distributed-checkin" + point);
  CHECK(compared.out.find("contradiction") == std::string::npos);
  CHECK(compared.out.find("checkin2022-thm4-removal-client is not ranked: it is about another question") !=
        std::string::npos);

  // A statement that is named alone is its own question; another one that is asked for puts it outside.
  CHECK(rows("eval vandijk2022-a1 --n 100 --batch 10 --sigma 2 --T 3 --eps 0.5")[0]["guarantee"] == true);
  CHECK(rows("eval checkin2022-thm4-removal-client" + point)[0]["guarantee"] == true);
  CHECK(rows("eval checkin2022-thm4-removal-client" + point)[0]["view"] == "count-hidden");
  CHECK(rows("eval checkin2022-thm4-removal-client --adjacency replace" + point)[0]["status"] == "outside");
  CHECK(row_of(rows("eval" + point), "checkin2022-thm4-removal-client")["guarantee"] == false);
  CHECK(run_epsilary("solve balle2020-thm5.1 --adjacency remove --for n --target 0.1 --eps0 1 --delta 1e-6").code == 3);
  CHECK(run_epsilary("eval balle2020-thm5.1 --adjacency both --eps0 1 --n 10 --delta 1e-6").code == 2);
  const std::string swept = run_epsilary(
                                "sweep --adjacency remove --bounds balle2020-thm5.1,vandijk2022-poisson "
                                "--eps0 1 --n 100 --q 1 --sigma 1 --T 1 --delta 1e-6")
                                .out;
  CHECK(swept.find("another question: replacing one record (asked: removing one record)") != std::string::npos);
}

TEST_CASE("every row says its neighbours and the unit of its noise") {
  const json row = rows("eval vandijk2022-composed --q 1 --sigma 2 --T 1 --delta 1e-6")[0];
  CHECK(row["adjacency"] == "replace");
  CHECK(row["unit"] == "sigma over twice the clipping norm, multiplier over the clipping norm");
  CHECK(rows("eval vandijk2022-poisson --q 1 --sigma 2 --T 1 --delta 1e-6")[0]["unit"] ==
        "sigma and multiplier over the clipping norm");
  const auto text =
      run_epsilary("eval vandijk2022-composed vandijk2022-poisson --q 1 --sigma 2 --T 1 --delta 1e-6").out;
  CHECK(text.find("\nneighbours: replacing one record (dp-sgd)\nneighbours: removing one record (dp-sgd-poisson)\n") !=
        std::string::npos);
  CHECK(run_epsilary("show vandijk2022-composed").out.find("over the largest change between neighbours") !=
        std::string::npos);
  CHECK(run_epsilary("list params").out.find("noise multiplier") != std::string::npos);
  // The unit a researcher knows is taken too.
  CHECK(rows("eval vandijk2022-composed --q 1 --multiplier 4 --T 1 --delta 1e-6")[0]["value"] == row["value"]);
}

TEST_CASE("what cannot matter is noted, in the row and beside it") {
  const auto r = run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e4 --m 7 --delta 1e-6 -f json");
  CHECK(r.err == "note:  balle2020-thm5.1 does not use m\n");
  CHECK(json::parse(r.out)["rows"][0]["note"] == "not used: m");
  CHECK(row_of(rows("eval --eps0 0.1 --n 1e4 --m 7 --delta 1e-6"), "balle2020-thm5.1")["note"] == "not used: m");
}

TEST_CASE(
    "the order of eval keeps questions apart, and in each guarantees come first, the tightest before the others") {
  std::string before;
  std::vector<std::string> seen;
  double last = 0;
  bool guarantee = true;
  for (const json& row : rows("eval --eps0 1 --n 1e3 --m 10 --p0 1 --delta 1e-6")) {
    const std::string question = row["quantity"].get<std::string>() + " " + row["protocol"].get<std::string>() + " " +
                                 row["side"].get<std::string>();
    if (question != before) {
      CHECK(std::find(seen.begin(), seen.end(), question) == seen.end());
      seen.push_back(before = question);
      guarantee = true;
      last = 0;
    }
    if (row["value"].is_null() || row["side"] != "upper") continue;
    if (guarantee && !row["guarantee"]) last = 0;
    CHECK((guarantee || !row["guarantee"]));
    guarantee = row["guarantee"];
    CHECK(std::stod(row["value"].get<std::string>()) >= last);
    last = std::stod(row["value"].get<std::string>());
  }
  CHECK(seen.size() > 4);
  CHECK(seen.front() == "epsilon shuffle upper");  // most statements speak of it
}

TEST_CASE("a limit of a hypothesis is listed as one") {
  for (const json& row : rows("eval --eps0 0.1 --clients 60000 --per_round 10000 --delta 1e-5"))
    if (row["bound"] == "girgis2021-lem3-limit")
      CHECK(row["quantity"] == "limit");
    else if (row["quantity"] == "epsilon" && row["side"] == "lower")
      FAIL_CHECK("no lower bound on epsilon applies here, but " << row["bound"]);
}

TEST_CASE("as printed is as printed: what was restored is said, and gamma of 0 and 1 have an answer") {
  const json printed = json::parse(run_epsilary("show checkin2022-thm2-printed -f json").out)[0];
  CHECK(printed["formula"].get<std::string>().find(R"(\frac{(1-\Delta)n\gamma}{2\varepsilon_0})") == std::string::npos);
  CHECK(printed["formula"].get<std::string>().find(R"(e^{-(k-1)/(8\varepsilon_0)})") != std::string::npos);
  CHECK(printed["note"].get<std::string>().find("evaluated with e^eps0 for eps0") != std::string::npos);
  CHECK(json::parse(run_epsilary("show checkin2022-thm4-printed -f json").out)[0]["formula"].get<std::string>().find(
            R"(\varepsilon^{SG}_{\gamma,k})") != std::string::npos);
  const auto value = [](const std::string& call) { return rows(call)[0]["value"].get<std::string>(); };
  CHECK(value("eval checkin2022-thm4-printed --n 200 --gamma 1 --multiplier 1 --lambda 4 --digits 14")
            .starts_with("0.8347537734146"));
  CHECK(value("eval checkin2022-thm4-eq11-printed --n 1500 --gamma 0.0378647 --multiplier 11.0039 --lambda 3 "
              "--Delta 0.7831 --digits 8")
            .starts_with("7.606344"));
  const json negative = rows("eval checkin2022-thm4-printed --n 1 --gamma 0.2 --multiplier 2 --lambda 2")[0];
  CHECK(negative["value"].get<std::string>().starts_with("-1.41"));
  CHECK(negative["note"].get<std::string>().find("may even be negative") != std::string::npos);
  for (const char* call : {"checkin2022-thm4-printed --n 20 --multiplier 1 --lambda 4",
                           "checkin2022-thm4-quorum --n 20 --multiplier 1 --quorum 2 --lambda 4",
                           "checkin2022-thm4-removal --n 20 --multiplier 1 --quorum 2 --lambda 4",
                           "checkin2022-thm4-removal-client --n 20 --multiplier 1 --quorum 4 --dim 1 --lambda 4"}) {
    const auto nobody = run_epsilary(std::string("eval ") + call + " --gamma 0");
    CHECK(nobody.code == 3);
    CHECK(nobody.err.find("at gamma = 0") != std::string::npos);
  }
}

TEST_CASE("claims say which of their values are about another question") {
  const json claim = rows("check checkin2022-remark4")[0];
  CHECK(claim["marks"].dump().find("removing one record") != std::string::npos);
}
