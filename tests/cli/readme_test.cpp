// The README's sessions are run and must print what it says they print.
#include <doctest/doctest.h>

#include "tests/cli/run.hpp"

TEST_CASE("every session in the README prints what it shows") {
  std::istringstream readme(cli_test::slurp(EPSILARY_SOURCE "/README.md"));
  std::string line, command, shown;
  bool inside = false;
  int sessions = 0;
  const auto compare = [&] {
    if (command.empty()) return;
    INFO(command);
    const auto r = cli_test::run_epsilary(command);
    CHECK(r.code == 0);
    if (!shown.empty()) CHECK(r.out == shown);
    ++sessions;
    command.clear();
    shown.clear();
  };
  while (std::getline(readme, line)) {
    if (line == "```console") {
      inside = true;
    } else if (inside && line == "```") {
      compare();
      inside = false;
    } else if (inside && line.starts_with("$ epsilary ")) {
      compare();
      command = line.substr(11);
    } else if (inside && !line.starts_with("$ ")) {
      shown += line + "\n";
    }
  }
  CHECK(sessions >= 3);
}
