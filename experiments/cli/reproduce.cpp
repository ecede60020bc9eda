// reproduce: the papers' figures, each with its table and its script, the claims, and a page that shows them all.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "experiments/catalogue.hpp"
#include "experiments/claims.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/cli/draw_spec.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/journal.hpp"
#include "experiments/section6_ledger.hpp"
#include "experiments/similar.hpp"
#include "figures/gnuplot.hpp"
#include "figures/report.hpp"

namespace epsilary::cli {
namespace {

namespace fs = std::filesystem;
using experiments::Spec;

struct Request {
  Options options;
  std::string backend = "gnuplot";
  std::vector<std::string> ids;
};

// Figures come from specs; the ledger of a training run is a table of its own.
struct Chosen {
  std::vector<const Spec*> specs;
  std::vector<const experiments::Claim*> claims;  // of the papers whose figures are drawn
  bool ledger = false;
};

std::string paper(const std::string& id) { return id.substr(0, id.find('-')); }

Chosen chosen(const std::vector<std::string>& ids) {
  std::vector<std::string> known{std::string(experiments::section6_id)};
  for (const Spec& spec : experiments::catalogue()) known.push_back(spec.id);
  for (const std::string& id : ids)
    if (!std::ranges::count(known, id)) {
      const auto close = experiments::similar(id, known);
      throw Refusal(
          usage, fmt::format("unknown figure '{}'{}", id, close.empty() ? "" : "; did you mean " + close.front() + "?"),
          "see: epsilary list figures");
    }
  Chosen out{.ledger = ids.empty() || std::ranges::count(ids, experiments::section6_id)};
  for (const Spec& spec : experiments::catalogue())
    if (ids.empty() || std::ranges::count(ids, spec.id)) out.specs.push_back(&spec);
  for (const experiments::Claim& claim : experiments::claims())
    if (ids.empty() || std::ranges::any_of(ids, [&](const std::string& id) { return paper(id) == paper(claim.id); }))
      out.claims.push_back(&claim);
  return out;
}

void write_ledger(const fs::path& folder, const Options& options) {
  const auto rows = experiments::section6_ledger({}, solvers::bits_for(options.digits) + 80);
  const fs::path file = folder / (std::string(experiments::section6_id) + ".csv");
  experiments::write_file(file, write_table(experiments::ledger_table(rows, options.digits), experiments::Format::csv,
                                            experiments::provenance(options.digits)));
  note(fmt::format("{}: {} rows, {}", experiments::section6_id, rows.size(), file.string()));
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

drawing::Shown reproduce(const Spec& spec, const fs::path& folder, const Request& request,
                         experiments::Journal& journal) {
  const experiments::Table table = compute_table(spec, request.options, &journal);
  const auto file = [&](const char* extension) { return folder / (spec.id + extension); };
  experiments::write_file(
      file(".csv"), write_table(table, experiments::Format::csv, experiments::provenance(request.options.digits)));
  const drawing::Figure figure = drawing::compose(spec, table);
  experiments::write_file(file(".gp"), drawing::gnuplot_script(figure, ".svg", spec.id + ".svg"));
  for (const char* extension : {".svg", ".png", ".pdf"})
    drawing::draw(figure, file(extension), backend_given(request.backend));
  note(fmt::format("{}: {} rows, {}", spec.id, table.rows.size(), file(".svg").string()));
  // A map has thousands of cells: its PNG is the smaller picture.
  const bool as_png = figure.map.has_value();
  drawing::Shown shown{&spec, read(file(as_png ? ".png" : ".svg")), as_png ? "image/png" : "image/svg+xml", {}};
  for (const char* extension : {".csv", ".svg", ".png", ".pdf", ".gp"}) shown.files.push_back(spec.id + extension);
  return shown;
}

int run(const Request& request) {
  const Chosen wanted = chosen(request.ids);
  std::size_t evaluations = 0;
  for (const Spec* spec : wanted.specs) evaluations += evaluations_of(*spec);
  Options quiet = request.options;
  quiet.output.clear();  // here -o names a folder
  if (is_dry_run(quiet, evaluations)) return done;
  const fs::path folder = request.options.output.empty() ? "out" : request.options.output;
  fs::create_directories(folder);
  stop_on_signals();
  drawing::Report report{.provenance = experiments::provenance(request.options.digits)};
  try {
    experiments::Journal journal(folder / "journal.sqlite", accuracy(request.options));
    for (const Spec* spec : wanted.specs) report.figures.push_back(reproduce(*spec, folder, request, journal));
    if (wanted.ledger) {
      write_ledger(folder, request.options);
      report.tables.push_back(std::string(experiments::section6_id) + ".csv");
    }
    report.findings = experiments::examine(wanted.claims, request.options.threads, &stop_asked);
  } catch (const experiments::BadJournal& bad) {
    throw Refusal(could_not, bad.what(), bad.next);
  } catch (const experiments::Stopped&) {
    throw Refusal(interrupted,
                  fmt::format("interrupted after {} of {} figures", report.figures.size(), wanted.specs.size()),
                  fmt::format("{} has what was computed; the same command goes on from there",
                              (folder / "journal.sqlite").string()));
  }
  experiments::write_file(folder / "index.html", drawing::report_page(report));
  note(fmt::format("{} claims, {}", report.findings.size(), (folder / "index.html").string()));
  return done;
}

}  // namespace

void add_reproduce(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("reproduce", "redraw the papers' figures and check their claims, into a folder");
  auto request = std::make_shared<Request>();
  command.add_option("figure", request->ids, "ids of figures; none: all of them");
  command.add_option("--backend", request->backend, "gnuplot (default) or matplotpp");
  add_common_options(command, request->options);
  command.footer(
      R"(Here -o names a folder (default: out). It gets index.html, and for each figure its table (CSV), its pictures (SVG,
PNG, PDF) and its script (gp). What was computed is kept in journal.sqlite: a second run only draws.

Examples:
  epsilary reproduce -o out
  epsilary reproduce balle2020-fig2 --digits 12)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
