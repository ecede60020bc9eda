// eval: bounds at points; without an id, every bound that the given parameters allow.
#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

int run(const Flags& flags, const std::vector<std::string>& ids) {
  const auto answer = epsilary::evaluate_all(ids, parameters(flags), flags.options);
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags), color(flags)));
  return verdict(answer);
}

}  // namespace

Command eval_command() {
  auto flags = std::make_shared<Flags>();
  auto ids = std::make_shared<std::vector<std::string>>();
  return {.name = "eval",
          .description = "evaluate bounds at a point, tightest first",
          .footer = R"(Examples:
  epsilary eval --eps0 1 --n 1e4 --delta 1e-6
  epsilary eval balle2020-thm3.2 --eps0 1e-6 --m 1e12 --p0 1e-3 --delta 1e-300 --digits 30

--delta is the whole delta: a bound that spends it in parts splits it and says how. A row is a guarantee when its
statement is proved or repaired, its number certified, and it answers the question: its neighbours are those asked
about and its delta_total is at most --delta.)",
          .flags = flags,
          .arguments = {{"bound", "ids of bounds; none: every bound that applies", ids.get(), {}, Completes::bounds}},
          .asks = true,
          .run = [flags, ids] { return run(*flags, *ids); }};
}

}  // namespace epsilary::cli
