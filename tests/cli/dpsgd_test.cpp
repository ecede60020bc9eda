// What a practitioner asks about DP-SGD, as it is typed.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("epsilon of a training run in epochs, and the noise for a wanted epsilon") {
  const std::string run = "--n 60000 --batch 256 --epochs 60 --delta 1e-5";
  const auto eval = run_epsilary("eval vandijk2022-composed --sigma 1.1 " + run);
  CHECK(eval.code == 0);
  for (const std::string words : {"3.0686", "14062.5 is charged as 14063", "batch = 250", "replace-one"})
    CHECK_MESSAGE(has(eval.out, words), eval.out);
  const auto solve = run_epsilary("solve vandijk2022-composed --for sigma --target 2 " + run);
  CHECK(solve.code == 0);
  for (const std::string words : {"sigma = 1.416", "<= 2", "> 2", "replace-one"})
    CHECK_MESSAGE(has(solve.out, words), solve.out);
}

TEST_CASE("sampling and neighbours stand in every row of DP-SGD, in every format") {
  const std::string point = " --q 0.01 --sigma 1.5 --T 500 --delta 1e-6 ";
  for (const std::string format : {"text", "csv", "json", "md"}) {
    const auto fixed = run_epsilary("eval vandijk2022-composed" + point + "-f " + format);
    CHECK_MESSAGE(has(fixed.out, "batches of fixed size, replace-one neighbours"), fixed.out);
    const auto poisson = run_epsilary("eval vandijk2022-poisson" + point + "-f " + format);
    CHECK_MESSAGE(has(poisson.out, "Poisson sampling, add-or-remove neighbours"), poisson.out);
  }
  const json all = json::parse(run_epsilary("eval" + point + "-f json").out);
  int rows = 0;
  for (const json& row : all["rows"]) {
    if (!row["protocol"].get<std::string>().starts_with("dp-sgd") || row["status"] == "outside") continue;
    ++rows;
    CHECK_MESSAGE(has(row["note"].get<std::string>(), "neighbours"), row.dump());
  }
  CHECK(rows >= 5);
}

TEST_CASE("the points of a trade-off function come as a table") {
  const auto r = run_epsilary("eval vandijk2022-subsampled-tradeoff --q 0.1 --mu 1 --alpha 0:1:11 -f json");
  REQUIRE(r.code == 0);
  const json rows = json::parse(r.out)["rows"];
  REQUIRE(rows.size() == 11);
  CHECK(rows[5]["params"]["alpha"] == "0.5");
  CHECK(rows[5]["value"].get<std::string>().starts_with("0.46170"));
}

TEST_CASE("DP-SGD refuses with the value or its limit, the rule and the next step") {
  const auto refused = [](const std::string& arguments, const std::string& words) {
    const auto r = run_epsilary("eval vandijk2022-composed " + arguments);
    CHECK(r.code == 3);
    CHECK_MESSAGE(has(r.err, words), r.err);
    CHECK(has(r.err, "see: epsilary show"));
  };
  refused("--sigma 0 --n 100 --batch 10 --T 5 --delta 1e-5", "sigma > 0 (got 0)");
  refused("--sigma 1 --n 60000 --batch 70000 --T 5 --delta 1e-5",
          "batch <= n, so give a smaller batch (got n = 60000, batch = 70000; the limit is 60000");
  refused("--sigma 1 --n 100 --batch 10 --T 5 --delta 1", "0 < delta < 1 (got 1)");
  refused("--sigma 1 --n 100 --batch 10 --T 2.5 --delta 1e-5", "T must be an integer >= 0 (got 2.5)");
}

TEST_CASE("digits that are asked for and not proved: the bracket that is, its ends in range, and exit code 0") {
  const std::string asked = "eval epsilary-cldp-sgd-pld --eps0 1 --clients 2000 --per_round 500 --T 20 --delta 1e-5";
  const auto wide = run_epsilary(asked + " --digits 12 -f json");
  CHECK(wide.code == 0);
  const json row = json::parse(wide.out)["rows"][0];
  CHECK(row["status"] == "wide");
  CHECK(row["certified"] == true);
  CHECK(row["guarantee"] == true);
  CHECK(row["value"] == row["upper"]);
  CHECK(std::stod(row["lower"].get<std::string>()) < std::stod(row["upper"].get<std::string>()));
  CHECK(row["note"].get<std::string>().starts_with("proved, wider than asked"));
  // As text it shows what is known, with both ends.
  const auto text = run_epsilary(asked);
  CHECK_MESSAGE(has(text.out, " ["), text.out);
  const auto narrow = run_epsilary("eval vandijk2022-composed --q 0.01 --sigma 1 --T 1000 --delta 1e-6 --digits 12");
  CHECK_MESSAGE(has(narrow.out, "2.5128444922"), narrow.out);
  CHECK_FALSE(has(narrow.out, " ["));
  // Far beyond every loss delta is tiny, and not below 0.
  const auto far = run_epsilary("eval vandijk2022-composed --q 1.4963e-5 --sigma 12.82 --T 472 --eps 2.7 -f json");
  CHECK(far.code == 0);
  CHECK(json::parse(far.out)["rows"][0]["lower"] == "0");
}

TEST_CASE("a path of millions of panels is given up before it fills the memory, and the answer comes another way") {
  // Fewer records than delta are ever seen: (0, 100 * 256/1e6)-DP.
  const auto r =
      run_epsilary("eval vandijk2022-poisson --n 1000000 --batch 256 --sigma 0.2079 --delta 0.4011 --T 100 -f json",
                   "ulimit -v 1000000;");
  INFO(r.err);
  REQUIRE(r.code == 0);
  CHECK(json::parse(r.out)["rows"][0]["value"] == "0");
}

TEST_CASE("a bracket has no second opinion in another number type, and says what to do") {
  for (const std::string precision : {"mp50", "double"}) {
    const auto r =
        run_epsilary("eval vandijk2022-composed --q 0.01 --sigma 1 --T 1000 --delta 1e-6 --precision " + precision);
    CHECK(r.code == 5);
    CHECK_MESSAGE(has(r.err, "it has no value in " + precision + " (leave the precision out)"), r.err);
    const auto sweep = run_epsilary(
        "sweep --bounds vandijk2022-composed --q 0.01 --sigma 1 --T 10,1000 --delta 1e-6 "
        "--no-journal --precision " +
        precision);
    CHECK(sweep.code == 5);
  }
}
