// What experiments/papers/COVERAGE.md names exists, and what the papers' folders have is named there.
#include <doctest/doctest.h>

#include <algorithm>
#include <epsilary/epsilary.hpp>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

TEST_CASE("every row of what is covered names what exists, and everything of the papers has a row") {
  std::ostringstream read;
  read << std::ifstream(EPSILARY_SOURCE "/experiments/papers/COVERAGE.md").rdbuf();
  const std::string text = read.str();
  std::set<std::string> known, named;
  for (const auto& s : epsilary::statements()) known.insert(s.id);
  for (const auto& c : epsilary::claims()) known.insert(c.id);
  for (const auto& f : epsilary::figures()) known.insert(f.id);
  const std::set<std::string> of_papers = known;
  for (const auto& t : epsilary::trainings()) known.insert(t.id);
  for (const auto& p : epsilary::simulated_protocols()) known.insert(p);
  static const std::regex name("`([a-z0-9]+-[^` ]+)`");
  for (std::sregex_iterator it(text.begin(), text.end(), name); it != std::sregex_iterator(); ++it) {
    INFO((*it)[1].str() << ": what experiments/papers/COVERAGE.md names must exist");
    CHECK(known.contains((*it)[1]));
    named.insert((*it)[1]);
  }
  CHECK(named.size() > 250);
  for (const std::string& id : of_papers)
    for (const char* paper : {"balle2020-", "checkin2022-", "girgis2021-", "vandijk2022-"})
      if (id.starts_with(paper)) {
        INFO(id << " wants a row in experiments/papers/COVERAGE.md");
        CHECK(named.contains(id));
      }
  // A row is two cells.
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| ")) CHECK(std::ranges::count(line, '|') == 3);
}
