// train: refusals, disks that are full, runs that are killed.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/cli/run.hpp"
#include "tests/experiments/learning/strokes.hpp"

using cli_test::run_epsilary;
using cli_test::scratch;
using cli_test::slurp;

namespace {

void make_spec(const std::string& name, const std::string& more) {
  std::ofstream(scratch() / name) << "id = \"small\"\nsource = \"a test\"\nnetwork = \"13722\"\nclients = \"300\"\n"
                                     "algorithm = \"cldp-sgd\"\nper_round = \"100\"\nclip = \"coordinate\"\n"
                                     "limit = \"0.01\"\neps0 = \"2\"\ndelta = \"1e-5\"\nrate = \"0.3\"\nseeds = \"1\"\n"
                                  << more;
}

}  // namespace

TEST_CASE("train without a spec lists what ships; with one it writes a table") {
  const auto list = run_epsilary("train");
  CHECK(list.code == 0);
  CHECK(list.out.find("girgis2021-mnist-coordinate") != std::string::npos);
  learning_test::write_digits(scratch() / "digits", 300, 100);
  make_spec("small.toml", "rounds = \"4\"\nevery = \"2\"\n[[accountant]]\nbound = \"girgis2021-thm1-privacy\"\n");
  const auto r = run_epsilary("train small.toml --data digits");
  CHECK(r.code == 0);
  CHECK(r.out.find("spec small, seeds 1 to 1, 300 and 100 images") != std::string::npos);
  CHECK(r.out.find("girgis2021-thm1-privacy,upper,") != std::string::npos);
  CHECK(run_epsilary("train small.toml --dry-run").out == "4 rounds\n");
}

TEST_CASE("train refuses in words") {
  make_spec("wrong.toml", "rounds = \"-4\"\nevery = \"2\"\n");
  const auto wrong = run_epsilary("train wrong.toml --data digits");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("wrong.toml:13: rounds must satisfy 1 <= rounds") != std::string::npos);
  const auto unknown = run_epsilary("train girgis2021-mnist-cordinate");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("did you mean girgis2021-mnist-coordinate") != std::string::npos);
  const auto nothing = run_epsilary("train girgis2021-mnist-coordinate");
  CHECK(nothing.code == 2);
  CHECK(nothing.err.find("fetch-mnist") != std::string::npos);
  const auto nowhere = run_epsilary("train girgis2021-mnist-coordinate --data nowhere");
  CHECK(nowhere.code == 1);
  CHECK(nowhere.err.find("nowhere is not a folder") != std::string::npos);
  CHECK(run_epsilary("train small.toml --data digits --seeds 0").code == 2);
  CHECK(run_epsilary("train small.toml --data digits -o no/such/folder/x.csv").code == 1);
}

TEST_CASE("a disk that is full loses nothing of a training, and the same command goes on") {
  learning_test::write_digits(scratch() / "digits", 300, 100);
  make_spec("long.toml", "rounds = \"12\"\nevery = \"1\"\n");
  REQUIRE(run_epsilary("train long.toml --data digits --seeds 2 -o whole.csv --no-journal").code == 0);
  const auto full = run_epsilary("train long.toml --data digits --seeds 2 -o out.csv", "prlimit --fsize=90000");
  CHECK(full.code == 1);
  CHECK(full.err.find("make room and run the same command again") != std::string::npos);
  CHECK(!std::filesystem::exists(scratch() / "out.csv"));
  const auto again = run_epsilary("train long.toml --data digits --seeds 2 -o out.csv");
  CHECK_MESSAGE(again.code == 0, again.err);
  CHECK(slurp(scratch() / "out.csv") == slurp(scratch() / "whole.csv"));
}

TEST_CASE("a training that is killed goes on and ends with the same bytes") {
  learning_test::write_digits(scratch() / "digits", 300, 100);
  make_spec("killed.toml", "rounds = \"60\"\nevery = \"3\"\n");
  REQUIRE(run_epsilary("train killed.toml --data digits -o unkilled.csv --no-journal -j 1").code == 0);
  for (const char* after : {"0.15", "0.3", "0.5"})
    run_epsilary("train killed.toml --data digits -o trained.csv -j 2", std::string("timeout -s KILL ") + after);
  const auto last = run_epsilary("train killed.toml --data digits -o trained.csv");
  REQUIRE_MESSAGE(last.code == 0, last.err);
  CHECK(slurp(scratch() / "trained.csv") == slurp(scratch() / "unkilled.csv"));
}
