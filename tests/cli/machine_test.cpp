// What machines do to a program: threads that cannot be made, streams and pipes that are closed, signals, folders
// without permission, processes that were killed.
#include <doctest/doctest.h>

#include <chrono>
#include <fstream>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using cli_test::scratch;
using cli_test::slurp;

namespace {

const std::string sweep = "sweep --bounds balle2020-thm5.1 --eps0 0.05:4:300 --n 1e3,1e4 --delta 1e-6 -o ";

int in_shell(const std::string& command) {
  const int status =
      std::system(("cd '" + scratch().string() + "' && E='" EPSILARY_EXECUTABLE "' && " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// As somebody who may not write everywhere; what stands before the program. Empty where that cannot be had.
std::string as_nobody() {
  if (geteuid() != 0) return " ";
  const std::string nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  return in_shell(nobody + "$E --version >/dev/null 2>&1") == 0 ? nobody : "";
}

void check_no_parts(const std::filesystem::path& folder = scratch()) {
  for (const auto& file : std::filesystem::directory_iterator(folder))
    CHECK_FALSE(file.path().filename().string().starts_with(".part"));
}

}  // namespace

TEST_CASE("threads that cannot be made are done without") {
  REQUIRE(run_epsilary(sweep + "one.csv -j 1 --no-journal").code == 0);
  const std::string one = slurp(scratch() / "one.csv");
#ifndef __SANITIZE_ADDRESS__  // which needs more room than that for itself
  const auto narrow = run_epsilary(sweep + "narrow.csv -j 1024", "ulimit -v 300000;");
  CHECK_MESSAGE(narrow.code == 0, narrow.err);
  CHECK(slurp(scratch() / "narrow.csv") == one);
#endif
  if (geteuid() == 0 && !as_nobody().empty()) {  // root has no such limit
    REQUIRE(in_shell("mkdir -p alone && chmod 777 alone") == 0);
    const auto alone = run_epsilary(sweep + "alone/a.csv -j 4", "prlimit --nproc=1 " + as_nobody());
    CHECK_MESSAGE(alone.code == 0, alone.err);
    CHECK(slurp(scratch() / "alone" / "a.csv") == one);
    CHECK(run_epsilary("tightness shuffle --eps0 1 --n 20 --delta 1e-3", "prlimit --nproc=1 " + as_nobody()).code == 0);
    // What was kept without a thread of its own is found again.
    CHECK(run_epsilary(sweep + "alone/a.csv", as_nobody()).code == 0);
    CHECK(slurp(scratch() / "alone" / "a.csv") == one);
  }
}

TEST_CASE("a dead pipe ends quietly, but not the work that is told about in it") {
  in_shell("{ sleep 0.1; $E list; echo $? >rc; } 2>said | true");
  CHECK(slurp(scratch() / "rc") == "141\n");
  CHECK(slurp(scratch() / "said").empty());
  in_shell("{ sleep 0.1; $E --help; echo $? >rc; } 2>said | true");
  CHECK(slurp(scratch() / "rc") == "141\n");
  in_shell("{ sleep 0.1; $E " + sweep + "dead.csv; echo $? >rc; } 2>&1 | true");
  CHECK(slurp(scratch() / "rc") == "0\n");
  CHECK(slurp(scratch() / "dead.csv").size() > 10000);
  CHECK(in_shell("$E " + sweep + "closed.csv <&- >&- 2>&-") == 0);
  CHECK(slurp(scratch() / "closed.csv") == slurp(scratch() / "dead.csv"));
  CHECK(in_shell("$E plot girgis2021-bits -o closed.svg <&- >&- 2>&-") == 0);
  CHECK(slurp(scratch() / "closed.svg").find("</svg>") != std::string::npos);
  CHECK(in_shell("$E list >&- 2>/dev/null") == 1);
}

TEST_CASE("HUP, TERM and INT leave the same behind") {
  for (const char* signal : {"HUP", "TERM", "INT"}) {
    CAPTURE(signal);
    const std::string name = std::string("stopped-") + signal;
    // A shell ignores INT for what it starts in the background, Python does not. The journal is there once the work
    // began.
    std::ofstream(scratch() / "stop.py") << R"(import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
process = subprocess.Popen(sys.argv[3:])
while not os.path.exists(sys.argv[2]) and process.poll() is None:
    time.sleep(0.02)
time.sleep(0.1)
process.send_signal(getattr(signal, 'SIG' + sys.argv[1]))
sys.exit(process.wait(60) % 256)
)";
    const std::string words = "$E sweep --bounds balle2020-thm5.1 --eps0 0.05:4:50000 --n 1e3,1e4 --delta 1e-6 -o ";
    CHECK(in_shell("python3 stop.py " + std::string(signal) + " " + name + ".csv.journal " + words + name +
                   ".csv 2>said") == 130);
    CHECK(slurp(scratch() / "said").find("goes on from there") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch() / (name + ".csv")));
    CHECK(std::filesystem::exists(scratch() / (name + ".csv.journal")));
    check_no_parts();
  }
}

TEST_CASE("a signal does not wait for gnuplot, and the old picture stays") {
  in_shell(
      "mkdir -p slow && printf '#!/bin/sh\\nexec sleep 60\\n' >slow/gnuplot && chmod +x slow/gnuplot; "
      "echo old >p.svg");
  for (const std::string what : {"plot girgis2021-bits -o p.svg", "reproduce girgis2021-bits -o slowly"}) {
    const auto start = std::chrono::steady_clock::now();
    const auto r = run_epsilary(what, "PATH=\"$PWD/slow:$PATH\" timeout --foreground -s TERM 3");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(40));
    CHECK_MESSAGE(r.err.find("interrupted") != std::string::npos, r.err);
  }
  CHECK(cli_test::slurp(scratch() / "p.svg") == "old\n");
  for (const auto& file : std::filesystem::recursive_directory_iterator(scratch()))
    CHECK_FALSE(file.path().filename().string().starts_with(".part"));
}

TEST_CASE("what killed processes left is taken away, what others are writing is not") {
  in_shell(
      "touch -d '2 minutes ago' .part-99999999-k.csv .part-1-k.csv .part-x-k.csv .part-99999999-k.svg; "
      "touch .part-99999998-k.csv");
  REQUIRE(run_epsilary("eval balle2020-thm5.1 --eps0 1 --n 1e4 --delta 1e-6 -o k.csv").code == 0);
  CHECK_FALSE(std::filesystem::exists(scratch() / ".part-99999999-k.csv"));
  for (const char* kept : {".part-1-k.csv", ".part-x-k.csv", ".part-99999998-k.csv", ".part-99999999-k.svg"})
    CHECK(std::filesystem::exists(scratch() / kept));
  REQUIRE(run_epsilary("plot girgis2021-bits -o k.svg").code == 0);
  CHECK_FALSE(std::filesystem::exists(scratch() / ".part-99999999-k.svg"));
  in_shell("rm -f .part-*");
}

TEST_CASE("reasons are true, and the next step can be taken") {
  const auto says = [](const cli_test::Result& r, const std::string& why, const std::string& next) {
    CHECK(r.code == 1);
    CHECK_MESSAGE(r.err.find(why) != std::string::npos, r.err);
    CHECK_MESSAGE(r.err.find(next) != std::string::npos, r.err);
    CHECK(r.err.find("filesystem error") == std::string::npos);
  };
  const std::string eval = "eval balle2020-thm5.1 --eps0 1 --n 1e4 --delta 1e-6 -o ";
  in_shell(
      "mkdir -p folder.svg locked && chmod 555 locked && echo x >secret && chmod 600 secret && mkdir -p open && "
      "chmod 777 open");
  if (const std::string nobody = as_nobody(); !nobody.empty()) {
    says(run_epsilary(eval + "locked/a.csv", nobody), "Permission denied", "a folder that can be written");
    says(run_epsilary(sweep + "locked/a.csv", nobody), "Permission denied", "a folder that can be written");
    says(run_epsilary("plot girgis2021-bits -o locked/a.svg", nobody), "cannot write locked/a.svg: Permission denied",
         "a folder that can be written");
    says(run_epsilary("reproduce girgis2021-bits -o locked", nobody), "Permission denied", "-o FOLDER");
    says(run_epsilary("reproduce girgis2021-bits -o locked/more", nobody), "Permission denied", "-o FOLDER");
    if (geteuid() == 0)
      says(run_epsilary(sweep + "open/a.csv --journal secret", nobody), "secret: Permission denied", "--journal");
  }
  says(run_epsilary("plot girgis2021-bits -o folder.svg"), "Is a directory", "name a file");
  says(run_epsilary(eval + "folder.svg"), "Is a directory", "name a file");
  says(run_epsilary(eval + "nowhere/a.csv"), "No such file or directory", "name a file");
  says(run_epsilary(sweep + "secret/a.csv"), "Not a directory", "a folder that can be written");
  says(run_epsilary("plot girgis2021-bits -o " + std::string(300, 'a') + ".svg"), "File name too long", "shorter");
  const auto without = run_epsilary("reproduce girgis2021-bits -o without", "PATH=/nowhere");
  says(without, "gnuplot cannot be run", "install it");
  CHECK(without.err.find("nothing was written") == std::string::npos);
  says(run_epsilary("list >/dev/full"), "No space left", "make room");
}

TEST_CASE("no terminal is told what a file says") {
  std::ofstream(scratch() / "escape.toml") << "id = \"\\u001b]0;owned\\u0007\"\nsource = \"s\"\n\x1b[31m = 1\n";
  for (const char* words : {"sweep escape.toml", "eval \"$(printf '\\033[31mx')\"", "plot escape.toml"}) {
    const auto refused = run_epsilary(words);
    CHECK(refused.code != 0);
    CHECK(refused.err.find('\x1b') == std::string::npos);
    CHECK(refused.err.find('\a') == std::string::npos);
  }
}
