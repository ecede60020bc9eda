// compare: several bounds over a region, who is tightest where and by how much.
#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

int run(const Flags& flags, const std::vector<std::string>& ids) {
  const auto answer = epsilary::compare(ids, parameters(flags), flags.options);
  if (is_dry_run(flags, answer)) return done;
  print(flags, write(answer, format(flags)));
  return verdict(answer);
}

}  // namespace

Command compare_command() {
  auto flags = std::make_shared<Flags>();
  auto ids = std::make_shared<std::vector<std::string>>();
  return {.name = "compare",
          .description = "compare bounds over a region: who is tightest where",
          .footer = R"(Examples:
  epsilary compare balle2020-thm5.1 erlingsson2019-thm7 --eps0 0.25:2:8 --n 1e4 --delta 1e-6
  epsilary compare balle2020-thm3.2 epsilary-fixed-posterior --eps0 1 --m 1e4 --p0 1e-3:1:7:log --delta 1e-6)",
          .flags = flags,
          .arguments = {{"bound", "two or more ids of bounds", ids.get(), {}, Completes::bounds, true}},
          .asks = true,
          .run = [flags, ids] { return run(*flags, *ids); }};
}

}  // namespace epsilary::cli
