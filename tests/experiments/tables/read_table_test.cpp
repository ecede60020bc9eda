#include "experiments/tables/read_table.hpp"

#include <doctest/doctest.h>

#include "experiments/tables/write.hpp"
#include "tests/experiments/scratch.hpp"

using namespace epsilary::experiments;

namespace {

std::string refusal(const std::string& text) {
  try {
    parse_table(text, "t.csv");
  } catch (const BadTable& bad) {
    return bad.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a table that was written is read back as it was") {
  const Table table{{"bound", "value", "note"},
                    {{"a", "1", ""}, {"b", "", "with, comma"}, {"c", "2", "a \"quoted\" word\nand a line"}}};
  const Table again = parse_table(write_table(table, Format::csv, provenance(6)), "t.csv");
  CHECK(again.columns == table.columns);
  CHECK(again.rows == table.rows);
}

TEST_CASE("other programs' ways to end a line are read too") {
  const Table table = parse_table("\xEF\xBB\xBF# one\r\n# two\r\na,b\r\n1,2\r\n\r\n\"3\",4", "t.csv");
  CHECK(table.columns == std::vector<std::string>{"a", "b"});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "4"}});
}

TEST_CASE("what is malformed is refused with file and line") {
  CHECK(refusal("") == "t.csv:1: there is no header line");
  CHECK(refusal("# only\n# provenance\n") == "t.csv:3: there is no header line");
  CHECK(refusal("#\na,b\n1,2\n1,2,3\n") == "t.csv:4: 3 cells under 2 columns");
  CHECK(refusal("a,b\n1") == "t.csv:2: 1 cells under 2 columns");
  CHECK(refusal("a,\n1,2\n") == "t.csv:1: a column has no name");
  CHECK(refusal("a,b,a\n") == "t.csv:1: the column 'a' comes twice");
  CHECK(refusal("a,b\n\"x\n\ny\",2\n\"open,3\n") == "t.csv:5: a quote is opened and never closed");
  CHECK(refusal("a,b\nx\"y,2\n") == "t.csv:2: a quote inside a cell that does not begin with one");
  CHECK(refusal("a,b\n\"x\"y,2\n").starts_with("t.csv:2: after a closing quote comes a comma"));
  CHECK(refusal(std::string("a,b\n1,\0\n", 8)).find("not a text file") != std::string::npos);
  CHECK_THROWS_WITH_AS(read_table("/nonexistent/t.csv"), "cannot read /nonexistent/t.csv: No such file or directory",
                       BadTable);
  CHECK_THROWS_AS(read_table("/tmp"), BadTable);
}

TEST_CASE("cells that look like comments, ends of lines or nothing come back as they were") {
  for (const std::string cell : {"#1", "", "a\r", "\r\n", "\"", ",", " ", "a\"b"}) {
    const Table one{{"#x"}, {{cell}, {"y"}}}, two{{"x", "y"}, {{cell, ""}, {"", cell}}};
    for (const Table& table : {one, two}) {
      const Table again = parse_table(write_table(table, epsilary::Format::csv, {}), "t.csv");
      CHECK(again.columns == table.columns);
      CHECK(again.rows == table.rows);
    }
  }
}
