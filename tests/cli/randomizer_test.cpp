// A randomizer on the command line: by its name, as a matrix, from a file.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using cli_test::scratch;

namespace {

void write(const std::string& name, const std::string& text) { std::ofstream(scratch() / name) << text; }

const std::string asks = "eval epsilary-shuffle-randomizer --n 1e4 --delta 1e-6 -f csv --randomizer ";

// The value of the one row.
std::string value(const std::string& out) {
  const std::size_t at = out.rfind("epsilary-shuffle-randomizer,");
  return at == std::string::npos ? "" : out.substr(at);
}

}  // namespace

TEST_CASE("a matrix is read from the line, from CSV and from TOML, and is the same") {
  write("binary.csv", "# binary response\n3/4, 1/4\n\n0.25,0.75\n");
  write("binary.toml", "rows = [[\"3/4\", \"1/4\"], [0.25, 0.75]]\n");
  const auto typed = run_epsilary(asks + "'3/4,1/4;1/4,3/4'"), csv = run_epsilary(asks + "binary.csv"),
             toml = run_epsilary(asks + "binary.toml");
  for (const auto& r : {typed, csv, toml}) {
    INFO(r.err);
    CHECK(r.code == 0);
    CHECK(r.out.find("0.0489") != std::string::npos);
    CHECK(r.out.find("1.0986122886681097") != std::string::npos);  // its eps0, log 3
  }
  // The file is named with its fingerprint, and may be typed so until it changes.
  const std::size_t mark = csv.out.find("binary.csv#");
  REQUIRE(mark != std::string::npos);
  const std::string named = csv.out.substr(mark, 23);
  CHECK(run_epsilary(asks + named).out == csv.out);
  write("binary.csv", "2/3,1/3\n1/3,2/3\n");
  const auto changed = run_epsilary(asks + named);
  CHECK(changed.code == 2);
  CHECK(changed.err.find("is not the file it was") != std::string::npos);
  CHECK(value(typed.out) != "");
}

TEST_CASE("what a randomizer may not be is refused with its place") {
  write("short.csv", "1/2,1/2\n1/2\n");
  write("letters.csv", "a,b\n1/2,1/2\n");
  write("empty.csv", "");
  write("wrong.toml", "columns = [[1, 0], [0, 1]]\n");
  write("sums.csv", "0.5,0.4\n0.5,0.5\n");
  const auto refused = [](const std::string& randomizer, const std::string& words) {
    const auto r = run_epsilary(asks + randomizer);
    INFO(randomizer << ": " << r.err);
    CHECK(r.code == 2);
    CHECK(r.out.empty());
    CHECK(r.err.find(words) != std::string::npos);
  };
  refused("short.csv", "row 2 has 1 entries, the first has 2");
  refused("letters.csv", "row 1, entry 1: 'a' is not a decimal number");
  refused("empty.csv", "empty.csv cannot be read, or is empty");
  refused("wrong.toml", "wrong.toml:1");
  refused("sums.csv", "row 1 adds up to 0.9, not to 1");
  refused("nosuch.csv", "'nosuch.csv' is not a randomizer, and no such file can be read");
  refused("krr:x", "not a decimal number");
  refused("'3/4,1/4;1/4,3/4' --eps0 1", "--eps0 is given, and the randomizer 3/4,1/4;1/4,3/4 brings its own");
  refused("krr:16", "needs eps0");
}

TEST_CASE("a matrix of another's making is read in bounded time, or refused in short") {
  const auto said = [](const std::string& file, const std::string& words) {
    const auto r = run_epsilary("eval epsilary-randomizer --randomizer " + file, "ulimit -t 10; ulimit -v 2000000;");
    INFO(file << ": " << r.err);
    CHECK(r.code == 2);
    CHECK(r.err.find(words) != std::string::npos);
    CHECK(r.err.size() < 1000);
  };
  // Exact sums of denominators that share nothing.
  std::string row, rows;
  for (int i = 0; i < 200; ++i) row += (i ? ",1/" : "1/") + std::string(9000, '7') + std::to_string(1001 + 2 * i);
  write("coprime.csv", row + "\n" + row + "\n");
  said("coprime.csv", "more or longer probabilities than are added up exactly");
  // Nine bytes that are a number of forty kilobytes, many times.
  for (int i = 0; i < 20000; ++i) rows += "1e-99999,";
  write("long.csv", rows + "1\n0,1\n");
  said("long.csv", "more or longer probabilities than are added up exactly");
  write("deep.toml", "rows = " + std::string(300, '[') + std::string(300, ']') + "\n");
  said("deep.toml", "deep.toml:1: Error while parsing value");
  said("deep.toml", "randomizer must be krr:K");  // and no word of specs
}

TEST_CASE("a file whose name is no text is named in JSON all the same") {
  write("\xFF\".csv", "3/4,1/4\n1/4,3/4\n");
  const auto r = run_epsilary("eval epsilary-randomizer -f json --randomizer '\xFF\".csv'");
  CHECK(r.code == 0);
  CHECK(r.out.find("\"\xEF\xBF\xBD\\\".csv#") != std::string::npos);
  CHECK(nlohmann::json::accept(r.out));
}

TEST_CASE("tightness with a randomizer says what knowing it is worth") {
  const auto r = run_epsilary("tightness shuffle --randomizer krr:16 --eps0 1 --n 1e4 --delta 1e-6");
  CHECK(r.code == 0);
  CHECK(r.out.find("any eps0-LDP randomizer, the worst of them; the one that is given") != std::string::npos);
  CHECK(r.out.find("it needs a randomizer of its own choice (got randomizer = krr:16)") != std::string::npos);
  CHECK(r.out.find("(epsilary-shuffle-randomizer), a factor of 1.00") != std::string::npos);
}
