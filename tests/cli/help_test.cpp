// The program explains itself, and what it shows runs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;

namespace {

// As the help lists them.
std::vector<std::string> commands() {
  std::vector<std::string> found;
  std::istringstream lines(run_epsilary("--help").out);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (inside && !line.starts_with("  ")) break;
    if (inside) found.push_back(line.substr(2, line.find(' ', 2) - 2));
    inside = inside || line == "Subcommands:";
  }
  REQUIRE(found.size() >= 11);
  return found;
}

std::vector<std::string> examples(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  epsilary ")) found.push_back(line.substr(11));
  return found;
}

}  // namespace

TEST_CASE("every example in every help text runs") {
  for (const std::string& command : commands()) {
    const auto help = run_epsilary(command + " --help");
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    const auto calls = examples(help.out);
    CHECK_MESSAGE(calls.size() >= 2, command);
    for (const std::string& call : calls) {
      if (call.find('>') != std::string::npos) continue;  // writes into the home folder
      if (call == "reproduce -o out") continue;           // the whole of it takes a minute
      INFO(call);
      CHECK(run_epsilary(call).code == 0);
    }
    CHECK(run_epsilary("help " + command).out == help.out);
  }
  for (const std::string& call : examples(run_epsilary("--help").out)) CHECK(run_epsilary(call).code == 0);
}

TEST_CASE("no arguments print the short help") {
  const auto r = run_epsilary("");
  CHECK(r.code == 0);
  CHECK(r.out.find("Exit codes: 0 done") != std::string::npos);
  CHECK(r.err.empty());
}

TEST_CASE("the example of every statement runs") {
  const auto list = nlohmann::json::parse(run_epsilary("list -f json").out);
  CHECK(list["rows"].size() > 50);
  std::set<std::string> seen;
  for (const auto& row : list["rows"]) {
    const std::string id = row["id"];
    if (!seen.insert(id).second) continue;
    for (const auto& form : nlohmann::json::parse(run_epsilary("show " + id + " -f json").out)) {
      // Sums over the number of check-ins and composed brackets take seconds each.
      const std::string protocol = form["protocol"];
      if (protocol.ends_with("-checkin") || protocol.starts_with("dp-sgd") || id == "feldman2021-clones" ||
          id.ends_with("-pld") || id.ends_with("-supremum") || id.ends_with("-pivot"))
        continue;
      const std::string call = form["example"].get<std::string>().substr(9);
      INFO(call);
      CHECK(run_epsilary(call).code == 0);
    }
  }
}

TEST_CASE("list and show read the same fields") {
  CHECK(run_epsilary("list params").out.find("0 < delta < 1") != std::string::npos);
  CHECK(run_epsilary("list figures").out.find("balle2020-fig2") != std::string::npos);
  CHECK(run_epsilary("list -f md").out.starts_with("| id |"));
  const auto show = run_epsilary("show checkin2022-thm2-printed").out;
  CHECK(show.find("unsound: not a guarantee as printed") != std::string::npos);
  CHECK(show.find("given K = k a client is in with probability k/n") != std::string::npos);
}

TEST_CASE("the completion scripts are valid and know the ids") {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const auto r = run_epsilary("completion " + shell);
    CHECK(r.code == 0);
    CHECK(r.out.find("balle2020-thm5.1") != std::string::npos);
  }
  CHECK(std::system(("'" EPSILARY_EXECUTABLE "' completion bash | bash -n")) == 0);
}

TEST_CASE("colour is for terminals only") {
  CHECK(run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 10 --delta 0.1").out.find('\033') == std::string::npos);
}

TEST_CASE("a reader that stops early does not make a crash") {
  CHECK(std::system("'" EPSILARY_EXECUTABLE
                    "' eval balle2020-thm5.1 --eps0 1:2:2000 --n 10 --delta 0.1 2>&1 | head -1 >/dev/null") == 0);
}
