// The sweep as a user runs it: killed, interrupted, doubled, without room, and from bad specs.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "experiments/sweep/journal.hpp"
#include "tests/cli/run.hpp"

using cli_test::scratch;
using cli_test::slurp;

namespace {

using namespace std::chrono_literals;

// Cells of a third of a millisecond.
std::string cells(int count) {
  return "--bounds kairouz2015-optimal --eps0 0.05:1:" + std::to_string(count) + " --T 100 --delta 1e-6";
}
const std::string work = cells(1200);

// The program in a process of its own, to be killed.
pid_t start(const std::string& arguments) {
  const std::string command =
      "cd '" + scratch().string() + "' && exec '" EPSILARY_EXECUTABLE "' " + arguments + " 2>>started.err </dev/null";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  return child;
}

// The exit code, or 128 and the signal.
int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const std::string& uninterrupted() {
  static const std::string bytes = cli_test::run_epsilary("sweep " + work).out;
  REQUIRE(bytes.size() > 100'000);
  return bytes;
}

std::size_t journal_rows(const std::string& name) {
  return epsilary::experiments::Journal(scratch() / name, {}).size();
}

void check_refused(const std::string& arguments, int code, const std::string& says) {
  INFO(arguments);
  const auto r = cli_test::run_epsilary(arguments);
  CHECK(r.code == code);
  CHECK_MESSAGE(r.err.find(says) != std::string::npos, r.err);
  CHECK(r.err.find("error: ") != std::string::npos);
  CHECK_MESSAGE(r.err.find("\n       ") != std::string::npos, "no next step: " << r.err);
  CHECK(r.out.empty());
}

void write(const std::string& name, const std::string& text) { std::ofstream(scratch() / name) << text; }

std::string spec(const std::string& from = "", const std::string& to = "") {
  std::string text = R"(id = "mine"
source = "me"
bounds = ["balle2020-thm5.1"]
[axes]
n = "1e3,1e4"
eps0 = "0.1:1:10"
[fixed]
delta = "1e-6"
[figure]
x = { column = "eps0", label = "eps0" }
y = { column = "value", label = "eps" }
)";
  return from.empty() ? text : text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a sweep killed twenty times gives the bytes of one that was not") {
  const std::string long_work = "sweep " + cells(3000) + " -o killed.csv";
  std::mt19937 random(20);
  std::size_t rows = 0;
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = start(long_work);
    const unsigned longest =
        rows > 0 ? 80 : 80 + 40 * static_cast<unsigned>(i);  // a busy machine takes longer to begin
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % longest));
    kill(child, SIGKILL);
    killed += end_of(child) == 128 + SIGKILL;
    const std::size_t now = journal_rows("killed.csv.journal");
    CHECK(now >= rows);
    rows = now;
  }
  CHECK(killed > 10);
  CHECK(rows > 0);
  CHECK(cli_test::run_epsilary(long_work).code == 0);
  CHECK(journal_rows("killed.csv.journal") == 3000);
  CHECK(slurp(scratch() / "killed.csv") == cli_test::run_epsilary("sweep " + cells(3000)).out);
  for (const auto& file : std::filesystem::directory_iterator(scratch()))
    CHECK_MESSAGE(file.path().string().find(".part") == std::string::npos, file.path().string());
}

TEST_CASE("two processes share a journal, and both finish with the same bytes") {
  const pid_t one = start("sweep " + work + " --journal shared -o one.csv");
  const pid_t two = start("sweep " + work + " --journal shared -o two.csv");
  CHECK(end_of(one) == 0);
  CHECK(end_of(two) == 0);
  CHECK(slurp(scratch() / "one.csv") == uninterrupted());
  CHECK(slurp(scratch() / "two.csv") == uninterrupted());
  CHECK(journal_rows("shared") == 1200);
}

TEST_CASE("Ctrl-C keeps what is done, says how to go on, and ends with 130") {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(scratch() / "started.err");
    std::filesystem::remove(scratch() / "stopped.csv.journal");
    const pid_t child = start("sweep " + work + " -j1 -o stopped.csv");
    std::error_code none;
    for (int i = 0;
         i < 5000 && !(std::filesystem::file_size(scratch() / "stopped.csv.journal-wal", none) > 8192 && !none); ++i)
      std::this_thread::sleep_for(2ms);
    kill(child, signal);
    CHECK(end_of(child) == 130);
    const std::string err = slurp(scratch() / "started.err");
    CHECK_MESSAGE(err.find("error: interrupted after ") != std::string::npos, err);
    CHECK(err.find("stopped.csv.journal has them; the same command goes on from there") != std::string::npos);
    CHECK(!std::filesystem::exists(scratch() / "stopped.csv"));
    CHECK(journal_rows("stopped.csv.journal") > 0);
    CHECK(journal_rows("stopped.csv.journal") < 1200);
  }
  CHECK(cli_test::run_epsilary("sweep " + work + " -o stopped.csv").code == 0);
  CHECK(slurp(scratch() / "stopped.csv") == uninterrupted());
}

TEST_CASE("Ctrl-C during reproduce keeps what is done, and the same command goes on") {
  const std::string figure = "reproduce regime-shuffle-winner -j1 ";
  std::filesystem::remove(scratch() / "started.err");
  const pid_t child = start(figure + "-o stopped");
  std::error_code none;
  for (int i = 0;
       i < 5000 && !(std::filesystem::file_size(scratch() / "stopped/journal.sqlite-wal", none) > 8192 && !none); ++i)
    std::this_thread::sleep_for(2ms);
  kill(child, SIGINT);
  CHECK(end_of(child) == 130);
  const std::string err = slurp(scratch() / "started.err");
  CHECK_MESSAGE(err.find("error: interrupted after 0 of 1 figures") != std::string::npos, err);
  CHECK(err.find("journal.sqlite has what was computed; the same command goes on from there") != std::string::npos);
  CHECK(journal_rows("stopped/journal.sqlite") > 0);
  CHECK(cli_test::run_epsilary(figure + "-o stopped").code == 0);
  CHECK(cli_test::run_epsilary(figure + "-o whole").code == 0);
  for (const char* name : {"regime-shuffle-winner.csv", "regime-shuffle-winner.png", "index.html"})
    CHECK(slurp(scratch() / "stopped" / name) == slurp(scratch() / "whole" / name));
}

TEST_CASE("the bytes do not depend on the threads, nor on the journal") {
  for (const char* how : {"-j1", "-j2", "-j7 --journal other", "-j1 --journal other", "--no-journal"})
    CHECK(cli_test::run_epsilary("sweep " + work + " " + how).out == uninterrupted());
}

TEST_CASE("a journal that is damaged or not ours is refused, and stays as it is") {
  CHECK(cli_test::run_epsilary("sweep " + work + " -o whole.csv").code == 0);
  const std::string whole = slurp(scratch() / "whole.csv.journal");
  for (const auto& [bytes, says] : std::initializer_list<std::pair<std::string, const char*>>{
           {whole.substr(0, whole.size() / 3), "is damaged"}, {"garbage\n", "is not a journal of epsilary"}}) {
    std::ofstream(scratch() / "bad.journal", std::ios::binary) << bytes;
    check_refused("sweep " + work + " --journal bad.journal", 1, says);
    CHECK(slurp(scratch() / "bad.journal") == bytes);
  }
  check_refused("sweep " + work + " --journal /nonexistent/j", 1, "cannot write the journal /nonexistent/j");
  check_refused("sweep " + work + " -o /nonexistent/t.csv", 1, "cannot write /nonexistent/t.csv");
  check_refused("sweep " + work + " --journal a --no-journal", 2, "contradict");
}

TEST_CASE("a full disk is told, and what was computed is kept") {
  const auto full = cli_test::run_epsilary("sweep " + work + " -o full.csv", "ulimit -f 150;");
  CHECK(full.code == 1);
  CHECK_MESSAGE(full.err.find("error: cannot write the journal full.csv.journal: ") != std::string::npos, full.err);
  CHECK(full.err.find("run the same command again") != std::string::npos);
  CHECK(journal_rows("full.csv.journal") > 0);
  CHECK(cli_test::run_epsilary("sweep " + work + " -o full.csv").code == 0);
  CHECK(slurp(scratch() / "full.csv") == uninterrupted());
  check_refused("sweep " + work + " --precision double -o /dev/full", 1, "cannot write /dev/full: No space left");
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("a spec in a file and flags give the same rows, in every format") {
  write("mine.toml", spec());
  const auto by_spec = cli_test::run_epsilary("sweep mine.toml");
  CHECK(by_spec.code == 0);
  CHECK(by_spec.err.empty());
  for (const char* format : {"json", "md", "text"}) {
    const auto r = cli_test::run_epsilary(std::string("sweep mine.toml -f ") + format);
    CHECK(r.code == 0);
    CHECK(r.out.find("balle2020-thm5.1") != std::string::npos);
  }
  const auto by_flags =
      cli_test::run_epsilary("sweep --bounds balle2020-thm5.1 --eps0 0.1:1:10 --n 1e3,1e4 --delta 1e-6");
  // The same rows, in the order of the vocabulary; only the spec has a name.
  CHECK(by_flags.out.size() + std::string(", spec mine").size() == by_spec.out.size());
  const std::string in_double = cli_test::run_epsilary("sweep mine.toml --precision double").out;
  CHECK(in_double.find(",false,true,false,") != std::string::npos);  // certified, answers, guarantee
  CHECK(in_double.find(",true,true,") == std::string::npos);
}

TEST_CASE("a dry run tells the size and the time; a grid beyond reason needs a yes") {
  const auto plan = cli_test::run_epsilary("sweep " + work + " -n");
  CHECK(plan.code == 0);
  CHECK(plan.out.starts_with("1200 rows, 1200 different cells\n"));
  CHECK(plan.out.find("from timing 64 cells") != std::string::npos);
  const std::string huge =
      "--bounds balle2020-thm3.2 --eps0 0.1:1:1000 --m 1:1000:1000 --p0 0:1:1001 --delta 1e-9:0.1:1000";
  check_refused("sweep " + huge, 2, "the grid has 1 001 000 000 000 cells, more than 10 000 000");
  CHECK(cli_test::run_epsilary("sweep " + huge + " --dry-run --yes --precision double").code == 0);
  write("huge.toml", spec("\"0.1:1:10\"\n[fixed]\ndelta = \"1e-6\"", "\"0.1:1:10000\"\ndelta = \"1e-9:0.1:10000\""));
  check_refused("sweep huge.toml", 2, "the grid has 200 000 000 cells");
}

TEST_CASE("a bad spec is refused with its file and line") {
  const auto refused = [](const std::string& text, const std::string& says) {
    write("bad.toml", text);
    check_refused("sweep bad.toml", 2, says);
  };
  refused(spec("balle2020-thm5.1", "balle2020-thm99"), "bad.toml:3: unknown bound 'balle2020-thm99'");
  refused(spec("source", "sauce"), "bad.toml:2: unknown key 'sauce'");
  refused(spec("eps0 = \"0.1", "esp0 = \"0.1"), "bad.toml:6: unknown parameter 'esp0'");
  refused(spec("\"1e3,1e4\"", "\"\""), "bad.toml:5: n: '' is empty");
  refused(spec("\"1e3,1e4\"", "[]"), "bad.toml:5: ");
  refused(spec("n = \"1e3,1e4\"\n", ""), "balle2020-thm5.1 needs n");
  refused(spec("\"me\"", "\"\xff\xfe\""), "bad.toml:2: ");
  refused("a = " + std::string(10 << 20, '['), "bad.toml:1: ");
  refused(std::string(10 << 20, '['), "bad.toml:1: ");
  refused("", "bad.toml:");
  check_refused("sweep missing.toml", 1, "cannot read missing.toml: No such file or directory");
  check_refused("sweep balle2020-fig3", 2, "did you mean balle2020-fig2?");
  check_refused("sweep balle2020-fig2 --n 5", 2, "a spec has its own bounds and parameters");
  check_refused("sweep --bounds balle2020-thm51 --eps0 1 --n 10 --delta 0.1", 2, "did you mean balle2020-thm5.1");
  check_refused("sweep --bounds balle2020-thm5.1 --esp0 1", 2, "did you mean --eps0");
  check_refused("sweep --bounds balle2020-thm5.1 --eps0 1", 2, "balle2020-thm5.1 needs ");
  check_refused("sweep", 2, "no spec and no bounds are given");
}

TEST_CASE("a sweep without a number in any row says why") {
  const auto r = cli_test::run_epsilary("sweep --bounds balle2020-thm3.2-simple --eps0 2,3 --m 10 --p0 1 --delta 1e-3");
  CHECK(r.code == 3);
  CHECK(r.out.find(",outside,") != std::string::npos);
  CHECK(r.err.find("error: no row has a number; the first: it needs eps0 <= 1") != std::string::npos);
}
