// plot: one figure, from a spec, or from a table without computing anything again.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/catalogue.hpp"
#include "experiments/cli/draw_spec.hpp"
#include "experiments/read_table.hpp"
#include "figures/gnuplot.hpp"

namespace epsilary::cli {
namespace {

namespace fs = std::filesystem;
using experiments::FigureLook;
using experiments::Spec;
using experiments::Table;

struct Request {
  Options options;
  std::string what, like, backend = "gnuplot";
  std::string x, y = "value", colors;
  bool log_x = false, log_y = false;
};

std::vector<std::string> distinct(const Table& table, const std::string& column) {
  const auto at = std::ranges::find(table.columns, column);
  if (at == table.columns.end())
    throw Refusal(usage, fmt::format("the table has no column '{}'", column),
                  fmt::format("its columns are {}", fmt::join(table.columns, ", ")));
  std::vector<std::string> values;
  for (const auto& row : table.rows) {
    const std::string& cell = row[static_cast<std::size_t>(at - table.columns.begin())];
    if (!std::ranges::count(values, cell)) values.push_back(cell);
  }
  return values;
}

// The look of a table that comes from no spec: a line for each bound, against the column that was asked for.
Spec plain_spec(const Request& request, const Table& table) {
  FigureLook look{{request.x, request.x, request.log_x, "", ""},
                  {request.y, request.y, request.log_y, "", ""},
                  request.colors,
                  {},
                  {},
                  {},
                  {}};
  for (const std::string& column : {request.x, request.y}) distinct(table, column);
  for (const std::string& bound : distinct(table, "bound"))
    look.lines.push_back(
        {bound,
         request.colors.empty() ? bound : bound + ", " + request.colors + " = {" + request.colors + "}",
         "solid",
         "",
         {}});
  return {"table", request.what, "", {}, look};
}

// A table made by reproduce is called after its figure.
Spec spec_for(const Request& request, const Table& table) {
  if (!request.like.empty()) return spec_named(request.like);
  if (!request.x.empty()) return plain_spec(request, table);
  const std::string stem = fs::path(request.what).stem().string();
  for (const Spec& spec : experiments::catalogue())
    if (spec.id == stem) return spec;
  throw Refusal(usage, fmt::format("{} is not called after a figure, so nothing says how to draw it", request.what),
                "add --like FIGURE or --like SPEC.toml, or name the axes: --x eps0 --y value");
}

int run(const Request& request) {
  const bool is_table = request.what.ends_with(".csv");
  const drawing::Backend backend = backend_given(request.backend);
  Table table;
  Spec spec;
  if (is_table) {
    table = experiments::read_table(request.what);
    spec = spec_for(request, table);
  } else {
    spec = spec_named(request.what);
    if (is_dry_run({.dry_run = request.options.dry_run}, evaluations_of(spec))) return done;
    table = compute_table(spec, request.options, nullptr);
  }
  const std::string out = request.options.output.empty() ? spec.id + ".svg" : request.options.output;
  try {
    const drawing::Figure figure = drawing::compose(spec, table);
    if (fs::path(out).extension() == ".gp")
      experiments::write_file(out, drawing::gnuplot_script(figure, ".svg", spec.id + ".svg"));
    else
      drawing::draw(figure, out, backend);
  } catch (const experiments::BadSpec& bad) {
    throw Refusal(usage, bad.what(), "the table must have the columns that the figure names");
  }
  note(fmt::format("{} rows, {}", table.rows.size(), out));
  return done;
}

}  // namespace

void add_plot(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("plot", "draw one figure, or a table that was computed before");
  auto request = std::make_shared<Request>();
  command.add_option("what", request->what, "the id of a figure, a spec file (.toml), or a table (.csv)")->required();
  command.add_option("--like", request->like, "draw the table as this figure or spec file says");
  command.add_option("--x", request->x, "draw the table against this column");
  command.add_option("--y", request->y, "the column to draw (default value)");
  command.add_option("--colors", request->colors, "one colour for each value of this column");
  command.add_flag("--log-x", request->log_x, "logarithmic x axis");
  command.add_flag("--log-y", request->log_y, "logarithmic y axis");
  command.add_option("--backend", request->backend, "gnuplot (default) or matplotpp");
  add_common_options(command, request->options);
  command.footer(R"(The picture is FIGURE.svg, or what -o FILE says: .svg, .png, .pdf, or .gp for the script.

Examples:
  epsilary plot balle2020-fig2 -o fig2.png
  epsilary plot balle2020-fig2 -o fig2.gp)");
  command.callback([&command, &code, request] {
    refuse_extras(command);
    code = run(*request);
  });
}

}  // namespace epsilary::cli
