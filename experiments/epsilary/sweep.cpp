// sweep: statements over a grid, from a spec or from parameters; stopped, it goes on where it was.
#include "experiments/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bounds/core/registry.hpp"
#include "experiments/epsilary/specs.hpp"
#include "experiments/sweep/journal.hpp"
#include "experiments/tables/write.hpp"
#include "experiments/tables/write_csv.hpp"

namespace epsilary {
namespace {

using experiments::Cells;
using experiments::Record;
using experiments::Spec;

void refuse_large(std::size_t cells, bool any_size) {
  constexpr std::size_t countless = std::numeric_limits<std::size_t>::max();
  if (cells <= largest_grid || (any_size && cells < countless)) return;
  throw Error(Problem::usage,
              fmt::format("the grid has {} cells, more than {}",
                          cells == countless ? "more than 10^19" : grouped(cells), grouped(largest_grid)),
              "use fewer values in the lists and ranges, or add --yes; --dry-run --yes tells how long it would take");
}

// A tied parameter has a value of its own at each point, so that the points must be held.
bool is_tied(const std::vector<experiments::Axis>& axes) {
  return std::ranges::any_of(axes, [](const experiments::Axis& a) { return !a.tie.empty(); });
}

Cells cells_of_spec(const Sweep& request, std::string& id) {
  if (!request.bounds.empty() || !request.parameters.empty())
    throw Error(Problem::usage, "a spec has its own bounds and parameters",
                "leave out the spec, or the other flags; to change a shipped spec, copy and edit its file");
  const Spec spec = request.toml.empty() ? spec_named(request.spec, request.any_size)
                                         : experiments::parse_spec(request.toml, "spec", request.any_size);
  id = spec.id;
  const std::size_t cells = experiments::evaluations_of(spec);
  refuse_large(cells, request.any_size);
  if (cells <= largest_grid) return experiments::row_cells(experiments::rows_of(spec));
  std::vector<Cells> parts;  // too many to be held
  for (const experiments::Grid& grid : spec.sweeps) {
    if (is_tied(grid.axes)) refuse_large(cells, false);
    std::vector<const bounds::Bound*> forms;
    for (const std::string& bound : grid.bounds)
      forms.push_back(bounds::form_for(bounds::named(bound), experiments::first_point(grid.axes)));
    parts.push_back(experiments::grid_cells(std::move(forms), grid.axes));
  }
  return experiments::chain(std::move(parts));
}

// Notes what is given and not used, and the id of the spec.
Cells cells_of(const Sweep& request, std::vector<std::string>& notes, std::string& spec) {
  if (!request.spec.empty() || !request.toml.empty()) return cells_of_spec(request, spec);
  if (request.bounds.empty())
    throw Error(Problem::usage, "no spec and no bounds are given",
                "for example: epsilary sweep --bounds balle2020-thm5.1 --eps0 0.05:4:80 --n 1e4 --delta 1e-6");
  refuse_large(experiments::product(points_of(request.parameters), request.bounds.size()), request.any_size);
  const auto axes = axes_of(request.parameters, request.any_size);
  const auto first = experiments::first_point(axes);
  std::vector<const bounds::Bound*> forms;
  for (const std::string& id : request.bounds) forms.push_back(&form_given(id, first, notes));
  if (!is_tied(axes)) return experiments::grid_cells(std::move(forms), axes);
  refuse_large(experiments::product(experiments::grid_size(axes), forms.size()), false);
  std::vector<experiments::Row> rows;
  for (const bounds::Point& p : experiments::lay_grid(axes))
    for (const bounds::Bound* form : forms) rows.push_back({form, p, {}});
  return experiments::row_cells(std::move(rows));
}

void run(const Cells& cells, const std::string& file, const Options& options, const Watch& watch,
         const std::function<void(const Record&)>& out) {
  std::optional<experiments::Journal> journal;
  if (!file.empty()) journal.emplace(file, accuracy_of(options));
  Watched watched(watch, cells.size);
  try {
    experiments::sweep(cells, accuracy_of(options),
                       {options.threads, journal ? &*journal : nullptr, &watched.done, watched.stop(),
                        asked_by(cells.bounds, asked_of(options))},
                       out);
  } catch (const experiments::Stopped&) {
    throw Error(Problem::interrupted,
                fmt::format("interrupted after {} of {} rows", grouped(watched.done), grouped(cells.size)),
                file.empty() ? "nothing was kept; with -o FILE or --journal FILE a sweep can go on later"
                             : fmt::format("{} has them; the same command goes on from there", file));
  }
}

// Remembers the first row until one has a number.
class Numbers {
 public:
  void see(const Record& r) {
    any_ = any_ || !r.value.empty();
    if (!any_ && !first_) first_ = r;
  }
  std::optional<Error> problem() const {
    if (any_ || !first_) return {};
    return Error(first_->status == "outside" ? Problem::outside : Problem::unresolved,
                 fmt::format("no row has a number; the first: {}", whole_note(*first_)),
                 fmt::format("{0} assumes it; see: epsilary show {0}", first_->bound->id));
  }

 private:
  bool any_ = false;
  std::optional<Record> first_;
};

}  // namespace

void sweep(const Sweep& request, const Options& options, const Watch& watch,
           const std::function<void(const Result&)>& row) {
  std::vector<std::string> notes;
  std::string spec;
  run(cells_of(request, notes, spec), request.journal, options, watch, [&](const Record& r) { row(to_result(r)); });
}

std::vector<Result> sweep(const Sweep& request, const Options& options, const Watch& watch) {
  std::vector<Result> out;
  sweep(request, options, watch, [&](const Result& r) { out.push_back(r); });
  return out;
}

Plan plan(const Sweep& request, const Options& options) {
  Plan out;
  std::string spec;
  const Cells cells = cells_of(request, out.notes, spec);
  const auto one_thread = experiments::estimate(cells, accuracy_of(options));
  out.rows = cells.size;
  for (const std::size_t d : cells.different) out.different += d;
  out.timed = one_thread.timed;
  out.seconds = one_thread.seconds;
  return out;
}

Written write_sweep(const Sweep& request, Format format, bool color, const Options& options, const Watch& watch) {
  Written out;
  out.digits = options.digits;
  std::string spec;
  const Cells cells = cells_of(request, out.notes, spec);
  for (const std::string& note : out.notes)
    if (watch.note) watch.note(note);
  experiments::CsvWriter csv(cells.params);
  std::vector<Result> results;
  Numbers numbers;
  run(cells, request.journal, options, watch, [&](const Record& r) {
    numbers.see(r);
    if (format == Format::csv)
      csv.add(r);
    else
      results.push_back(to_result(r));
  });
  out.rows = out.evaluations = cells.size;
  out.problem = numbers.problem();
  if (format == Format::csv)
    out.pieces = csv.finish(experiments::provenance(options.digits, spec));
  else
    out.pieces.push_back(format == Format::json ? experiments::write_results_json(results, options.digits, spec)
                                                : experiments::write_results_text(
                                                      results, {.markdown = format == Format::md, .color = color}));
  return out;
}

}  // namespace epsilary
