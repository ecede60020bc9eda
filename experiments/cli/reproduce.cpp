// reproduce: the papers' figures, each with its table and its script, into a folder.
#include <fmt/format.h>

#include <algorithm>

#include "bounds/registry.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/section6_ledger.hpp"
#include "experiments/similar.hpp"
#include "figures/gnuplot.hpp"

namespace cli {
namespace {

using experiments::Spec;

struct Request {
  Options options;
  std::vector<std::string> ids;
};

// Figures come from specs; the ledger of a training run is a table of its own.
struct Chosen {
  std::vector<const Spec*> specs;
  bool ledger = false;
};

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
  return out;
}

void write_ledger(const std::filesystem::path& folder, const Options& options) {
  const auto rows = experiments::section6_ledger({}, solvers::bits_for(options.digits) + 80);
  const std::filesystem::path file = folder / (std::string(experiments::section6_id) + ".csv");
  experiments::write_file(file, write_table(experiments::ledger_table(rows, options.digits), experiments::Format::csv,
                                            experiments::provenance(options.digits)));
  note(fmt::format("{}: {} rows, {}", experiments::section6_id, rows.size(), file.string()));
}

void reproduce(const Spec& spec, const std::filesystem::path& folder, const Options& options) {
  std::vector<experiments::Row> rows = experiments::rows_of(spec);
  experiments::run(rows, accuracy(options), options.threads);
  std::vector<experiments::Record> records;
  for (const auto& row : rows) records.push_back(describe(row, options.digits));
  const experiments::Table table = to_table(records);
  const auto file = [&](const char* extension) { return folder / (spec.id + extension); };
  experiments::write_file(file(".csv"),
                          write_table(table, experiments::Format::csv, experiments::provenance(options.digits)));
  const figures::Figure figure = figures::compose(spec, table);
  experiments::write_file(file(".gp"), figures::gnuplot_script(figure, spec.id + ".svg"));
  for (const char* extension : {".svg", ".png", ".pdf"}) figures::draw(figure, file(extension));
  note(fmt::format("{}: {} rows, {}", spec.id, rows.size(), file(".svg").string()));
}

int run(const Request& request) {
  const Chosen wanted = chosen(request.ids);
  std::size_t evaluations = 0;
  for (const Spec* spec : wanted.specs) evaluations += experiments::rows_of(*spec).size();
  Options quiet = request.options;
  quiet.output.clear();  // here -o names a folder
  if (is_dry_run(quiet, evaluations)) return done;
  const std::filesystem::path folder = request.options.output.empty() ? "out" : request.options.output;
  std::filesystem::create_directories(folder);
  for (const Spec* spec : wanted.specs) reproduce(*spec, folder, request.options);
  if (wanted.ledger) write_ledger(folder, request.options);
  return done;
}

}  // namespace

void add_reproduce(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("reproduce", "redraw the papers' figures, with their tables, into a folder");
  auto request = std::make_shared<Request>();
  command.add_option("figure", request->ids, "ids of figures; none: all of them");
  add_common_options(command, request->options);
  command.footer("Examples:\n  epsilary reproduce -o out\n  epsilary reproduce balle2020-fig2 --digits 12");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace cli
