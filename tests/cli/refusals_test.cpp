// Bad input gets an error that names the value, the rule and the next step.
#include <doctest/doctest.h>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;

namespace {

struct Refused {
  std::string arguments;
  int code;
  std::string says;  // part of the error
};

void check_refused(const Refused& r) {
  INFO(r.arguments);
  const auto result = run_epsilary(r.arguments);
  CHECK(result.code == r.code);
  CHECK_MESSAGE(result.err.find(r.says) != std::string::npos, result.err);
  CHECK((result.err.starts_with("error: ") || result.err.find("\nerror: ") != std::string::npos));
  CHECK_MESSAGE(result.err.find("\n       ") != std::string::npos, "no next step: " << result.err);
  CHECK(result.out.find("nan") == std::string::npos);
}

std::string thm32(const std::string& changed) {
  std::string call = "eval balle2020-thm3.2";
  for (const std::string given : {"--eps0 1", "--m 1000", "--p0 0.1", "--delta 1e-6"})
    if (!changed.starts_with(given.substr(0, given.find(' ') + 1))) call += " " + given;
  return call + " " + changed;
}

}  // namespace

TEST_CASE("a value outside its domain is refused with the value and the domain") {
  for (const auto& [changed, says] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--delta 0", "delta must satisfy 0 < delta < 1 (got 0)"},
           {"--delta 1", "delta must satisfy 0 < delta < 1 (got 1)"},
           {"--delta 2", "delta must satisfy 0 < delta < 1 (got 2)"},
           {"--delta -1", "delta must satisfy 0 < delta < 1 (got -1)"},
           {"--m 0", "m must be an integer >= 1 (got 0)"},
           {"--m 2.5", "m must be an integer >= 1 (got 2.5)"},
           {"--p0 1.1", "p0 must satisfy 0 <= p0 <= 1 (got 1.1)"},
           {"--eps0 -1", "eps0 must satisfy eps0 >= 0 (got -1)"}})
    check_refused({thm32(changed), 3, says});
}

TEST_CASE("text that is not a number is refused before anything is computed") {
  for (const auto& [changed, says] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--eps0 nan", "'nan' is not a decimal number"},
           {"--eps0 inf", "'inf' is not a decimal number"},
           {"--eps0 abc", "'abc' is not a decimal number"},
           {"--eps0 1e999999", "'1e999999' has an exponent beyond"},
           {"--eps0 ''", "'' is empty"},
           {"--m 1e3,", "has an empty place in its list"},
           {"--m ,", "has an empty place in its list"},
           {"--m 1:2:0", "is a range of no values"},
           {"--m 1:2", "is not a range from:to:count"},
           {"--m 1:2:x", "is not a count"},
           {"--m 1:2:3:lag", "is not a range from:to:count"},
           {"--m 0:2:3:log", "is not positive"},
           {"--m 1:9:99999999", "more than 1000000 values"}})
    check_refused({thm32(changed), 2, says});
}

TEST_CASE("an integer of any size is accepted exactly") {
  const auto r = run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e30 --delta 1e-6 -f json");
  CHECK(r.code == 0);
  CHECK(r.out.find("\"n\": \"1e30\"") != std::string::npos);
  const auto one_more =
      run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1000000000000000000000000000001 --delta 1e-6 --digits 40");
  const auto round = run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e30 --delta 1e-6 --digits 40");
  CHECK(one_more.code == 0);
  CHECK(one_more.out != round.out);
}

TEST_CASE("unknown names are refused with what may have been meant") {
  check_refused({"eval balle2020-thm51 --eps0 1", 2, "unknown bound 'balle2020-thm51'; did you mean balle2020-thm5.1"});
  check_refused({"show nonsense-that-is-like-nothing", 2, "unknown bound"});
  check_refused({"eval --esp0 1 --n 10 --delta 0.1", 2, "unknown option or parameter '--esp0'; did you mean --eps0"});
  check_refused({"evil", 2, "unknown command 'evil'; did you mean eval"});
  check_refused({"reproduce balle2020-fig3", 2, "unknown figure 'balle2020-fig3'; did you mean balle2020-fig2"});
  check_refused({"solve balle2020-thm5.1 --for x --target 1 --eps0 1 --delta 1e-6", 2, "unknown parameter 'x'"});
  check_refused({"list figuers", 2, "no bound has 'figuers' in its texts; did you mean figures?"});
  check_refused({"completion tcsh", 2, "tcsh"});
}

TEST_CASE("missing, doubled and contradictory parameters are refused") {
  check_refused({"eval balle2020-thm3.2 --eps0 1 --delta 1e-6", 2, "balle2020-thm3.2 needs m, p0"});
  check_refused({"eval balle2020-thm5.1 --eps0 1 --eps0 2 --n 10 --delta 0.1", 2, "--eps0 is given 2 times: 1, 2"});
  check_refused({"eval", 2, "no bound and no parameters are given"});
  check_refused({"solve balle2020-thm5.1 --for n --target 0.1 --n 5 --eps0 1 --delta 1e-6", 2,
                 "is given and is also to be solved for"});
  check_refused(
      {"solve balle2020-thm5.1 --for m --target 0.1 --eps0 1 --n 10 --delta 1e-6", 2, "cannot be solved for m"});
  check_refused({"solve balle2020-thm5.1 --for n --target x --eps0 1 --delta 1e-6", 2, "'x' is not a decimal number"});
  check_refused({"solve balle2020-thm5.1 --for n --target 0.1 --eps0 -1 --delta 1e-6", 3,
                 "eps0 must satisfy eps0 >= 0 (got -1)"});
  check_refused({"compare balle2020-thm5.1 balle2020-prop3.4 --eps0 1 --n 10 --m 2 --p0 1 --delta 0.1", 2,
                 "they cannot be compared"});
  check_refused({"compare balle2020-thm5.1 --eps0 1 --n 10 --delta 0.1", 2,
                 "compare needs two bounds or more (got balle2020-thm5.1)"});
  check_refused({"eval balle2020-thm5.1 --eps0 --n 10 --delta 0.1", 2, ""});
  check_refused({"eval balle2020-thm5.1 --eps0 1 --n 10 --delta 0.1 --digits 0", 2, "digits"});
  check_refused({"eval balle2020-thm5.1 --eps0 1 --n 10 --delta 0.1 -f xml", 2, "xml"});
}

TEST_CASE("a hypothesis that fails is an answer with a reason, not a number") {
  check_refused({"eval balle2020-thm3.2-simple --eps0 2 --m 10 --p0 1 --delta 1e-3", 3, "it needs eps0 <= 1"});
  check_refused({"eval balle2020-prop4.4 --n 10 --m 11", 3, "it needs m <= n"});
  check_refused({"eval balle2020-thm3.2-approx --eps0 1 --delta0 1e-10 --m 10 --p0 1 --delta 1e-3 --delta1 1e-9", 3,
                 "it needs delta0 <="});
  const auto r = run_epsilary("eval balle2020-thm3.2-simple --eps0 2 --m 10 --p0 1 --delta 1e-3 -f json");
  CHECK(r.out.find("\"status\": \"outside\"") != std::string::npos);
  CHECK(r.out.find("\"value\": null") != std::string::npos);
}

TEST_CASE("the edge of a hypothesis is decided exactly") {
  CHECK(run_epsilary("eval balle2020-thm3.2-simple --eps0 1 --m 1 --p0 1 --delta 0.01").code == 0);
  CHECK(run_epsilary("eval balle2020-thm3.2-simple --eps0 1 --m 1 --p0 1 --delta 0.010000000000000000000000000001")
            .code == 3);
  CHECK(run_epsilary("eval balle2020-thm3.2-simple --eps0 1.0000000000000000000000000001 --m 1 --p0 1 --delta 0.01")
            .code == 3);
}

TEST_CASE("a file that cannot be written is an error, and the old file stays") {
  const auto folder = cli_test::scratch() / "kept";
  std::filesystem::create_directories(folder);
  { std::ofstream(folder / "t.csv") << "old"; }
  check_refused({"eval balle2020-thm5.1 --eps0 1 --n 10 --delta 0.1 -o /nonexistent/t.csv", 1,
                 "cannot write /nonexistent/t.csv"});
  check_refused({"eval balle2020-thm5.1 --eps0 1 --n 10 --delta abc -o kept/t.csv", 2, "abc"});
  CHECK(cli_test::slurp(folder / "t.csv") == "old");
  CHECK(run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 10 --delta 0.1 -o kept/t.csv").code == 0);
  CHECK(cli_test::slurp(folder / "t.csv").starts_with("# epsilary "));
}

TEST_CASE("without gnuplot nothing is drawn and the reason is given") {
  const auto r = run_epsilary("reproduce -o drawn", "PATH=/nonexistent");
  CHECK(r.code == 1);
  CHECK(r.err.find("gnuplot cannot be run") != std::string::npos);
}
