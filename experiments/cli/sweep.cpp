// sweep: bounds over a grid, from a spec or from flags; interrupted, it goes on where it was.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "experiments/cli/watch.hpp"

namespace epsilary::cli {
namespace {

namespace fs = std::filesystem;
using epsilary::Error;
using epsilary::Problem;

struct Request {
  epsilary::Sweep sweep;
  bool no_journal = false;
};

// A sweep of hours must not find out at its end that its result has no place.
void refuse_unwritable(const std::string& output) {
  if (output.empty()) return;
  const fs::path folder = fs::path(output).parent_path();
  std::error_code unknown;
  const bool is_folder = fs::is_directory(output, unknown);
  if (is_folder || access(((folder.empty() ? fs::path(".") : folder) / "").c_str(), W_OK) != 0)
    throw Error(Problem::could_not,
                fmt::format("cannot write {}: {}", output, is_folder ? "it is a folder" : std::strerror(errno)),
                "name a file in a folder that can be written");
}

// Where a file is or will be, also behind a link to what is not there yet.
fs::path place_of(const std::string& file) {
  std::error_code error;
  fs::path at = fs::absolute(file, error);
  for (int links = 0; links < 40 && fs::is_symlink(at, error) && !fs::exists(at, error); ++links)
    at = at.parent_path() / fs::read_symlink(at, error);
  return fs::weakly_canonical(at, error);
}

// The result would replace the journal.
void refuse_same_file(const std::string& output, const std::string& journal) {
  if (output.empty() || journal.empty()) return;
  std::error_code error;
  if (place_of(output) == place_of(journal) || fs::equivalent(output, journal, error))
    throw Error(Problem::usage, fmt::format("{} is to be the journal and the result", output),
                "name two files, or leave out --journal");
}

// Beside the result, unless told otherwise; a double is computed faster than it is looked up.
std::string journal_file(const Flags& flags, const Request& r) {
  if (r.no_journal || !r.sweep.journal.empty()) return r.sweep.journal;
  std::error_code error;
  const bool is_file =
      !flags.output.empty() && (!fs::exists(flags.output, error) || fs::is_regular_file(flags.output, error));
  return is_file && flags.options.precision != "double" ? flags.output + ".journal" : "";
}

int print_plan(const Flags& flags, const epsilary::Sweep& sweep) {
  const epsilary::Plan plan = epsilary::plan(sweep, flags.options);
  for (const std::string& text : plan.notes) note(text);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads = flags.options.threads > 0 ? static_cast<unsigned>(flags.options.threads) : cores;
  const double seconds = plan.seconds / std::min(threads, cores);
  print({}, fmt::format("{} rows, {} different cells\n{} on {} thread{} (from timing {} cells)\n", plan.rows,
                        plan.different, seconds < 0.1 ? "less than 0.1 s" : "about " + duration(seconds), threads,
                        threads == 1 ? "" : "s", plan.timed));
  return done;
}

int run(const Flags& flags, Request r) {
  if (!r.sweep.journal.empty() && r.no_journal)
    throw Error(Problem::usage, "--journal and --no-journal contradict each other", "leave one of them out");
  r.sweep.parameters = parameters(flags);
  if (flags.options.dry_run) return print_plan(flags, r.sweep);
  refuse_unwritable(flags.output);
  refuse_same_file(flags.output, r.sweep.journal);
  r.sweep.journal = journal_file(flags, r);
  stop_on_signals();
  const auto start = std::chrono::steady_clock::now();
  epsilary::Written written;
  {
    const Watching watching;
    written = epsilary::write_sweep(r.sweep, format(flags, epsilary::Format::csv), color(flags), flags.options,
                                    watching.watch());
  }
  print(flags, written.pieces);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!flags.output.empty())
    note(fmt::format("{} rows in {}, {}", epsilary::grouped(written.rows), duration(seconds), flags.output));
  return verdict(written);
}

}  // namespace

Command sweep_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  epsilary::Sweep& s = request->sweep;
  return {
      .name = "sweep",
      .description = "evaluate bounds over a grid, in parallel; goes on where it stopped",
      .footer =
          R"(The result is CSV unless -f or the ending of FILE says otherwise, the same bytes whatever the number of threads.
Every row is certified unless --precision says otherwise. Stopped by Ctrl-C, a crash or a full disk, the same command
goes on where it was: the journal (SQLite) holds every row that was computed. --dry-run tells how long it would take.

Examples:
  epsilary sweep --bounds balle2020-thm5.1,erlingsson2019-thm7 --eps0 0.05:4:80 --n 1e3,1e4 --delta 1e-6 -o sweep.csv
  epsilary sweep balle2020-fig2 -f json
  epsilary sweep balle2020-fig2 --dry-run
  epsilary sweep --bounds balle2020-thm5.1 --eps0 0.01:4:1000 --n 1e4 --delta 1e-6 --precision double)",
      .flags = flags,
      .arguments = {{"spec",
                     "a spec file (.toml) or the id of a figure; none: --bounds and parameters",
                     &s.spec,
                     {},
                     Completes::figures},
                    {"--bounds", "ids of bounds: a,b,c", &s.bounds, {}, Completes::bounds},
                    {"--journal",
                     "keep what is computed in this file (default: FILE.journal beside -o FILE; none for standard "
                     "output, nor for --precision double, which is faster computed than read)",
                     &s.journal,
                     {},
                     Completes::files},
                    {"--no-journal", "keep nothing", &request->no_journal},
                    {"--yes", "also a grid of more than 10 million cells", &s.any_size}},
      .asks = true,
      .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
