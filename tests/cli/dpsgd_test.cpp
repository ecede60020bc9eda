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
  for (const std::string words : {"3.0686", "14062.5 is charged as 14063", "--batch 250", "replace-one"})
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
          "batch <= n, so give a smaller batch (got --n 60000 --batch 70000; the limit is 60000");
  refused("--sigma 1 --n 100 --batch 10 --T 5 --delta 1", "0 < delta < 1 (got 1)");
  refused("--sigma 1 --n 100 --batch 10 --T 2.5 --delta 1e-5", "T must be an integer >= 0 (got 2.5)");
}
