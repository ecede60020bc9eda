// reproduce: the papers' figures, each with its table and its script, the claims, and a page that shows them all.
#include "experiments/cli/watch.hpp"

namespace epsilary::cli {
namespace {

struct Request {
  std::string backend = "gnuplot";
  std::vector<std::string> ids;
};

int run(const Flags& flags, const Request& r) {
  stop_on_signals();
  const Watching watching;
  const auto answer = epsilary::reproduce(r.ids, flags.output.empty() ? "out" : flags.output, r.backend, flags.options,
                                          watching.watch());
  Flags to_stdout = flags;
  to_stdout.output.clear();  // here -o names a folder
  is_dry_run(to_stdout, answer);
  return done;
}

}  // namespace

Command reproduce_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  return {
      .name = "reproduce",
      .description = "redraw the papers' figures and check their claims, into a folder",
      .footer =
          R"(Here -o names a folder (default: out). It gets index.html, and for each figure its table (CSV), its pictures (SVG,
PNG, PDF, TeX) and its script (gp). What was computed is kept in journal.sqlite: a second run only draws.

Examples:
  epsilary reproduce -o out
  epsilary reproduce balle2020-fig2 --digits 12)",
      .flags = flags,
      .arguments = {{"figure", "ids of figures; none: all of them", &request->ids, {}, Completes::figures},
                    {"--backend", "gnuplot (default) or matplotpp", &request->backend}},
      .run = [flags, request] { return run(*flags, *request); }};
}

}  // namespace epsilary::cli
