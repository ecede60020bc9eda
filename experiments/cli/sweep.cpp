// sweep: bounds over a grid, from a spec or from flags; interrupted, it goes on where it was.
#include "experiments/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "experiments/cli/draw_spec.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/progress.hpp"
#include "experiments/journal.hpp"
#include "experiments/write_csv.hpp"

namespace epsilary::cli {
namespace {

namespace fs = std::filesystem;
using experiments::Cells;
using experiments::Format;
using experiments::Record;
using experiments::Spec;

constexpr std::size_t large_grid = 10'000'000;

struct Request {
  Options options;
  std::string spec, journal;
  std::vector<std::string> bounds;
  bool yes = false, no_journal = false;
};

void refuse_large(std::size_t cells, bool yes) {
  if (cells <= large_grid || yes) return;
  throw Refusal(usage,
                fmt::format("the grid has {} cells, more than {}",
                            cells == std::numeric_limits<std::size_t>::max() ? "more than 10^19" : grouped(cells),
                            grouped(large_grid)),
                "use fewer values in the lists and ranges, or add --yes; --dry-run --yes tells how long it would take");
}

std::size_t times(std::size_t a, std::size_t b) {
  return a > std::numeric_limits<std::size_t>::max() / b ? std::numeric_limits<std::size_t>::max() : a * b;
}

Cells cells_of_spec(const Request& request) {
  if (!request.bounds.empty() || !axes(request.options).empty())
    throw Refusal(usage, "a spec has its own bounds and parameters",
                  "leave out the spec, or the other flags; to change a shipped spec, copy and edit its file");
  const Spec spec = spec_named(request.spec);
  for (const experiments::Grid& grid : spec.sweeps)
    refuse_large(times(experiments::grid_size(grid.axes), grid.bounds.size()), request.yes);
  return experiments::row_cells(experiments::rows_of(spec));
}

Cells cells_of_flags(const Request& request) {
  if (request.bounds.empty())
    throw Refusal(usage, "no spec and no bounds are given",
                  "for example: epsilary sweep --bounds balle2020-thm5.1 --eps0 0.05:4:80 --n 1e4 --delta 1e-6");
  const auto given = axes(request.options);
  const auto first = experiments::first_point(given);
  std::vector<const bounds::Bound*> forms;
  for (const std::string& id : request.bounds) forms.push_back(&form_given(id, first));
  refuse_large(times(experiments::grid_size(given), forms.size()), request.yes);
  if (std::ranges::none_of(given, [](const experiments::Axis& a) { return !a.tie.empty(); }))
    return experiments::grid_cells(std::move(forms), given);
  std::vector<experiments::Row> rows;  // a tied parameter has a value of its own at each point
  for (const bounds::Point& p : experiments::lay_grid(given))
    for (const bounds::Bound* form : forms) rows.push_back({form, p, {}});
  return experiments::row_cells(std::move(rows));
}

// A sweep of hours must not find out at its end that its result has no place.
void refuse_unwritable(const std::string& output) {
  if (output.empty()) return;
  const fs::path folder = fs::path(output).parent_path();
  std::error_code unknown;
  const bool is_folder = fs::is_directory(output, unknown);
  if (is_folder || access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    throw Refusal(could_not,
                  fmt::format("cannot write {}: {}", output, is_folder ? "it is a folder" : std::strerror(errno)),
                  "name a file in a folder that can be written");
}

// The result would replace the journal.
void refuse_same_file(const std::string& output, const std::string& journal) {
  if (output.empty() || journal.empty()) return;
  std::error_code error;
  if (fs::weakly_canonical(fs::absolute(output), error) == fs::weakly_canonical(fs::absolute(journal), error) ||
      fs::equivalent(output, journal, error))
    throw Refusal(usage, fmt::format("{} is to be the journal and the result", output),
                  "name two files, or leave out --journal");
}

// Beside the result, unless told otherwise; a double is computed faster than it is looked up.
std::string journal_file(const Request& request) {
  const std::string& output = request.options.output;
  if (request.no_journal || !request.journal.empty()) return request.journal;
  std::error_code error;
  const bool is_file = !output.empty() && (!fs::exists(output, error) || fs::is_regular_file(output, error));
  return is_file && request.options.precision != "double" ? output + ".journal" : "";
}

int print_plan(const Request& request, const Cells& cells) {
  const auto one_thread = experiments::estimate(cells, accuracy(request.options));
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads = request.options.threads > 0 ? static_cast<unsigned>(request.options.threads) : cores;
  std::size_t different = 0;
  for (const std::size_t d : cells.different) different += d;
  const double seconds = one_thread.seconds / std::min(threads, cores);
  Options to_stdout;
  print(to_stdout, fmt::format("{} rows, {} different cells\n{} on {} thread{} (from timing {} cells)\n", cells.size,
                               different, seconds < 0.1 ? "less than 0.1 s" : "about " + duration(seconds), threads,
                               threads == 1 ? "" : "s", one_thread.timed));
  return done;
}

// The whole result as bytes, and the first row when no row has a number.
struct Result {
  std::vector<std::string> pieces;
  std::optional<Record> without_number;
};

Result compute(const Request& request, const Cells& cells, const experiments::SweepOptions& options) {
  const Format form = format(request.options, Format::csv);
  const auto provenance = experiments::provenance(request.options.digits);
  experiments::CsvWriter csv(cells.params);
  std::vector<Record> records;
  bool any = false;
  Result result;
  experiments::sweep(cells, accuracy(request.options), options, [&](const Record& r) {
    any = any || !r.value.empty();
    if (!any && !result.without_number) result.without_number = r;
    if (form == Format::csv)
      csv.add(r);
    else
      records.push_back(r);
  });
  if (any) result.without_number.reset();
  if (form == Format::csv)
    result.pieces = csv.finish(provenance);
  else
    result.pieces.push_back(form == Format::json
                                ? write_records_json(records, provenance)
                                : write_records_text(records, form == Format::md, color(request.options)));
  return result;
}

int run_sweep(const Request& request, const Cells& cells, const std::string& file) {
  stop_on_signals();
  const auto start = std::chrono::steady_clock::now();
  std::optional<experiments::Journal> journal;
  if (!file.empty()) journal.emplace(file, accuracy(request.options));
  std::atomic<std::size_t> ready{0};
  const experiments::SweepOptions options{request.options.threads, journal ? &*journal : nullptr, &ready, &stop_asked,
                                          asked_by(cells.bounds, asked(request.options))};
  Result result;
  try {
    const Progress progress(ready, cells.size);
    result = compute(request, cells, options);
  } catch (const experiments::Stopped&) {
    throw Refusal(interrupted, fmt::format("interrupted after {} of {} rows", grouped(ready), grouped(cells.size)),
                  file.empty() ? "nothing was kept; with -o FILE or --journal FILE a sweep can go on later"
                               : fmt::format("{} has them; the same command goes on from there", file));
  }
  print(request.options, result.pieces);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!request.options.output.empty())
    note(fmt::format("{} rows in {}, {}", grouped(cells.size), duration(seconds), request.options.output));
  if (!result.without_number) return done;
  const Record& first = *result.without_number;
  return refuse(first.status == "outside" ? outside : unresolved,
                fmt::format("no row has a number; the first: {}", whole_note(first)),
                fmt::format("{0} assumes it; see: epsilary show {0}", first.bound->id));
}

int run(const Request& request) {
  if (!request.journal.empty() && request.no_journal)
    throw Refusal(usage, "--journal and --no-journal contradict each other", "leave one of them out");
  const Cells cells = request.spec.empty() ? cells_of_flags(request) : cells_of_spec(request);
  if (request.options.dry_run) return print_plan(request, cells);
  refuse_unwritable(request.options.output);
  refuse_same_file(request.options.output, request.journal);
  try {
    return run_sweep(request, cells, journal_file(request));
  } catch (const experiments::BadJournal& bad) {
    throw Refusal(could_not, bad.what(), bad.next);
  }
}

}  // namespace

void add_sweep(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("sweep", "evaluate bounds over a grid, in parallel; goes on where it stopped");
  auto request = std::make_shared<Request>();
  command.add_option("spec", request->spec, "a spec file (.toml) or the id of a figure; none: --bounds and parameters");
  command.add_option("--bounds", request->bounds, "ids of bounds: a,b,c")->delimiter(',');
  command.add_option("--journal", request->journal,
                     "keep what is computed in this file (default: FILE.journal beside -o FILE; none for standard "
                     "output, nor for --precision double, which is faster computed than read)");
  command.add_flag("--no-journal", request->no_journal, "keep nothing");
  command.add_flag("--yes", request->yes, "also a grid of more than 10 million cells");
  add_common_options(command, request->options);
  add_question_options(command, request->options);
  add_parameter_options(command, request->options);
  command.footer(
      R"(The result is CSV unless -f or the ending of FILE says otherwise, the same bytes whatever the number of threads.
Every row is certified unless --precision says otherwise. Stopped by Ctrl-C, a crash or a full disk, the same command
goes on where it was: the journal (SQLite) holds every row that was computed. --dry-run tells how long it would take.

Examples:
  epsilary sweep --bounds balle2020-thm5.1,erlingsson2019-thm7 --eps0 0.05:4:80 --n 1e3,1e4 --delta 1e-6 -o sweep.csv
  epsilary sweep balle2020-fig2 -f json
  epsilary sweep balle2020-fig2 --dry-run
  epsilary sweep --bounds balle2020-thm5.1 --eps0 0.01:4:1000 --n 1e4 --delta 1e-6 --precision double)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
