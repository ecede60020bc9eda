// plot: one figure, from a spec, or from a table without computing anything again.
#include <fmt/format.h>

#include "experiments/cli/watch.hpp"

namespace epsilary::cli {
namespace {

int run(const Flags& flags, epsilary::Drawing drawing) {
  stop_on_signals();
  const Watching watching;
  drawing.file = flags.output;
  const epsilary::Drawn drawn = epsilary::draw(drawing, flags.options, watching.watch());
  if (drawn.file.empty()) {
    is_dry_run({.options = flags.options}, drawn);
    return done;
  }
  watching.watch().note(fmt::format("{} rows, {}", drawn.rows, drawn.file));
  return done;
}

}  // namespace

Command plot_command() {
  auto flags = std::make_shared<Flags>();
  auto d = std::make_shared<epsilary::Drawing>();
  return {
      .name = "plot",
      .description = "draw one figure, or a table that was computed before",
      .footer =
          R"(The picture is FIGURE.svg, or what -o FILE says: .svg, .png, .pdf, .tex (pgfplots, in the fonts of the document), or
.gp for the script.

Examples:
  epsilary plot balle2020-fig2 -o fig2.png
  epsilary plot balle2020-fig2 -o fig2.tex
  epsilary plot balle2020-fig2 --width column -o fig2.pdf)",
      .flags = flags,
      .arguments = {{"what",
                     "the id of a figure, a spec file (.toml), or a table (.csv)",
                     &d->what,
                     {},
                     Completes::figures,
                     true},
                    {"--like", "draw the table as this figure or spec file says", &d->like, {}, Completes::figures},
                    {"--x",
                     "draw the table against this column (default: the parameter with most values)",
                     &d->x,
                     {},
                     Completes::parameters},
                    {"--y", "the column to draw (default value)", &d->y},
                    {"--colors", "one colour for each value of this column", &d->colors, {}, Completes::parameters},
                    {"--width", "page (default) or column: how wide it is printed", &d->width},
                    {"--log-x", "logarithmic x axis", &d->log_x},
                    {"--log-y", "logarithmic y axis", &d->log_y},
                    {"--backend", "gnuplot (default) or matplotpp", &d->backend}},
      .run = [flags, d] { return run(*flags, *d); }};
}

}  // namespace epsilary::cli
