// What is in the house, narrowed and grouped.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using nlohmann::json;

TEST_CASE("list is narrowed by protocol, paper, quantity and word") {
  const std::size_t all = json::parse(run_epsilary("list -f json").out)["rows"].size();
  const auto rows = [](const std::string& how) { return json::parse(run_epsilary("list -f json " + how).out)["rows"]; };
  for (const json& row : rows("--paper girgis2021")) CHECK(row["id"].get<std::string>().starts_with("girgis2021-"));
  for (const json& row : rows("--quantity bits")) CHECK(row["gives"] == "bits");
  const json shuffle = rows("--protocol shuffle --quantity epsilon");
  CHECK(shuffle.size() > 10);
  CHECK(shuffle.size() < all / 4);
  const json clones = rows("cLoNeS");
  CHECK(clones.size() >= 3);
  CHECK(clones.size() < all);
  const auto typo = run_epsilary("list --protocol shufle");
  CHECK(typo.code == 2);
  CHECK(typo.err.find("unknown protocol 'shufle'; did you mean shuffle?") != std::string::npos);
  CHECK(run_epsilary("list params --paper balle2020").code == 2);
  CHECK(run_epsilary("list figuers").err.find("no bound has 'figuers' in its texts; did you mean figures?") !=
        std::string::npos);
}

TEST_CASE("tightness without a protocol lists them, with a call that runs") {
  const auto r = run_epsilary("tightness");
  CHECK(r.code == 0);
  CHECK(r.out == run_epsilary("list protocols").out);
  CHECK(r.out.find("epsilary tightness shuffle --eps0 1 --n 10000 --delta 1e-6") != std::string::npos);
}

TEST_CASE("eval without an id keeps what is true of one mechanism apart from what is true of every one") {
  const std::string out = run_epsilary("eval --eps0 1 --n 100 --delta 1e-3").out;
  const std::size_t any = out.find("epsilon of shuffle: n clients apply one eps0-LDP randomizer"),
                    laplace = out.find("\nepsilon of shuffle-laplace\n");
  REQUIRE(any != std::string::npos);
  REQUIRE(laplace != std::string::npos);
  CHECK(out.find("balle2019-bennett-laplace") > laplace);
  CHECK(out.find("feldman2021-clones") < laplace);
}

TEST_CASE("completion knows what each command takes") {
  const std::string bash = run_epsilary("completion bash").out;
  for (const char* word :
       {"--backend", "--like", "--colors", "--journal", "--adjacency", "--eps0", "balle2020-fig2-ten-times-larger",
        "girgis2021-section6-epochs", "checkin-averaged", "protocols"})
    CHECK_MESSAGE(bash.find(word) != std::string::npos, word);
  // As a shell asks: claims for check, protocols for tightness, figures for plot.
  const auto completed = [&](const std::string& line) {
    std::ofstream(cli_test::scratch() / "completion") << bash << "COMP_WORDS=(" << line
                                                      << "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _epsilary; echo "
                                                         "\"${COMPREPLY[@]}\"\n";
    FILE* pipe = popen(("bash '" + (cli_test::scratch() / "completion").string() + "'").c_str(), "r");
    std::string said;
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.append(buffer, n);
    pclose(pipe);
    return said;
  };
  CHECK(completed("epsilary check balle2020-fig2-t").find("balle2020-fig2-ten-times-larger") == 0);
  CHECK(completed("epsilary tightness checkin-a") == "checkin-averaged\n");
  CHECK(completed("epsilary plot balle2020-fig").find("balle2020-fig2") == 0);
  CHECK(completed("epsilary plot --ba") == "--backend\n");
  CHECK(completed("epsilary solve x --for eps").find("eps0") == 0);
  CHECK(completed("epsilary tig") == "tightness\n");
  CHECK(completed("epsilary eval x -f js") == "json\n");
}
